package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/explain"
)

var explainFormats = []string{"text", "json", "html", "svg"}

// parseExplainOutputs reads -o as parseOutputs does, for other formats.
func parseExplainOutputs(given []string) ([]output, error) {
	var outputs []output
	toStdout := 0
	for _, text := range given {
		format, file, named := strings.Cut(text, "=")
		if !slices.Contains(explainFormats, format) {
			return nil, fmt.Errorf("output format %q is not one of %s", format, strings.Join(explainFormats, ", "))
		}
		if named && file == "" {
			return nil, fmt.Errorf("-o %s= names no file", format)
		}
		if !named {
			toStdout++
		}
		outputs = append(outputs, output{format: format, file: file})
	}
	if toStdout > 1 {
		return nil, errors.New("only one output can go to standard output; give the others a file, as in -o html=page.html")
	}
	return outputs, nil
}

// writeExplanation renders every output before it writes any.
func writeExplanation(stdout io.Writer, outputs []output, r *explain.Report, f *explainFlags) error {
	rendered := make([]bytes.Buffer, len(outputs))
	for i, o := range outputs {
		colored, columns := false, defaultWidth
		if o.file == "" {
			colored, columns = terminal(f.color)
		}
		if err := explain.Write(&rendered[i], o.format, r, colored, columns); err != nil {
			return err
		}
	}
	return emit(stdout, outputs, rendered)
}
