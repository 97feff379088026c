package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/headroom-dev/headroom/tools/release/artifact"
)

// replaceable says whether the folder may be replaced: it is not there, or an earlier release.
func replaceable(folder string) error {
	if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(folder, artifact.Checksums)); err != nil {
			return fmt.Errorf("%s holds something else than a release: give another folder", folder)
		}
	}
	return nil
}

// write puts all files into a new folder and then that into its place: so half of a release,
// or a mix of two, is never seen.
func (r *release) write(folder string) (err error) {
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(folder), filepath.Base(folder)+".*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(fresh)) }()
	for name, content := range r.out {
		if err := os.WriteFile(filepath.Join(fresh, name), content, 0o644); err != nil {
			return err
		}
	}
	if err := errors.Join(os.Chmod(fresh, 0o755), os.RemoveAll(folder)); err != nil {
		return err
	}
	return os.Rename(fresh, folder)
}

// show lists what was made.
func (r *release) show(out io.Writer, folder string) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(table, "\n%s\tMiB\tsha256\n", folder)
	for _, name := range slices.Sorted(maps.Keys(r.out)) {
		_, _ = fmt.Fprintf(table, "%s\t%.2f\t%s\n", name, float64(len(r.out[name]))/(1<<20), r.sums[name])
	}
	_ = table.Flush()
	for _, note := range r.notes {
		_, _ = fmt.Fprintln(out, note)
	}
}
