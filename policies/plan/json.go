package plan

import (
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"
)

// marshal writes JSON as encoding/json does; false for what it would write in another way, or refuse.
func marshal(a Value) (Value, bool) {
	text, ok := appendJSON(nil, a)
	return string(text), ok
}

func appendJSON(b []byte, v Value) ([]byte, bool) {
	var ok bool
	switch v := v.(type) {
	case Null:
		return append(b, "null"...), true
	case bool:
		if v {
			return append(b, "true"...), true
		}
		return append(b, "false"...), true
	case int64:
		return append(b, textOf(v)...), true
	case string:
		return appendString(b, v), true
	case *Array:
		return appendList(b, v.items)
	case *Set:
		return appendList(b, v.items)
	case *Object:
		b = append(b, '{')
		for i, key := range v.keys {
			name, text := key.(string)
			if !text {
				return b, false
			}
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, name), ':')
			if b, ok = appendJSON(b, v.values[i]); !ok {
				return b, false
			}
		}
		return append(b, '}'), true
	}
	return b, false
}

func appendList(b []byte, items []Value) ([]byte, bool) {
	b = append(b, '[')
	var ok bool
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if b, ok = appendJSON(b, item); !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || strings.IndexByte(`"\<>&`, c) >= 0 || c == 0x7f {
			text, _ := json.Marshal(s) // of a string it cannot fail
			return append(b, text...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// units makes a built-in that reads quantities: those that are a whole number of a binary or decimal unit.
func units(factors map[string]int64) func(Value) (Value, bool) {
	return func(a Value) (Value, bool) {
		s, ok := a.(string)
		digits := 0
		var n int64
		const most = 9
		for digits < min(len(s), most) && '0' <= s[digits] && s[digits] <= '9' {
			n = 10*n + int64(s[digits]-'0')
			digits++
		}
		factor, known := factors[s[digits:]]
		if !ok || digits == 0 || !known {
			return nil, false
		}
		return n * factor, true
	}
}

var (
	anyUnit = units(map[string]int64{
		"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30,
	})
	bytesUnit = units(map[string]int64{
		"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "K": 1e3, "M": 1e6, "G": 1e9,
		"ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30,
	})
)

// shifted makes a built-in that shifts the bits of a number that has room for it.
func shifted(shift func(n, by int64) int64) native {
	return of2(func(n, by int64) (Value, bool) {
		const most = 31
		if n < 0 || n > math.MaxInt32 || by < 0 || by > most {
			return nil, false
		}
		return shift(n, by), true
	})
}

// replaceN replaces as strings.Replacer does: from left to right, and at each place the first of the patterns.
func replaceN(o *Object, s string) (Value, bool) {
	for i := range o.keys {
		from, fromOK := o.keys[i].(string)
		if _, toOK := o.values[i].(string); !fromOK || !toOK || from == "" {
			return nil, false
		}
	}
	at := func(rest string) (length int, to string) {
		for i, key := range o.keys {
			if from, _ := key.(string); rest[0] == from[0] && strings.HasPrefix(rest, from) {
				to, _ := o.values[i].(string)
				return len(from), to
			}
		}
		return 0, ""
	}
	var out strings.Builder
	done := 0
	for i := 0; i < len(s); {
		length, to := at(s[i:])
		if length == 0 {
			i++
			continue
		}
		out.WriteString(s[done:i])
		out.WriteString(to)
		i += length
		done = i
	}
	if done == 0 {
		return s, true
	}
	out.WriteString(s[done:])
	return out.String(), true
}
