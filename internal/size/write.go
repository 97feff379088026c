package size

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// Formats are the names that Write knows; values is written by what knows charts.
var Formats = []string{"table", "json", "markdown", "patch", "values"}

// Write writes a report in a format; columns are the terminal's.
func Write(w *bytes.Buffer, format string, r *Report, columns int) error {
	switch format {
	case "table":
		writeTable(w, r, columns)
		return nil
	case "markdown":
		writeMarkdown(w, r)
		return nil
	case "json":
		return writeJSON(w, r)
	case "patch":
		return writePatches(w, r)
	}
	return fmt.Errorf("%q is no format", format)
}

func writePatches(w *bytes.Buffer, r *Report) error {
	for i, patch := range r.Patches() {
		text, err := yaml.Marshal(patch)
		if err != nil {
			return fmt.Errorf("write a patch: %w", err)
		}
		if i > 0 {
			w.WriteString("---\n")
		}
		w.Write(text)
	}
	return nil
}

// SchemaURI names the shape of the JSON.
const SchemaURI = "headroom.dev/sizes/v1alpha1"

func writeJSON(w *bytes.Buffer, r *Report) error {
	text, err := json.MarshalIndent(document(r), "", "  ")
	if err != nil {
		return fmt.Errorf("write the sizes: %w", err)
	}
	w.Write(terminal.JSON(append(text, '\n')))
	return nil
}
