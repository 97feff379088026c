package main

import (
	"cmp"
	"context"
	"runtime/debug"

	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

// configFlags are those of commands that take a config.
type configFlags struct {
	file string
	none bool
	from *rulesFrom // nil takes the files of now

	images imageFlags
}

func (f *configFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "config", "",
		"config `FILE`, or a folder: its nearest headroom.yaml upwards; without it that of the working directory")
	flags.BoolVar(&f.none, "no-config", false, "use the defaults and read no headroom.yaml")
}

// load reads the config; nil is the defaults.
func (f *configFlags) load() (map[string]any, error) {
	if f.none {
		return nil, nil
	}
	file, err := f.find()
	if err != nil || file == "" {
		return nil, err
	}
	return settings.Load(file)
}

// names says that a file is named, and not a folder to look from.
func (f *configFlags) names() bool { return f.file != "" && !isFolder(f.file) }

// find gives the path of the config file, "" if none exists.
func (f *configFlags) find() (string, error) {
	if f.names() {
		return f.file, there(f.file)
	}
	return settings.Find(cmp.Or(f.file, "."))
}

// named is the config and its file, as it is or as it was at a commit; nil and "" are the defaults.
func (f *configFlags) named() (config map[string]any, file string, err error) {
	if f.from != nil {
		return f.from.config(f)
	}
	if config, err = f.load(); err != nil || config == nil {
		return nil, "", err
	}
	file, err = f.find()
	return config, file, err
}

// options are the config's and, where one is named, those of a lock of images.
func (f *configFlags) options() (engine.Options, error) {
	config, file, err := f.named()
	if err != nil {
		return engine.Options{}, err
	}
	lock, err := f.images.locked(config, file, f.from)
	return engine.Options{Config: config, ImageLock: lock}, err
}

// compile makes the policies ready, after which garbage is collected.
func compile(ctx context.Context, o engine.Options) (*engine.Engine, error) {
	e, err := engine.New(ctx, o)
	if err != nil {
		return nil, err
	}
	debug.SetGCPercent(gcPercent)
	return e, nil
}

// compile makes the policies ready with the config.
func (f *configFlags) compile(ctx context.Context) (*engine.Engine, error) {
	options, err := f.options()
	if err != nil {
		return nil, err
	}
	return compile(ctx, options)
}
