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
