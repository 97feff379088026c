package render

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// title names an object as kubectl does: kind, namespace/name. Some, such as a
// KubeletConfiguration, have no name.
func title(r engine.Resource) string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return strings.TrimSpace(terminal.Printable(r.Kind + " " + name))
}

// place is file:line, as editors and terminals understand it.
func place(file string, line int) string {
	if line < 1 {
		return terminal.Printable(file)
	}
	return fmt.Sprintf("%s:%d", terminal.Printable(file), line)
}

// sentence is the verdict in running text, for formats with room for one string.
func sentence(f *engine.Finding) string {
	message := strings.TrimSpace(terminal.Printable(f.Message))
	expected := strings.TrimRight(strings.TrimSpace(terminal.Printable(f.Expected)), ".")
	if expected == "" {
		return message
	}
	if !strings.HasSuffix(message, ".") {
		message += "."
	}
	return strings.TrimSpace(message + " Wanted: " + expected + ".")
}
