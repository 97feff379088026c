package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/headroom-dev/headroom/internal/render"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// output is one -o: a format, and the file it goes to; "" is standard output.
type output struct {
	format, file string
}

// outputFlag is -o; the first of the formats is what there is without one.
func outputFlag(flags *pflag.FlagSet, outputs *[]string, formats []string) {
	flags.StringArrayVarP(outputs, "output", "o", formats[:1:1],
		"output `FORMAT`, or FORMAT=FILE; several with commas, or given several times: "+strings.Join(formats, ", "))
}

// parseOutputs reads -o; an example shows how one goes to a file.
func parseOutputs(given, formats []string, example string) ([]output, error) {
	var outputs []output
	toStdout := 0
	for _, text := range separated(given, formats) {
		format, file, named := strings.Cut(text, "=")
		if !slices.Contains(formats, format) {
			return nil, fmt.Errorf("output format %q is not one of %s", format, strings.Join(formats, ", "))
		}
		if named && file == "" {
			return nil, fmt.Errorf("-o %s= has no file name: write -o %s=FILE", format, format)
		}
		if !named {
			toStdout++
		}
		outputs = append(outputs, output{format: format, file: file})
	}
	if toStdout > 1 {
		return nil, fmt.Errorf("only one output can go to standard output; give the others a file, as in -o %s", example)
	}
	return outputs, nil
}

// separated takes -o table,json=report.json for two outputs. A comma in the name of a file is a part of it, unless a
// format follows.
func separated(given, formats []string) []string {
	var list []string
	for _, text := range given {
		first := true
		for part := range strings.SplitSeq(text, ",") {
			format, _, _ := strings.Cut(part, "=")
			if first || slices.Contains(formats, format) {
				list = append(list, part)
			} else {
				list[len(list)-1] += "," + part
			}
			first = false
		}
	}
	return list
}

// rulesFor reads the rules' metadata when an output wants it: reading it takes longer
// than judging a file does.
func rulesFor(outputs []output) ([]report.Rule, error) {
	if !slices.ContainsFunc(outputs, func(o output) bool { return render.NeedsRules(o.format) }) {
		return nil, nil
	}
	known, err := engine.Rules()
	if err != nil {
		return nil, err
	}
	rules := make([]report.Rule, len(known))
	for i, r := range known {
		rules[i] = report.Rule{
			ID: r.ID, Slug: r.Slug, Title: r.Title, Description: r.Description, Remediation: r.Remediation,
			Severity: r.Severity, HelpURI: r.HelpURI(), Category: r.Category, Fixable: r.Fixable,
		}
	}
	return rules, nil
}

// formatWriter writes one format, in colours and columns that suit where it goes.
type formatWriter func(w *bytes.Buffer, format string, colored bool, columns int) error

// shownLevels are the values of --show.
var shownLevels = report.Severities

// viewFlags say how much of a report a person sees.
type viewFlags struct {
	show             string
	verbose, explain bool
}

func (f *viewFlags) add(flags *pflag.FlagSet) {
	showFlag(flags, &f.show)
	flags.BoolVarP(&f.verbose, "verbose", "v", false,
		"list every workload with its findings, sound ones too, and what was exempted and skipped")
	flags.BoolVar(&f.explain, "explain", false, "show the arithmetic of each finding in the table")
}

// showFlag is --show.
func showFlag(flags *pflag.FlagSet, show *string) {
	flags.StringVar(show, "show", engine.SeverityWarning, "lowest severity to show: error, warning or info")
}

func checkShow(show string) error {
	if !slices.Contains(shownLevels, show) {
		return fmt.Errorf("--show %q is not one of %s", show, strings.Join(shownLevels, ", "))
	}
	return nil
}

// apply shows what fails the run, too.
func (f *viewFlags) apply(r *report.Report, failing []string) {
	r.Show = f.show
	for _, severity := range failing {
		if !r.Shows(severity) {
			r.Show = severity
		}
	}
	r.Count()
}

// writer writes a report.
func (f *viewFlags) writer(r *report.Report) formatWriter {
	return func(w *bytes.Buffer, format string, colored bool, columns int) error {
		return render.Write(w, format, r, render.Options{
			Verbose: f.verbose, Explain: f.explain, Color: colored, Width: columns,
		})
	}
}

// writeOutputs renders every output before it writes any, so that a failure leaves
// nothing half written.
func writeOutputs(stdout io.Writer, outputs []output, color string, write formatWriter) error {
	texts := make([]bytes.Buffer, len(outputs))
	for i, o := range outputs {
		colored, columns := false, defaultWidth
		if o.file == "" {
			colored, columns = screen(color)
		}
		if err := write(&texts[i], o.format, colored, columns); err != nil {
			return err
		}
	}
	for i, o := range outputs {
		var err error
		if o.file == "" {
			_, err = texts[i].WriteTo(stdout)
		} else {
			err = replaceFile(o.file, texts[i].Bytes())
		}
		if err != nil {
			return fmt.Errorf("%s output: %w", o.format, err)
		}
	}
	return nil
}

// defaultWidth is how wide a table is where no terminal says otherwise, in columns;
// maxWidth is where lines become hard to follow.
const (
	defaultWidth = 100
	maxWidth     = 140
)

// screen says whether standard output takes colour, and how wide it is.
func screen(color string) (colored bool, width int) {
	fd := int(os.Stdout.Fd())
	isTerminal := term.IsTerminal(fd)
	width = defaultWidth
	if isTerminal {
		if columns, _, err := term.GetSize(fd); err == nil && columns > 0 {
			width = min(columns, maxWidth)
		}
	}
	switch color {
	case "always":
		return true, width
	case "never":
		return false, width
	default:
		return isTerminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", width
	}
}

// replaceFile writes a file whole or not at all. What is no ordinary file (/dev/stderr, a
// pipe) is written to as it stands: a rename would put a file in its place. The error names the
// file, and not the temporary one.
func replaceFile(file string, data []byte) error {
	if err := replace(file, data); err != nil {
		return fmt.Errorf("write %s: %w", file, cause(err))
	}
	return nil
}

func replace(file string, data []byte) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(file, data, 0)
	}
	return swap(file, "."+filepath.Base(file)+".*", data, func(temporary *os.File) error {
		// CreateTemp makes files that only their owner can read; reports are for others.
		return os.Chmod(temporary.Name(), 0o644)
	})
}

// swap writes a file beside another and puts it in its place once it is ready: whole or not at all.
func swap(file, pattern string, data []byte, ready func(temporary *os.File) error) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(file), pattern)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary.Name()) // the first error is the one to report
		}
	}()
	_, err = temporary.Write(data)
	if err == nil {
		err = ready(temporary)
	}
	if closing := temporary.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	return err
}

// writeJSON writes a value as JSON of several lines. Names of manifests stand in it: what a terminal or a runner of CI
// would obey is spelled out, and means the same to a program.
func writeJSON(w io.Writer, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(terminal.JSON(text.Bytes()))
	return err
}
