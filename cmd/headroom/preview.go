package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/internal/terminal"
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

// aloneNote says what objects of a cluster were judged without, and the command that judges with it.
func aloneNote(namespaces []string) string {
	if len(namespaces) == 0 {
		return ""
	}
	which := "-A"
	if len(namespaces) == 1 {
		which = "-n " + terminal.Printable(namespaces[0])
	}
	return fmt.Sprintf("these objects come from a cluster, and their Namespace, its LimitRanges and ResourceQuotas "+
		"are not in the input: the webhook may find more. `headroom audit %s --preview enforce` judges with them", which)
}
