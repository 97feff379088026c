package explain

import (
	"fmt"
	"io"
)

// Formats are the names that Write knows.
var Formats = []string{"text"}

// Write prints a report in a format; colour and columns are the terminal's, for text.
func Write(w io.Writer, format string, r *Report, colored bool, columns int) error {
	switch format {
	case "text":
		return WriteText(w, r, colored, columns)
	}
	return fmt.Errorf("%q is no format", format)
}
