package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/internal/baseline"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/words"
)

// writeToBaseline is the value of --write-baseline without a file, as help shows it.
const writeToBaseline = "FILE"

// writeFlag is --write-baseline, which may stand alone.
type writeFlag struct {
	given bool
	file  string // "" where it stands alone
}

func (w *writeFlag) String() string { return w.file }
func (w *writeFlag) Type() string   { return "" } // help would show it beside [=FILE]

func (w *writeFlag) Set(text string) error {
	w.given, w.file = true, text
	if text == writeToBaseline {
		w.file = ""
	}
	return nil
}

// baselineFlags are those of commands that find things.
type baselineFlags struct {
	file   string
	write  string
	asked  writeFlag
	strict bool

	before *baseline.Baseline // nil before the first baseline is written
}

func (f *baselineFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "baseline", "",
		"`FILE` of known findings: they are counted, and only new ones are shown and fail")
	flags.Var(&f.asked, "write-baseline",
		"write what is found to a baseline; without =FILE to that of --baseline, else to "+baseline.FileName)
	flags.Lookup("write-baseline").NoOptDefVal = writeToBaseline
	flags.BoolVar(&f.strict, "strict-baseline", false, "exit with 1 when entries of the baseline no longer apply")
}

// load reads the baseline before anything is judged, so that a mistake in it is reported at once
// and not after a whole run.
func (f *baselineFlags) load(from *rulesFrom) error {
	if f.asked.given {
		f.write = cmp.Or(f.asked.file, f.file, baseline.FileName)
	}
	if f.strict && f.file == "" && f.write == "" {
		return errors.New("--strict-baseline needs --baseline FILE")
	}
	file := cmp.Or(f.file, f.write)
	if file == "" {
		return nil
	}
	if f.write != "" {
		// A missing file is fine: this is the first run. Later runs keep what people wrote into it.
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	if from != nil && f.write == "" {
		var err error
		f.before, err = from.baseline(file)
		return err
	}
	if err := there(file); err != nil {
		return fmt.Errorf("the baseline %w", err)
	}
	before, err := baseline.Read(file)
	if err != nil {
		return err
	}
	f.before = before
	return nil
}

// mistaken reports a file that follows --write-baseline after a blank: it would be taken for one
// of the arguments.
func (f *baselineFlags) mistaken(args []string) error {
	if !f.asked.given || f.asked.file != "" {
		return nil
	}
	for _, name := range args {
		if !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name)) {
			continue
		}
		if err := there(name); err != nil {
			return fmt.Errorf("%w; did you mean --write-baseline=%s?", err, name)
		}
		if _, err := baseline.Read(name); err == nil {
			return fmt.Errorf("%s is a baseline; did you mean --write-baseline=%s?", name, name)
		}
	}
	return nil
}

// path is the baseline that paths of a scope are seen from.
func (f *baselineFlags) path() string { return cmp.Or(f.write, f.file) }

// apply takes what is known out of the report, or writes the baseline and then does. The
// scope is what the run was told to read.
func (f *baselineFlags) apply(r *report.Report, scope baseline.Scope, said io.Writer) error {
	now := f.before
	if f.write != "" {
		if len(r.Problems) > 0 {
			// What could not be read would be missing in the baseline. Exit code 2 says so too.
			_, _ = fmt.Fprintf(said, "headroom: %s is not written, as not everything could be read\n", f.write)
		} else {
			now = baseline.Renew(f.before, r, scope)
			now.File = f.write
			text, err := baseline.Encode(f.write, now)
			if err != nil {
				return fmt.Errorf("write the baseline %s: %w", f.write, err)
			}
			if err := replaceFile(f.write, text); err != nil {
				return fmt.Errorf("the baseline: %w", err)
			}
			_, _ = fmt.Fprintf(said, "headroom: %s has %s\n", f.write, words.Plural(len(now.Entries), "entry", "entries"))
		}
	}
	if now != nil {
		now.Apply(r, scope)
	}
	return nil
}

// raise turns exit code 0 into 1 if entries are stale and the user asked to fail on that.
func (f *baselineFlags) raise(code int, r *report.Report) int {
	if code == exitClean && f.strict && len(r.Stale) > 0 {
		return exitFindings
	}
	return code
}
