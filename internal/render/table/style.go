package table

import (
	"strings"

	"github.com/fatih/color"

	"github.com/headroom-dev/headroom/policies/engine"
)

// styles are the few things colour says: how bad it is, what is a heading, and
// what can be read last. Nothing is said by colour alone.
type styles struct {
	severity map[string]*color.Color
	heading  *color.Color
	strong   *color.Color
	subdued  *color.Color
	plain    *color.Color
}

func newStyles(on bool) *styles {
	style := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		if on {
			c.EnableColor() // the library would look at the process's own output
		} else {
			c.DisableColor()
		}
		return c
	}
	none := color.New()
	none.DisableColor()
	return &styles{
		severity: map[string]*color.Color{
			engine.SeverityError:   style(color.FgRed, color.Bold),
			engine.SeverityWarning: style(color.FgYellow, color.Bold),
			engine.SeverityInfo:    style(color.FgCyan),
		},
		heading: style(color.Bold, color.Underline),
		strong:  style(color.Bold),
		subdued: style(color.Faint),
		plain:   none,
	}
}

func (s *styles) of(severity string) *color.Color {
	if c, ok := s.severity[severity]; ok {
		return c
	}
	return s.plain
}

// run is a piece of a line in one style.
type run struct {
	text  string
	style *color.Color
}

// join sets runs on one line, without blanks at its end, which diffs and copies would carry.
func join(runs []run) string {
	for len(runs) > 0 {
		last := &runs[len(runs)-1]
		if last.text = strings.TrimRight(last.text, " "); last.text != "" {
			break
		}
		runs = runs[:len(runs)-1]
	}
	var b strings.Builder
	for _, r := range runs {
		if strings.TrimSpace(r.text) == "" {
			b.WriteString(r.text)
			continue
		}
		b.WriteString(r.style.Sprint(r.text))
	}
	return b.String()
}
