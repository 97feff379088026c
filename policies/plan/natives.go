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

// natives are the built-ins that decisions call most. TestNatives holds each to OPA's.
var natives = map[string]native{
	"plus":  {two: arithmetic(plus, (*big.Float).Add)},
	"mul":   {two: arithmetic(times, (*big.Float).Mul)},
	"minus": {two: difference},
	"div":   {two: divide},
	"rem":   {two: remainder},
	"abs":   {one: absolute},
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
	"and":               {two: ofSets(intersection)},
	"or":                {two: ofSets(union)},
	"union":             {one: unionN},

	"array.concat":   {two: concatenation},
	"array.reverse":  {one: reversed},
	"array.slice":    {three: slice},
	"object.get":     {three: objectGet},
	"object.keys":    {one: objectKeys},
	"object.union":   {two: objectUnion},
	"object.union_n": {one: objectUnionN},
	"object.remove":  {two: objectRemove},
	"object.filter":  {two: objectFilter},

	"is_array":   {one: is(kindArray)},
	"is_boolean": {one: is(kindBool)},
	"is_null":    {one: is(kindNull)},
	"is_number":  {one: is(kindNumber)},
	"is_object":  {one: is(kindObject)},
	"is_set":     {one: is(kindSet)},
	"is_string":  {one: is(kindString)},
	"type_name":  {one: typeName},

	"concat":      {two: join},
	"contains":    {two: ofStrings(strings.Contains)},
	"endswith":    {two: ofStrings(strings.HasSuffix)},
	"startswith":  {two: ofStrings(strings.HasPrefix)},
	"lower":       {one: ofString(strings.ToLower)},
	"upper":       {one: ofString(strings.ToUpper)},
	"trim":        {two: ofStrings(strings.Trim)},
	"trim_left":   {two: ofStrings(strings.TrimLeft)},
	"trim_prefix": {two: ofStrings(strings.TrimPrefix)},
	"trim_right":  {two: ofStrings(strings.TrimRight)},
	"trim_space":  {one: ofString(strings.TrimSpace)},
	"trim_suffix": {two: ofStrings(strings.TrimSuffix)},
	"indexof":     {two: indexOf},
	"replace":     {three: replace},
	"split":       {two: split},
	"sprintf":     {two: sprintf},
	"substring":   {three: substring},
	"to_number":   {one: toNumber},

	"json.marshal":           {one: marshal},
	"strings.replace_n":      {two: replaceN},
	"urlquery.decode_object": {one: queryDecoded},

	"units.parse":       {one: anyUnit},
	"units.parse_bytes": {one: bytesUnit},
	"bits.lsh":          {two: shifted(func(n, by int64) int64 { return n << by })},
	"bits.rsh":          {two: shifted(func(n, by int64) int64 { return n >> by })},

	"strings.any_prefix_match": {two: anyAffix(strings.HasPrefix)},
	"strings.any_suffix_match": {two: anyAffix(strings.HasSuffix)},

	"numbers.range": {two: numbersRange},

	"regex.match":                      {two: regexMatch},
	"regex.find_n":                     {three: regexFind},
	"regex.find_all_string_submatch_n": {three: regexSubmatches},
	"regex.split":                      {two: regexSplit},
	"regex.replace":                    {three: regexReplace},
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

func ofSets(f func(a, b *Set) Value) func(a, b Value) (Value, bool) {
	return func(a, b Value) (Value, bool) {
		x, xOK := a.(*Set)
		y, yOK := b.(*Set)
		if !xOK || !yOK {
			return nil, false
		}
		return f(x, y), true
	}
}

func intersection(a, b *Set) Value {
	if len(b.items) < len(a.items) {
		a, b = b, a // as OPA does: of 1 and 1.0, the one of the smaller set stays
	}
	both := &Set{}
	for _, item := range a.items {
		if b.has(item) {
			both.items = append(both.items, item)
		}
	}
	return both
}

func union(a, b *Set) Value {
	all := &Set{slices.Clone(a.items)}
	for _, item := range b.items {
		all.add(item)
	}
	return all
}

func unionN(sets Value) (Value, bool) {
	list, ok := sets.(*Set)
	if !ok {
		return nil, false
	}
	all := &Set{}
	for _, item := range list.items {
		s, ok := item.(*Set)
		if !ok {
			return nil, false
		}
		for _, item := range s.items {
			all.add(item)
		}
	}
	return all, true
}

func reversed(a Value) (Value, bool) {
	list, ok := a.(*Array)
	if !ok {
		return nil, false
	}
	items := slices.Clone(list.items)
	slices.Reverse(items)
	return &Array{items}, true
}

func concatenation(a, b Value) (Value, bool) {
	x, xOK := a.(*Array)
	y, yOK := b.(*Array)
	switch {
	case !xOK || !yOK:
		return nil, false
	case len(x.items) == 0:
		return y, true
	case len(y.items) == 0:
		return x, true
	}
	return &Array{slices.Concat(x.items, y.items)}, true
}

func slice(a, from, to Value) (Value, bool) {
	list, ok := a.(*Array)
	start, startOK := from.(int64)
	stop, stopOK := to.(int64)
	if !ok || !startOK || !stopOK {
		return nil, false
	}
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
func numbersRange(a, b Value) (Value, bool) {
	from, fromOK := a.(int64)
	to, toOK := b.(int64)
	const long = 10000
	if !fromOK || !toOK || from < -long || from > long || to < -long || to > long {
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
