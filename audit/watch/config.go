package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/go-logr/logr"
)

// configInterval stands between looks at the config file, which in a cluster is a mounted
// ConfigMap. The kubelet takes a minute to bring a new one, and judging everything anew some
// seconds: nothing is gained by hearing of it at once.
const configInterval = 5 * time.Second

// configFile follows a config file that may come and go.
type configFile struct {
	path string
	load func(context.Context, []byte) error
	log  logr.Logger
	last []byte // content that was tried last, good or bad
}

// read gives the content, nil where there is no file.
func (f *configFile) read() ([]byte, error) {
	if f.path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read config: %w", err)
	}
	return content, nil
}

// follow loads the config whenever its content changes, until the context ends.
func (f *configFile) follow(ctx context.Context) {
	if f.path == "" {
		return
	}
	tick := time.NewTicker(configInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		f.look(ctx)
	}
}

func (f *configFile) look(ctx context.Context) {
	content, err := f.read()
	if err != nil {
		f.log.Error(err, "config not read, the one before it stays in force")
		return
	}
	if content == nil || bytes.Equal(content, f.last) {
		return // a file that is taken away leaves what it said in force
	}
	f.last = content
	if err := f.load(ctx, content); err != nil {
		f.log.Error(err, "config refused, the one before it stays in force", "file", f.path)
		return
	}
	f.log.Info("config loaded, everything is judged anew", "file", f.path)
}
