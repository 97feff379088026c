// Package configfile follows the headroom.yaml of whatever runs for long, and other files like it.
package configfile

import (
	"bytes"
	"cmp"
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

// interval stands between looks at the file. Its directory is watched too; looking finds a
// directory that appears later.
const interval = 10 * time.Second

// settle is how long a change is left alone: editors and mounts change a file in steps.
const settle = 100 * time.Millisecond

// File is a config file that may come and go. In a cluster it is a mounted ConfigMap: a
// symbolic link to a directory that is swapped as a whole.
type File struct {
	Path string // "" for none
	What string // for the log; "" is "config"
	Log  logr.Logger

	last []byte // content that was tried last, good or bad
	gone bool   // the log has said so
}

// First reads what Follow then holds for loaded, nil where there is no file.
func (f *File) First() ([]byte, error) {
	content, err := f.read()
	f.last = content
	return content, err
}

// read gives the content, nil where there is no file.
func (f *File) read() ([]byte, error) {
	if f.Path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.what(), err)
	}
	return content, nil
}

func (f *File) what() string { return cmp.Or(f.What, "config") }

// Follow loads the config whenever its content changes, until the context ends. One that cannot
// be loaded leaves the one before it in force, and the log says why.
func (f *File) Follow(ctx context.Context, load func(context.Context, []byte) error) {
	if f.Path == "" {
		return
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		f.Log.Error(err, "the "+f.what()+" is not watched, only looked at", "interval", interval.String())
		watcher = &fsnotify.Watcher{}
	} else {
		defer func() { _ = watcher.Close() }()
	}
	for {
		if err == nil {
			// Again each time: the directory may have been replaced. Adding twice is adding once.
			_ = watcher.Add(filepath.Dir(f.Path))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-watcher.Events:
			time.Sleep(settle)
		case failure := <-watcher.Errors:
			f.Log.Error(failure, "watching the "+f.what()+" failed")
		}
		f.look(ctx, load)
	}
}

func (f *File) look(ctx context.Context, load func(context.Context, []byte) error) {
	content, err := f.read()
	if err != nil {
		f.Log.Error(err, f.what()+" not read, the one before it stays in force")
		return
	}
	if content == nil && f.last != nil && !f.gone {
		f.Log.Info(f.what()+" is gone, what it said stays in force", "file", f.Path)
	}
	f.gone = content == nil
	if content == nil || bytes.Equal(content, f.last) {
		return
	}
	f.last = content
	if err := load(ctx, content); err != nil {
		f.Log.Error(err, f.what()+" refused, the one before it stays in force", "file", f.Path)
		return
	}
	f.Log.Info(f.what()+" loaded", "file", f.Path)
}
