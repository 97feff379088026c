package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

func ofString(f func(s string) string) native {
	return of1(func(s string) (Value, bool) { return f(s), true })
}

func ofStrings[T any](f func(s, t string) T) native {
	return of2(func(s, t string) (Value, bool) { return f(s, t), true })
}

// texts are the strings of an array or a set; false if an item is not a string.
func texts(v Value) ([]string, bool) {
	var items []Value
	switch v := v.(type) {
	case *Array:
		items = v.items
	case *Set:
		items = v.items
	default:
		return nil, false
	}
	list := make([]string, len(items))
	for i, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, false
		}
		list[i] = s
	}
	return list, true
}

func join(separator, list Value) (Value, bool) {
	s, ok := separator.(string)
	items, itemsOK := texts(list)
	if !ok || !itemsOK {
		return nil, false
	}
	return strings.Join(items, s), true
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func indexOf(s, t string) (Value, bool) {
	if t == "" || !ascii(s) || !ascii(t) {
		return nil, false
	}
	return int64(strings.Index(s, t)), true
}

func replace(s, from, to string) (Value, bool) {
	if from == "" {
		return nil, false
	}
	return strings.ReplaceAll(s, from, to), true
}

func stringArray(list []string) *Array {
	items := make([]Value, len(list))
	for i, s := range list {
		items[i] = s
	}
	return &Array{items}
}

func sprintf(format string, operands *Array) (Value, bool) {
	arguments := make([]any, len(operands.items))
	for i, item := range operands.items {
		switch item := item.(type) {
		case string, int64:
			arguments[i] = item
		case *Number:
			// A text without point and exponent is a whole number that is no int64.
			f, ok := Float(item)
			if !ok || !strings.ContainsAny(textOf(item), ".eE") {
				return nil, false
			}
			arguments[i] = f
		case nil:
			return nil, false
		default:
			arguments[i] = ToAST(item).String()
		}
	}
	return fmt.Sprintf(format, arguments...), true
}

func substring(s string, from, length int64) (Value, bool) {
	if from < 0 || !ascii(s) {
		return nil, false
	}
	if from >= int64(len(s)) {
		return "", true
	}
	if rest := int64(len(s)) - from; length < 0 || length > rest {
		length = rest
	}
	return s[from : from+length], true
}

// toNumber reads what is written as strconv writes an int64; OPA's reads all else.
func toNumber(a Value) (Value, bool) {
	switch a := a.(type) {
	case int64, *Number:
		return a, true
	case string:
		if i, ok := ParseNumber(a).(int64); ok {
			return i, true
		}
	}
	return nil, false
}
