package terminal

import (
	"bytes"
	"strings"

	"github.com/fatih/color"
)

// MaxProse is how many columns of prose a line has, however wide the terminal: longer ones are hard to read.
const MaxProse = 110

// Style is a colour, where the terminal has colours. Nothing is said by colour alone.
type Style struct{ color *color.Color }

// Sprint gives a text in the style.
func (s Style) Sprint(text string) string { return s.color.Sprint(text) }

// Of is a piece of a line in the style.
func (s Style) Of(text string) Run { return Run{text, s} }

// Run is a piece of a line in one style.
type Run struct {
	Text  string
	Style Style
}

// Paper is what a text for a person is printed on. It has a width in columns, and colours that show how bad
// something is, what is a heading and what can be read last.
type Paper struct {
	Out   *bytes.Buffer
	Width int

	Heading, Strong, Subdued, Plain, Good, Bad, Fair, Info Style

	colored bool
}

// NewPaper is blank, and at least 40 columns wide.
func NewPaper(out *bytes.Buffer, colored bool, columns int) Paper {
	const least = 40
	p := Paper{Out: out, Width: max(columns, least), colored: colored}
	p.Heading, p.Strong, p.Subdued = p.Style(color.Bold, color.Underline), p.Style(color.Bold), p.Style(color.Faint)
	p.Good, p.Bad = p.Style(color.FgGreen), p.Style(color.FgRed, color.Bold)
	p.Fair, p.Info = p.Style(color.FgYellow, color.Bold), p.Style(color.FgCyan)
	plain := color.New()
	plain.DisableColor()
	p.Plain = Style{plain}
	return p
}

// Style is one of the paper's own.
func (p *Paper) Style(attributes ...color.Attribute) Style {
	c := color.New(attributes...)
	if p.colored {
		c.EnableColor() // the library would look at the process's own output
	} else {
		c.DisableColor()
	}
	return Style{c}
}

// Severity is the style of a finding: error, warning or info.
func (p *Paper) Severity(name string) Style {
	switch name {
	case "error":
		return p.Bad
	case "warning":
		return p.Fair
	case "info":
		return p.Info
	}
	return p.Plain
}

// Line prints runs without blanks at the end, which diffs and copies would carry.
func (p *Paper) Line(runs ...Run) {
	for len(runs) > 0 {
		last := &runs[len(runs)-1]
		if last.Text = strings.TrimRight(last.Text, " "); last.Text != "" {
			break
		}
		runs = runs[:len(runs)-1]
	}
	for _, r := range runs {
		if strings.TrimSpace(r.Text) == "" {
			p.Out.WriteString(r.Text)
			continue
		}
		p.Out.WriteString(r.Style.Sprint(r.Text))
	}
	p.Out.WriteByte('\n')
}
