//go:build !lean

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/internal/images"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

// registryFlags say how registries are reached.
type registryFlags struct {
	options  images.Options
	mirrors  []string
	required bool
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

// lookInside reads the images of what is to be judged.
func lookInside(cmd *cobra.Command, f *imageFlags, e *engine.Engine, options lint.Options) (map[string]any, lint.Options, error) {
	wanted, options, _, err := lint.Images(cmd.Context(), e, options)
	if err != nil {
		return nil, options, err
	}
	lock, err := f.registries.read(cmd.Context(), e, wanted, cmd.ErrOrStderr())
	if err != nil {
		return nil, options, err
	}
	return lock.Document(), options, nil
}
