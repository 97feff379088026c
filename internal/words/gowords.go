package words

import "regexp"

// goWords are what Go's libraries say of an input in the words of Go, and the same in plain ones. They are looked for
// in the order of the list.
var goWords = []struct {
	said  *regexp.Regexp
	plain string
}{
	{regexp.MustCompile(`strconv\.ParseBool: parsing ("(?:[^"\\]|\\.)*"): invalid syntax`), "$1 is not true or false"},
	{regexp.MustCompile(`strconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): invalid syntax`), "$1 is not a number"},
	{regexp.MustCompile(`strconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): value out of range`), "$1 is too large or too small a number"},
	{regexp.MustCompile(`time: (?:invalid|unknown unit.* in|missing unit in) duration ("(?:[^"\\]|\\.)*")`), "$1 is not a time, such as 90s or 5m"},
	{regexp.MustCompile(`json: cannot unmarshal array`), "json: cannot unmarshal list"},
	{regexp.MustCompile(`json: cannot unmarshal object`), "json: cannot unmarshal map"},
	{regexp.MustCompile(`json: unknown field ("(?:[^"\\]|\\.)*")`), "unknown field $1"},
	{regexp.MustCompile(`json: cannot unmarshal (\w+)[^:;]*? into Go struct field \w*?\.?([\w.]+) of type .*`), "$2 has the wrong type: a $1 stands there"},
	{regexp.MustCompile(`json: cannot unmarshal (\w+) into Go value of type .*`), "a $1 stands where something else is expected"},
	{regexp.MustCompile("cannot unmarshal !\\S*(?: `[^`]*`)? into (?:[\\[\\]*]|map\\[\\w+\\]|interface ?\\{\\}|[\\w.])+"), "a value has the wrong type"},
	{regexp.MustCompile("cannot (?:decode|construct) !\\S*(?: (`[^`]*`))? as an? !\\S+"), "the tag does not suit its value $1"},
	{regexp.MustCompile(`invalid map key: map\[interface ?\{\}\].*`), "a key is a list or a map"},
	{regexp.MustCompile(`map\[(?:string|interface ?\{\})\](?:interface ?\{\}|any)(?:\{.*\})?`), "a map"},
	{regexp.MustCompile(`\[\]interface ?\{\}(?:\{.*\})?`), "a list"},
	{regexp.MustCompile(`interface ?\{\}(?:\(nil\))?`), "a value"},
	{regexp.MustCompile(`(?:error (?:un)?marshaling JSON: while decoding JSON: |error converting YAML to JSON: )`), ""},
	{regexp.MustCompile(`(?:yaml: )?unmarshal errors:\s*`), ""},
	{regexp.MustCompile(`(^|\s)(?:yaml|json): `), "$1"},
	{regexp.MustCompile(`%!\w?\([^)]*\)`), "?"},
	{regexp.MustCompile(`<nil>`), "nothing"},
}

// WithoutGo puts a message of a library into plain words: no type of Go and no name of its functions.
func WithoutGo(message string) string {
	for _, w := range goWords {
		message = w.said.ReplaceAllString(message, w.plain)
	}
	return message
}
