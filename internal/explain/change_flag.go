package explain

import (
	"fmt"
	"strings"
	"unicode"
)

// ownNames are flags with a syntax of their own, and what the JVM calls them.
var ownNames = [][2]string{
	{"-Xmx", "MaxHeapSize"}, {"-Xms", "InitialHeapSize"}, {"-Xss", "ThreadStackSize"}, {"-Xmn", "Xmn"},
}

// flagChange reads a flag, also in the form -Xmx=1g; without its value where it is taken away.
func flagChange(key, text string, taken bool) (Change, error) {
	for _, own := range ownNames {
		if value, is := strings.CutPrefix(text, own[0]); is {
			value = strings.TrimPrefix(value, "=")
			return Change{Key: key, Name: own[1], Value: value, Text: own[0] + value}.checked(taken, text)
		}
	}
	rest, is := strings.CutPrefix(text, "-XX:")
	if !is { // -Xint, -Xlog:gc, -server
		name, _, _ := strings.Cut(strings.TrimLeft(text, "-"), ":")
		return Change{Key: key, Name: name, Value: text, Text: text}.checked(taken, text)
	}
	name, value, _ := strings.Cut(rest, "=")
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		value, name = name[:1], name[1:]
	}
	return Change{Key: key, Name: name, Value: value, Text: text}.checked(taken, text)
}

func (c Change) checked(taken bool, text string) (Change, error) {
	switch {
	case c.Name == "":
		return c, fmt.Errorf("--what-if %s names no flag", text)
	case strings.ContainsFunc(text, splits):
		return c, fmt.Errorf("--what-if %q: a flag is one word without quotes; commas separate several", text)
	case taken:
		c.Value, c.Text = "", ""
	case c.Value == "":
		return c, fmt.Errorf("--what-if %s has no value; as in -Xmx=1g, -XX:+UseG1GC, -XX:MaxRAMPercentage=60; "+
			"=none takes a flag away", text)
	}
	return c, nil
}

// splits says whether a letter would make several words of a flag in a variable, or none.
func splits(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == '"' || r == '\''
}
