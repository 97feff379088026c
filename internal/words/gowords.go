package words

import (
	"regexp"
	"sync"
)

// goWords are what Go's libraries say of an input in the words of Go, and the same in plain ones. They are looked for
// in the order of the list.
var goWords = sync.OnceValue(func() []saying {
	const quoted = `("(?:[^"\\]|\\.)*")`
	const someType = `(?:[\[\]*]|map\[\w+\]|interface ?\{\}|[\w.])+`
	return []saying{
		say(`strconv\.ParseBool: parsing `+quoted+`: invalid syntax`, "$1 is not true or false"),
		say(`strconv\.\w+: parsing `+quoted+`: invalid syntax`, "$1 is not a number"),
		say(`strconv\.\w+: parsing `+quoted+`: value out of range`, "$1 is too large or too small a number"),
		say(`time: (?:invalid|unknown unit.* in|missing unit in) duration `+quoted, "$1 is not a time, such as 90s or 5m"),
		say(`json: unknown field `+quoted, "unknown field $1"),
		say(`json: cannot unmarshal array`, "json: cannot unmarshal list"),
		say(`json: cannot unmarshal object`, "json: cannot unmarshal map"),
		say(`json: cannot unmarshal (\w+)[^:;]*? into Go struct field \w*?\.?([\w.]+) of type .*`,
			"$2 has the wrong type: a $1 stands there"),
		say(`json: cannot unmarshal (\w+) into Go value of type .*`, "a $1 stands where something else is expected"),
		say("cannot unmarshal !\\S*(?: `[^`]*`)? into "+someType, "a value has the wrong type"),
		say("cannot (?:decode|construct) !\\S*(?: (`[^`]*`))? as an? !\\S+", "the tag does not suit its value $1"),
		say(`invalid map key: map\[interface ?\{\}\].*`, "a key is a list or a map"),
		say(`map\[(?:string|interface ?\{\})\](?:interface ?\{\}|any)(?:\{.*\})?`, "a map"),
		say(`\[\]interface ?\{\}(?:\{.*\})?`, "a list"),
		say(`interface ?\{\}(?:\(nil\))?`, "a value"),
		say(`(?:error (?:un)?marshaling JSON: while decoding JSON: |error converting YAML to JSON: )`, ""),
		say(`(?:yaml: )?unmarshal errors:\s*`, ""),
		say(`(^|\s)(?:yaml|json): `, "$1"),
		say(`%!\w?\([^)]*\)`, "?"),
		say(`<nil>`, "nothing"),
	}
})

// saying is what a library says, and the same in plain words.
type saying struct {
	said  *regexp.Regexp
	plain string
}

func say(said, plain string) saying { return saying{regexp.MustCompile(said), plain} }

// WithoutGo puts a message of a library into plain words: no type of Go and no name of its functions.
func WithoutGo(message string) string {
	for _, w := range goWords() {
		message = w.said.ReplaceAllString(message, w.plain)
	}
	return message
}
