package source

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Tags as yaml/v3 gives them.
const (
	tagString    = "!!str"
	tagBool      = "!!bool"
	tagInt       = "!!int"
	tagFloat     = "!!float"
	tagNull      = "!!null"
	tagTimestamp = "!!timestamp"
	tagBinary    = "!!binary"
	tagMerge     = "!!merge"
)

// literals are the words that YAML 1.1 reads as something else than a string,
// as yaml/v2 knows them.
var literals = map[string]any{
	"y": true, "Y": true, "yes": true, "Yes": true, "YES": true,
	"true": true, "True": true, "TRUE": true, "on": true, "On": true, "ON": true,
	"n": false, "N": false, "no": false, "No": false, "NO": false,
	"false": false, "False": false, "FALSE": false, "off": false, "Off": false, "OFF": false,
	"": nil, "~": nil, "null": nil, "Null": nil, "NULL": nil,
	".nan": math.NaN(), ".NaN": math.NaN(), ".NAN": math.NaN(),
	".inf": math.Inf(1), ".Inf": math.Inf(1), ".INF": math.Inf(1),
	"+.inf": math.Inf(1), "+.Inf": math.Inf(1), "+.INF": math.Inf(1),
	"-.inf": math.Inf(-1), "-.Inf": math.Inf(-1), "-.INF": math.Inf(-1),
}

// longestLiteral spares long strings the look-up.
const longestLiteral = 5

// scalarValue gives what yaml/v2 makes of a scalar: nil, bool, int64, uint64,
// float64 or string. tag is "" when the document gives none; plain is false
// for quoted and block scalars. ok is false when the tag asks for something
// that the text is not.
func scalarValue(tag, text string, plain bool) (value any, ok bool) {
	if tag == "" && !plain {
		return text, true
	}
	switch tag {
	case tagBinary:
		data, err := base64.StdEncoding.DecodeString(text)
		return validUTF8(string(data)), err == nil
	case tagString:
		return text, true
	case "", tagBool, tagInt, tagFloat, tagNull, tagTimestamp:
	default: // a tag of the user's own
		return text, true
	}
	kind, value := resolve(tag, text)
	switch {
	case tag == "" || tag == kind:
		return value, true
	case tag == tagFloat && kind == tagInt:
		number, isInt := value.(int64)
		return float64(number), isInt
	}
	return nil, false
}

// resolve reads a plain scalar.
func resolve(tag, text string) (string, any) {
	if text == "" {
		return tagNull, nil
	}
	switch c := text[0]; {
	case strings.IndexByte("yYnNtTfFoO~.+-", c) >= 0:
		if len(text) <= longestLiteral {
			if value, found := literals[text]; found {
				return literalTag(value), value
			}
		}
		if c == '.' {
			if number, err := strconv.ParseFloat(text, 64); err == nil {
				return tagFloat, number
			}
		}
		if c == '+' || c == '-' {
			return resolveNumber(tag, text)
		}
	case c >= '0' && c <= '9':
		return resolveNumber(tag, text)
	}
	return tagString, text
}

func literalTag(value any) string {
	switch value.(type) {
	case bool:
		return tagBool
	case float64:
		return tagFloat
	}
	return tagNull
}

var yamlFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// resolveNumber reads what begins like a number. The order is that of yaml/v2:
// timestamps (which stay strings), integers in Go's notation with any
// underscores removed, floats, and binary integers.
func resolveNumber(tag, text string) (string, any) {
	if (tag == "" || tag == tagTimestamp) && isTimestamp(text) {
		return tagTimestamp, text
	}
	plain := strings.ReplaceAll(text, "_", "")
	if number, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return tagInt, number
	}
	if number, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return tagInt, number
	}
	if yamlFloat.MatchString(plain) {
		if number, err := strconv.ParseFloat(plain, 64); err == nil {
			return tagFloat, number
		}
	}
	if digits, found := strings.CutPrefix(plain, "0b"); found {
		if number, err := strconv.ParseInt(digits, 2, 64); err == nil {
			return tagInt, number
		}
		if number, err := strconv.ParseUint(digits, 2, 64); err == nil {
			return tagInt, number
		}
	} else if digits, found := strings.CutPrefix(plain, "-0b"); found {
		if number, err := strconv.ParseInt("-"+digits, 2, 64); err == nil {
			return tagInt, number
		}
	}
	return tagString, text
}

var timestampFormats = []string{
	"2006-1-2T15:4:5.999999999Z07:00",
	"2006-1-2t15:4:5.999999999Z07:00",
	"2006-1-2 15:4:5.999999999",
	"2006-1-2",
}

func isTimestamp(text string) bool {
	if len(text) < 8 || text[4] != '-' || strings.Trim(text[:4], "0123456789") != "" {
		return false
	}
	for _, format := range timestampFormats {
		if _, err := time.Parse(format, text); err == nil {
			return true
		}
	}
	return false
}

// jsonValue turns a scalar into what it is after a trip through JSON. ok is
// false for what JSON cannot hold: infinities and not-a-number.
func jsonValue(value any) (result any, ok bool) {
	switch value := value.(type) {
	case int64:
		return json.Number(strconv.FormatInt(value, 10)), true
	case uint64:
		return json.Number(strconv.FormatUint(value, 10)), true
	case float64:
		text, err := json.Marshal(value)
		return json.Number(text), err == nil
	}
	return value, true
}

// keyText turns a scalar into a map key the way sigs.k8s.io/yaml does.
func keyText(value any) (key string, ok bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case bool:
		return strconv.FormatBool(value), true
	case int64:
		return strconv.FormatInt(value, 10), true
	case float64:
		// 32 bits, as sigs.k8s.io/yaml has it: large numbers become infinite.
		switch text := strconv.FormatFloat(value, 'g', -1, 32); text {
		case "+Inf":
			return ".inf", true
		case "-Inf":
			return "-.inf", true
		case "NaN":
			return ".nan", true
		default:
			return text, true
		}
	}
	return "", false
}

// validUTF8 puts U+FFFD in place of every byte that is not UTF-8, as
// encoding/json does.
func validUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
	}
	return b.String()
}
