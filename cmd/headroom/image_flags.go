package main

import (
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/policies/settings"
)

// lookUp is what --images says without a file.
const lookUp = "registries"

// imageFlags say where what is in images comes from.
type imageFlags struct {
	from       string // "" for the config's lock, lookUp, or a lock's file
	registries registryFlags
}

func (f *imageFlags) add(flags *pflag.FlagSet) {
	f.addLock(flags)
	flags.Lookup("images").NoOptDefVal = lookUp
	flags.Lookup("images").Usage = "look into the images: in their registries, or in a lock `FILE` of headroom images lock (--images=FILE)"
	f.registries.add(flags)
}

// addLock is for commands that ask no registry.
func (f *imageFlags) addLock(flags *pflag.FlagSet) {
	flags.StringVar(&f.from, "images", "", "lock `FILE` of headroom images lock, which says what the images start")
}

// file is the lock's file: that of the flag, else that of the config, "" for none.
func (f *imageFlags) file(config map[string]any, configFile string) string {
	if f.from != "" {
		return f.from
	}
	named, _ := config["imageLock"].(string)
	if named == "" || filepath.IsAbs(named) {
		return named
	}
	return filepath.Join(filepath.Dir(configFile), named)
}

// locked reads the lock that the flags or the config name; nil where they name none.
func (f *imageFlags) locked(config map[string]any, configFile string, from *rulesFrom) (map[string]any, error) {
	file := f.file(config, configFile)
	if file == "" || file == lookUp {
		return nil, nil
	}
	if from == nil && f.from == "" {
		if err := settings.InsideOf(configFile, file); err != nil {
			return nil, err
		}
	}
	laid, err := from.file(file)
	if err != nil || laid == "" {
		return nil, err
	}
	lock, err := settings.LoadLock(laid)
	return lock, from.plainly(err)
}
