package drawing

import (
	"fmt"
	"strings"
)

// tone is a colour, light and dark. The light one is an attribute, for where style sheets are
// refused; the dark one a rule, by class.
type tone struct {
	class, property, light, dark string
}

func tones() []tone {
	return []tone{
		{"ground", "fill", "#ffffff", "#0d1117"},
		{"ink", "fill", "#1f2328", "#e6edf3"},
		{"quiet", "fill", "#59636e", "#9198a1"},
		{"grid", "stroke", "#d1d9e0", "#3d444d"},
		{"run", "fill", "#2b6cb0", "#3b82d0"},
		{"on", "fill", "#ffffff", "#ffffff"},
		{"wait", "fill", "#cfa19d", "#7d4f4b"},
		{"ice", "fill", "#fdf0ef", "#241416"},
		{"hatch", "stroke", "#eab6b1", "#5c2b2a"},
		{"whisker", "stroke", "#1f2328", "#e6edf3"},
		{"frost", "fill", "#b3261e", "#ff8178"},
		{"pool", "fill", "#a8dbb8", "#1c4a2c"},
		{"level", "stroke", "#1a7f37", "#56d364"},
	}
}

// lightTones gives the attribute of each class.
func lightTones() map[string]string {
	attributes := map[string]string{}
	for _, t := range tones() {
		attributes[t.class] = t.light
	}
	return attributes
}

// style has the colours for the dark, and the hatching of frozen time.
func (s *sheet) style() string {
	var out strings.Builder
	out.WriteString("<style>@media (prefers-color-scheme: dark) {")
	for _, t := range tones() {
		fmt.Fprintf(&out, " .hr-%s { %s: %s }", t.class, t.property, t.dark)
	}
	out.WriteString(" }</style>\n")
	fmt.Fprintf(&out, `<defs><pattern id="%s-hatch" width="8" height="8" patternUnits="userSpaceOnUse" `+
		`patternTransform="rotate(45)"><rect class="hr-ice" width="8" height="8" fill="%s"/>`+
		`<line class="hr-hatch" y2="8" stroke="%s" stroke-width="2"/></pattern></defs>`+"\n",
		s.id, s.light["ice"], s.light["hatch"])
	return out.String()
}
