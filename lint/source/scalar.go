package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	yamlv2 "go.yaml.in/yaml/v2"
	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// valueOf is what kubectl and conftest see in a document: the values of yaml/v2, as sigs.k8s.io/yaml makes JSON of them.
// Numbers keep their digits.
func valueOf(text []byte) (value any, err error) {
	if err := yamlv2.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	return jsonShaped(value)
}

var errKey = errors.New("a key is empty (null) or too large a number; Kubernetes takes strings only")

// jsonShaped fails for what JSON cannot hold. A list is changed where it stands.
func jsonShaped(value any) (_ any, err error) {
	switch value := value.(type) {
	case map[any]any:
		object := make(map[string]any, len(value))
		for k, entry := range value {
			key, ok := keyOf(k)
			if !ok {
				return nil, errKey
			}
			if object[key], err = jsonShaped(entry); err != nil {
				return nil, err
			}
		}
		return object, nil
	case []any:
		for i := range value {
			if value[i], err = jsonShaped(value[i]); err != nil {
				return nil, err
			}
		}
	case string:
		return validUTF8(value), nil
	case int, int64, uint64, float64:
		text, err := json.Marshal(value)
		return json.Number(text), err
	}
	return value, nil
}

// validUTF8 puts U+FFFD in place of each byte of a !!binary that is not UTF-8, as encoding/json does.
func validUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

func keyOf(key any) (text string, ok bool) {
	switch key := key.(type) {
	case string:
		return validUTF8(key), true
	case bool, int, int64:
		return fmt.Sprint(key), true
	case float64:
		// 32 bits, as sigs.k8s.io/yaml has it: large numbers become infinite.
		text := strconv.FormatFloat(key, 'g', -1, 32)
		named, odd := map[string]string{"+Inf": ".inf", "-Inf": "-.inf", "NaN": ".nan"}[text]
		if odd {
			text = named
		}
		return text, true
	}
	return "", false
}

const unquoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// other are the words that YAML 1.1 reads as something else than text, however they are capitalised.
var other = []string{"y", "yes", "true", "on", "n", "no", "false", "off", "null"}

// surelyText says of a plain scalar that it is nothing but its text.
func surelyText(text string) bool {
	if text == "" || strings.Contains(text, " ") {
		return text != ""
	}
	first := text[0] | 0x20 // in small letters
	return (first >= 'a' && first <= 'z' || text[0] == '/') && (len(text) > 5 || !slices.Contains(other, strings.ToLower(text)))
}

// keyText is a key as JSON has it; "" and false where it is null, or a number that is too large.
func keyText(node *yaml.Node) (key string, ok bool) {
	tag := ""
	if node.Style&yaml.TaggedStyle != 0 {
		tag = node.Tag
	}
	if tag == "" && (node.Style&unquoted != 0 || surelyText(node.Value)) || tag == "!!str" ||
		tag != "" && !strings.HasPrefix(tag, "!!") || strings.Contains(node.Value, "\n") {
		return node.Value, true
	}
	var object map[any]any
	_ = yamlv2.Unmarshal([]byte("? "+tag+" "+node.Value+"\n: 0\n"), &object) // what does not read has no key
	for key := range maps.Keys(object) {
		return keyOf(key)
	}
	return "", false
}

var infinite = pattern.Lazy(`^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)

// suspects are the first values that the library may refuse, for it names no line. Without one the line is 0.
type suspects struct {
	key, number, tagged int // lines
	tag                 string
}

// look notes a scalar that is a value.
func (s *suspects) look(node *yaml.Node, line int) {
	if s.number == 0 && len(node.Value) <= len("+.inf") && infinite().MatchString(node.Value) {
		s.number = line
	}
	if s.tagged == 0 && node.Style&yaml.TaggedStyle != 0 {
		if _, err := valueOf([]byte(node.Tag + " " + strconv.Quote(node.Value))); err != nil {
			s.tagged, s.tag = line, node.Tag
		}
	}
}

// refused makes of the library's error one that a person can act on, and that quotes no value; nil where it is about the
// grammar.
func (s *suspects) refused(err error) *lineError {
	var number *json.UnsupportedValueError
	switch {
	case s.number > 0 && errors.As(err, &number):
		return failAt(s.number, "a number here is infinite or not a number, which JSON cannot hold")
	case s.key > 0 && errors.Is(err, errKey):
		return failAt(s.key, "%v", err)
	case s.tagged > 0:
		return failAt(s.tagged, "the value is not what its tag %s says it is", s.tag)
	}
	return nil
}
