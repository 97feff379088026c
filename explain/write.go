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
		return WriteText(w, r, colored, columns)
	case "html":
		return WriteHTML(w, r)
	case "json":
		return WriteJSON(w, r)
	case "svg":
		return WriteSVG(w, r)
	}
	return fmt.Errorf("%q is no format", format)
}
