package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/go-logr/logr"
)

// configInterval stands between looks at the config file. Its directory is watched too;
// looking finds a directory that appears later.
const configInterval = 10 * time.Second

// settle is how long a change is left alone: editors and mounts change a file in steps.
const settle = 100 * time.Millisecond

// configFile follows a config file that may come and go. In a cluster it is a mounted
// ConfigMap: a symbolic link to a directory that is swapped as a whole.
type configFile struct {
	path     string
	interval time.Duration
	reload   func(context.Context, []byte) error
	log      logr.Logger
	last     []byte // content that was tried last, good or bad
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

// follow reloads the config whenever its content changes, until the context ends.
func (f *configFile) follow(ctx context.Context) {
	if f.path == "" {
		return
	}
	tick := time.NewTicker(f.interval)
	defer tick.Stop()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		f.log.Error(err, "the config is not watched, only looked at", "interval", f.interval.String())
		watcher = &fsnotify.Watcher{}
	} else {
		defer func() { _ = watcher.Close() }()
	}
	for {
		if err == nil {
			// Again each time: the directory may have been replaced. Adding twice is adding once.
			_ = watcher.Add(filepath.Dir(f.path))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-watcher.Events:
			time.Sleep(settle)
		case failure := <-watcher.Errors:
			f.log.Error(failure, "watching the config failed")
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
	if err := f.reload(ctx, content); err != nil {
		f.log.Error(err, "config refused, the one before it stays in force", "file", f.path)
		return
	}
	f.log.Info("config loaded", "file", f.path)
}
