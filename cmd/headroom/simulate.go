package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/internal/cfs/scenario"
)

// simulateFormats are those of headroom simulate.
var simulateFormats = []string{"table", "json", "svg"}

type simulateFlags struct {
	timeline bool
	output   string
}

func simulateCommand() *cobra.Command {
	var f simulateFlags
	cmd := &cobra.Command{
		Use:   "simulate FILE…",
		Short: "Run scenarios through the model of CPU quotas: what would be throttled, and for how long",
		Long: `Run scenario files through a model of CFS bandwidth control, which is how the kernel enforces
limits.cpu, and print what became of each load. Values that are lists are swept, so that one
file compares limits, periods or numbers of threads. "-" reads standard input.

It is a model: docs/simulate.md says what it leaves out, and docs/why.md how it compares with a
real kernel.

Exit code 0: done. 2: a file is wrong, with the line, or asks for more than is computed.`,
		Example: `  headroom simulate samples/scenarios/gc-burst.yaml --timeline
  headroom simulate samples/scenarios/*.yaml -o json
  headroom simulate samples/scenarios/gc-burst.yaml -o svg=gc-burst.svg`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("nothing to simulate: name a scenario file, or - for standard input (docs/simulate.md shows one)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return simulate(cmd, args, f) },
	}
	cmd.Flags().BoolVar(&f.timeline, "timeline", false, "draw the timeline of each case below the table (period layer)")
	cmd.Flags().StringVarP(&f.output, "output", "o", "table", "output `FORMAT[=FILE]`: table, json or svg")
	return completed(cmd, map[string][]string{"output": simulateFormats})
}

func simulate(cmd *cobra.Command, files []string, f simulateFlags) error {
	format, file, named := strings.Cut(f.output, "=")
	switch {
	case !slices.Contains(simulateFormats, format):
		return fmt.Errorf("output format %q is not one of %s", format, strings.Join(simulateFormats, ", "))
	case named && file == "":
		return fmt.Errorf("-o %s= has no file name: write -o %s=FILE", format, format)
	case f.timeline && format != "table":
		return fmt.Errorf("--timeline draws below the table; -o %s has the timeline in it", format)
	}
	var results []*scenario.Result
	var wrong []error
	for _, file := range files {
		result, err := runScenario(cmd, file)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		results = append(results, result)
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...) // nothing is printed: what is left might be taken for all
	}
	var out bytes.Buffer
	if err := writeResults(&out, results, format, f.timeline); err != nil {
		return err
	}
	if named {
		return replaceFile(file, out.Bytes())
	}
	_, err := out.WriteTo(cmd.OutOrStdout())
	return err
}

func runScenario(cmd *cobra.Command, file string) (*scenario.Result, error) {
	if file != "-" {
		if err := there(file); err != nil {
			return nil, err
		}
	}
	s, err := scenario.Read(file)
	if err != nil {
		return nil, err
	}
	return s.Run(cmd.Context())
}

func writeResults(w io.Writer, results []*scenario.Result, format string, timeline bool) error {
	switch format {
	case "json":
		return scenario.JSON(w, results)
	case "svg":
		return scenario.SVG(w, results)
	}
	_, width := screen("never")
	for i, r := range results {
		if i > 0 {
			_, _ = io.WriteString(w, "\n\n") // to memory
		}
		if err := r.Table(w); err != nil {
			return err
		}
		if !timeline {
			continue
		}
		if err := r.Drawings(w, width); err != nil {
			return err
		}
	}
	return nil
}
