package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/internal/images"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

// lookUp is what --images says without a file.
const lookUp = "registries"

// imageFlags say where what is in images comes from.
type imageFlags struct {
	from       string // "" for the config's lock, lookUp, or a lock's file
	registries registryFlags
}

// registryFlags say how registries are reached.
type registryFlags struct {
	options  images.Options
	mirrors  []string
	required bool
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

func (f *registryFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.options.Platform, "platform", "", "`PLATFORM` of the nodes, such as linux/arm64; without it linux/amd64 is assumed")
	flags.BoolVar(&f.options.Offline, "offline", false, "ask no registry: only images with a digest that was read before are known")
	flags.StringArrayVar(&f.mirrors, "registry-mirror", nil, "ask another registry, `HOST=MIRROR`, such as docker.io=mirror.example:5000")
	flags.StringArrayVar(&f.options.Insecure, "registry-insecure", nil, "`HOST` of a registry without TLS")
	flags.StringVar(&f.options.Authorities, "registry-ca", "", "PEM `FILE` with certificates that registries may have, besides the system's")
	flags.BoolVar(&f.required, "images-required", false, "exit with 2 where an image cannot be read")
}

func (f *registryFlags) open() (*images.Registries, error) {
	options := f.options
	options.Cache = images.DefaultCache()
	options.Mirrors = map[string]string{}
	for _, mirror := range f.mirrors {
		host, other, ok := strings.Cut(mirror, "=")
		if !ok || host == "" || other == "" {
			return nil, fmt.Errorf("--registry-mirror %q is not of the form HOST=MIRROR", mirror)
		}
		options.Mirrors[host] = other
	}
	return images.New(options)
}

var errImages = errors.New("not all images could be read")

// read looks images up, and says in a line each which cannot be read. wanted has by what manifests write what is looked up
// for it: the same, or the digest that runs.
func (f *registryFlags) read(ctx context.Context, e *engine.Engine, wanted map[string]string, said io.Writer) (*images.Lock, error) {
	registries, err := f.open()
	if err != nil {
		return nil, err
	}
	lock, unknown := images.NewLock(), 0
	var failed error
	written := map[string][]string{}
	for reference, runs := range wanted {
		written[runs] = append(written[runs], reference)
	}
	registries.All(ctx, slices.Sorted(maps.Keys(written)), func(runs string, found images.Found) {
		if found.Err == nil {
			for _, reference := range written[runs] {
				failed = errors.Join(failed, lock.Add(ctx, e, reference, found.Image))
			}
			return
		}
		unknown++
		_, _ = fmt.Fprintf(said, "headroom: image %s: %v\n", terminal.Printable(runs), found.Err)
	})
	registries.Tidy()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if failed != nil {
		return nil, failed
	}
	if unknown > 0 && f.required {
		return nil, fmt.Errorf("%w: %s", errImages, words.Count(unknown, "image"))
	}
	return lock, nil
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
