package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/internal/preview"
)

// previewFlags are those of commands that can tell what a mode would do.
type previewFlags struct {
	mode   string
	mutate bool
}

func (f *previewFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.mode, "preview", "", "tell what `MODE` (enforce or warn) would do if it were switched on now")
	flags.BoolVar(&f.mutate, "preview-mutate", false,
		"preview as if every namespace had the label headroom.dev/mutate=enabled")
}

func (f *previewFlags) check() error {
	switch f.mode {
	case preview.Enforce, preview.Warn:
		return nil
	case "":
		if f.mutate {
			return errors.New("--preview-mutate needs --preview enforce or --preview warn")
		}
		return nil
	default:
		return fmt.Errorf("--preview %q is not enforce or warn", f.mode)
	}
}
