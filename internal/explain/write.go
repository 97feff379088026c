package explain

import (
	"fmt"
	"io"
)

// Formats are the names that Write knows.
var Formats = []string{"text", "json", "html", "svg"}

// Write prints a report in a format; colour and columns are the terminal's, for text.
func Write(w io.Writer, format string, r *Report, colored bool, columns int) error {
	switch format {
	case "text":
		return writeText(w, r, colored, columns)
	case "html":
		return writeHTML(w, r)
	case "json":
		return writeJSON(w, r)
	case "svg":
		return writeSVG(w, r)
	}
	return fmt.Errorf("%q is no format", format)
}
