package plan

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// native is a built-in of ours, in place of OPA's. It gives false where the operands are none that it
// knows, or would be an error: then OPA's own built-in is asked. A nil value is undefined.
type native struct {
	one   func(a Value) (Value, bool)
	two   func(a, b Value) (Value, bool)
	three func(a, b, c Value) (Value, bool)
}

// of1, of2 and of3 make a built-in of what is done to operands of those kinds; it knows no others.
func of1[A Value](f func(A) (Value, bool)) native {
	return native{one: func(a Value) (Value, bool) {
		if x, ok := a.(A); ok {
			return f(x)
		}
		return nil, false
	}}
}

func of2[A, B Value](f func(A, B) (Value, bool)) native {
	return native{two: func(a, b Value) (Value, bool) {
		x, xOK := a.(A)
		y, yOK := b.(B)
		if !xOK || !yOK {
			return nil, false
		}
		return f(x, y)
	}}
}

func of3[A, B, C Value](f func(A, B, C) (Value, bool)) native {
	return native{three: func(a, b, c Value) (Value, bool) {
		x, xOK := a.(A)
		y, yOK := b.(B)
		z, zOK := c.(C)
		if !xOK || !yOK || !zOK {
			return nil, false
		}
		return f(x, y, z)
	}}
}

// natives are the built-ins that decisions call most. OPA's own stand in for those that one decision calls once or
// twice. TestNatives holds each to OPA's.
var natives = map[string]native{
	"plus":  {two: arithmetic(plus, (*big.Float).Add)},
	"mul":   {two: arithmetic(times, (*big.Float).Mul)},
	"minus": {two: difference},
	"div":   {two: divide},
	"rem":   {two: remainder},
	"round": {one: rounded(nearest)},
	"ceil":  {one: rounded(ceiling)},
	"floor": {one: rounded(floor)},

	"equal": {two: func(a, b Value) (Value, bool) { return Equal(a, b), true }},
	"neq":   {two: func(a, b Value) (Value, bool) { return !Equal(a, b), true }},
	"gt":    {two: func(a, b Value) (Value, bool) { return Compare(a, b) > 0, true }},
	"gte":   {two: func(a, b Value) (Value, bool) { return Compare(a, b) >= 0, true }},
	"lt":    {two: func(a, b Value) (Value, bool) { return Compare(a, b) < 0, true }},
	"lte":   {two: func(a, b Value) (Value, bool) { return Compare(a, b) <= 0, true }},

	"count": {one: count},
	"sum":   {one: ofItems(sum)},
	"max":   {one: ofItems(func(items []Value) (Value, bool) { return extreme(items, 1), true })},
	"min":   {one: ofItems(func(items []Value) (Value, bool) { return extreme(items, -1), true })},
	"sort": {one: ofItems(func(items []Value) (Value, bool) {
		return &Array{slices.SortedFunc(slices.Values(items), Compare)}, true
	})},

	"internal.member_2": {two: member},
	"and":               of2(intersection),
	"or":                of2(union),

	"array.concat":   of2(concatenation),
	"array.reverse":  of1(reversed),
	"array.slice":    of3(slice),
	"object.get":     {three: objectGet},
	"object.keys":    of1(func(o *Object) (Value, bool) { return &Set{o.keys[:len(o.keys):len(o.keys)]}, true }),
	"object.union":   of2(func(a, b *Object) (Value, bool) { return merged(a, b), true }),
	"object.union_n": of1(objectUnionN),
	"object.remove":  of2(func(o *Object, keys Value) (Value, bool) { return chosen(o, keys, false) }),
	"object.filter":  of2(func(o *Object, keys Value) (Value, bool) { return chosen(o, keys, true) }),

	"is_array":   {one: is(kindArray)},
	"is_boolean": {one: is(kindBool)},
	"is_null":    {one: is(kindNull)},
	"is_number":  {one: is(kindNumber)},
	"is_object":  {one: is(kindObject)},
	"is_set":     {one: is(kindSet)},
	"is_string":  {one: is(kindString)},
	"type_name":  {one: typeName},

	"concat":      {two: join},
	"contains":    ofStrings(strings.Contains),
	"endswith":    ofStrings(strings.HasSuffix),
	"startswith":  ofStrings(strings.HasPrefix),
	"lower":       ofString(strings.ToLower),
	"upper":       ofString(strings.ToUpper),
	"trim":        ofStrings(strings.Trim),
	"trim_left":   ofStrings(strings.TrimLeft),
	"trim_prefix": ofStrings(strings.TrimPrefix),
	"trim_right":  ofStrings(strings.TrimRight),
	"trim_space":  ofString(strings.TrimSpace),
	"trim_suffix": ofStrings(strings.TrimSuffix),
	"indexof":     of2(indexOf),
	"replace":     of3(replace),
	"split":       ofStrings(func(s, separator string) Value { return stringArray(strings.Split(s, separator)) }),
	"sprintf":     of2(sprintf),
	"substring":   of3(substring),
	"to_number":   {one: toNumber},

	"json.marshal": {one: marshal},

	"bits.lsh": shifted(func(n, by int64) int64 { return n << by }),
	"bits.rsh": shifted(func(n, by int64) int64 { return n >> by }),

	"numbers.range": of2(numbersRange),

	"regex.match":                      of2(regexMatch),
	"regex.find_n":                     of3(regexFind),
	"regex.find_all_string_submatch_n": of3(regexSubmatches),
	"regex.split":                      of2(regexSplit),
	"regex.replace":                    of3(regexReplace),
}

func difference(a, b Value) (Value, bool) {
	x, xOK := a.(*Set)
	y, yOK := b.(*Set)
	if !xOK || !yOK {
		return subtract(a, b)
	}
	rest := &Set{}
	for _, item := range x.items {
		if !y.has(item) {
			rest.items = append(rest.items, item)
		}
	}
	return rest, true
}

var subtract = arithmetic(minus, (*big.Float).Sub)

func count(a Value) (Value, bool) {
	switch a := a.(type) {
	case string:
		return int64(utf8.RuneCountInString(a)), true
	case *Array:
		return int64(len(a.items)), true
	case *Object:
		return int64(len(a.keys)), true
	case *Set:
		return int64(len(a.items)), true
	}
	return nil, false
}

// ofItems makes a built-in of arrays and sets.
func ofItems(f func(items []Value) (Value, bool)) func(Value) (Value, bool) {
	return func(a Value) (Value, bool) {
		switch a := a.(type) {
		case *Array:
			return f(a.items)
		case *Set:
			return f(a.items)
		}
		return nil, false
	}
}

// extreme is the largest of the items for a sign of 1, the smallest for -1; undefined of none. Of
// equal ones OPA gives the last.
func extreme(items []Value, sign int) Value {
	var most Value
	for _, item := range items {
		if most == nil || Compare(item, most)*sign >= 0 {
			most = item
		}
	}
	return most
}

func member(item, of Value) (Value, bool) {
	switch of := of.(type) {
	case *Array:
		return slices.ContainsFunc(of.items, func(other Value) bool { return Equal(item, other) }), true
	case *Object:
		return slices.ContainsFunc(of.values, func(other Value) bool { return Equal(item, other) }), true
	case *Set:
		return of.has(item), true
	}
	return false, true
}

func intersection(a, b *Set) (Value, bool) {
	if len(b.items) < len(a.items) {
		a, b = b, a // as OPA does: of 1 and 1.0, the one of the smaller set stays
	}
	both := &Set{}
	for _, item := range a.items {
		if b.has(item) {
			both.items = append(both.items, item)
		}
	}
	return both, true
}

func union(a, b *Set) (Value, bool) {
	all := &Set{slices.Clone(a.items)}
	for _, item := range b.items {
		all.add(item)
	}
	return all, true
}

func reversed(list *Array) (Value, bool) {
	items := slices.Clone(list.items)
	slices.Reverse(items)
	return &Array{items}, true
}

func concatenation(a, b *Array) (Value, bool) {
	switch {
	case len(a.items) == 0:
		return b, true
	case len(b.items) == 0:
		return a, true
	}
	return &Array{slices.Concat(a.items, b.items)}, true
}

func slice(list *Array, start, stop int64) (Value, bool) {
	stop = min(max(stop, 0), int64(len(list.items)))
	start = min(max(start, 0), stop)
	// Its capacity ends with it: nothing is appended to an array that is complete, but for safety.
	return &Array{list.items[start:stop:stop]}, true
}

func is(kind int) func(Value) (Value, bool) {
	return func(a Value) (Value, bool) { return kindOf(a) == kind, true }
}

func typeName(a Value) (Value, bool) {
	return [...]string{"undefined", "null", "boolean", "number", "string", "array", "object", "set"}[kindOf(a)], true
}

// numbersRange leaves long ranges to OPA, which looks whether it was cancelled.
func numbersRange(from, to int64) (Value, bool) {
	const long = 10000
	if from < -long || from > long || to < -long || to > long {
		return nil, false
	}
	step := int64(1)
	if to < from {
		step = -1
	}
	items := make([]Value, 0, (to-from)*step+1)
	for i := from; i != to+step; i += step {
		items = append(items, i)
	}
	return &Array{items}, true
}
