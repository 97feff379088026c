package plan

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/types"
)

// TestNatives holds each built-in of ours to OPA's, with operands made at random.
func TestNatives(t *testing.T) {
	const rounds = 3000
	for _, name := range slices.Sorted(maps.Keys(natives)) {
		known := 0
		for round := range uint64(rounds) {
			m := maker{rand.New(rand.NewPCG(20261123, round))}
			operands := m.operands(name)
			if compareWithOPA(t, name, operands) {
				known++
			}
		}
		if known < rounds/20 {
			t.Errorf("%s is native for %d of %d operands", name, known, rounds)
		}
	}
}

// FuzzNatives looks for operands for which a built-in of ours is not OPA's.
func FuzzNatives(f *testing.F) {
	names := slices.Sorted(maps.Keys(natives))
	for i := range names {
		f.Add(uint64(i), uint64(1))
	}
	f.Fuzz(func(t *testing.T, which, seed uint64) {
		name := names[which%uint64(len(names))]
		compareWithOPA(t, name, maker{rand.New(rand.NewPCG(which, seed))}.operands(name))
	})
}

// compareWithOPA says whether the built-in is native for these operands.
func compareWithOPA(t *testing.T, name string, operands []Value) bool {
	t.Helper()
	var got Value
	var ok bool
	switch n := natives[name]; {
	case n.one != nil:
		got, ok = n.one(operands[0])
	case n.two != nil:
		got, ok = n.two(operands[0], operands[1])
	default:
		got, ok = n.three(operands[0], operands[1], operands[2])
	}
	if !ok {
		return false
	}
	var want ast.Value
	cancel := topdown.NewCancel()
	if err := topdown.GetBuiltin(name)(topdown.BuiltinContext{Context: t.Context(), Cancel: cancel}, terms(operands), func(r *ast.Term) error {
		want = r.Value
		return nil
	}); err != nil {
		t.Errorf("%s%v: %v, where OPA fails: %v", name, terms(operands), text(got), err)
		return true
	}
	if text(got) != text(fromAST(want)) || want != nil && text(got) != want.String() {
		t.Errorf("%s%v: %s, not %v", name, terms(operands), text(got), want)
	}
	return true
}

// fromAST is FromAST of what may be nothing.
func fromAST(v ast.Value) Value {
	if v == nil {
		return nil
	}
	return FromAST(v)
}

func text(v Value) string {
	if v == nil {
		return "undefined"
	}
	return ToAST(v).String()
}

// maker makes values at random.
type maker struct{ *rand.Rand }

// operands are mostly of the kinds that the built-in takes.
func (m maker) operands(name string) []Value {
	arguments := ast.BuiltinMap[name].Decl.FuncArgs().Args
	operands := make([]Value, len(arguments))
	for i, argument := range arguments {
		operands[i] = m.of(argument)
	}
	return operands
}

func (m maker) of(wanted types.Type) Value {
	const deep = 2
	if m.IntN(20) == 0 {
		return m.any(deep)
	}
	switch t := wanted.(type) {
	case *types.NamedType:
		return m.of(t.Type)
	case types.Number:
		return m.number()
	case types.String:
		return m.string()
	case types.Boolean:
		return m.IntN(2) == 0
	case *types.Array:
		a := &Array{}
		for range m.IntN(5) {
			a.items = append(a.items, m.of(t.Dynamic()))
		}
		return a
	case *types.Set:
		s := &Set{}
		for range m.IntN(5) {
			s.add(m.of(t.Of()))
		}
		return s
	case *types.Object:
		o := &Object{}
		for range m.IntN(5) {
			o.insert(m.string(), m.any(deep))
		}
		return o
	case types.Any:
		if len(t) > 0 {
			return m.of(t[m.IntN(len(t))])
		}
	}
	return m.any(deep)
}

func (m maker) any(deep int) Value {
	kinds := 4
	if deep > 0 {
		kinds = 7
	}
	switch m.IntN(kinds) {
	case 0:
		return Null{}
	case 1:
		return m.IntN(2) == 0
	case 2:
		return m.number()
	case 3:
		return m.string()
	case 4:
		a := &Array{}
		for range m.IntN(4) {
			a.items = append(a.items, m.any(deep-1))
		}
		return a
	case 5:
		s := &Set{}
		for range m.IntN(4) {
			s.add(m.any(deep - 1))
		}
		return s
	default:
		o := &Object{}
		for range m.IntN(4) {
			o.insert(m.any(deep-1), m.any(deep-1))
		}
		return o
	}
}

func (m maker) number() Value {
	numbers := []string{
		"0", "1", "-1", "2", "3", "7", "10", "1000", "2147483647", "-2147483648", "2147483648", "9223372036854775807",
		"-9223372036854775808", "9223372036854775808", "123456789012345678901234567890", "0.1", "0.5", "1.0", "1.50", "-0.25",
		"2.0", "1e3", "1.5e-7", "1e100", "-1e-100", "4294967296", "31", "32", "1E2", "0.0", "-0.0", "1e18", "18446744073709551616", "-9223372036854775809", "0.3333333333333333333", "33554432", "1073741824", "-0", "100000000000000000000.5",
	}
	switch n := m.IntN(len(numbers) + 8); {
	case n < len(numbers):
		return ParseNumber(numbers[n])
	case n < len(numbers)+4:
		return int64(m.IntN(40) - 10)
	default:
		quotient, _ := divide(int64(m.IntN(2000)-1000), int64(1+m.IntN(100)))
		return quotient
	}
}

func (m maker) string() Value {
	strings := []string{
		"", "a", "b", "abc", "a,b,c", ",", "été", "ß", "-Xmx512m", "-Xmx", "12", "-7", "1e3", "0x10", " a ", "%d", "%v %s", "%.1f and %d",
		"%5.2f%%", "a.*c", "^(a|b)+$", "([a-z])([0-9]*)", "[", "$1", "x\x00y", "aXbXc", "X", "\xff", "a\xffb", "NaN", "-Inf", "1e400",
		"0x1F", "1_000", "٣", "日本語", "e\u0301", "\U0001f600", "\u2028<&>", "9223372036854775808", "+1", "01", "1.", ".5", "-0", "1.0",
		"512Mi", "1Gi", "7Ki", "100m", "1.5Gi", "3K", "2g", "999999999Gi", "1234567890", "5E", "\"7\"", "%", "%!", "%[2]d %[1]v", "%*d", "%T",
		"(?i)a", "a{1000}", "(?P<x>a)", "\\", "$", "a=1&b=2&a=3", "a%2Bb=%41&c", "&;=", "%zz=1", "ǅ", "İ", "\t\n a \u00a0",
	}
	if m.IntN(10) == 0 { // joined, so that one is in the other
		return m.string().(string) + m.string().(string)
	}
	if m.IntN(10) == 0 {
		return strconv.Itoa(m.IntN(1000))
	}
	return strings[m.IntN(len(strings))]
}

// Values are in OPA's order, and equal when they are to OPA.
func TestCompare(t *testing.T) {
	const rounds = 50000
	for round := range uint64(rounds) {
		m := maker{rand.New(rand.NewPCG(20261125, round))}
		a, b := m.any(3), m.any(3)
		if m.IntN(2) == 0 {
			a, b = m.number(), m.number()
		}
		x, y := ToAST(a), ToAST(b)
		if got, want := cmp.Compare(Compare(a, b), 0), cmp.Compare(ast.Compare(x, y), 0); got != want {
			t.Errorf("%v and %v: %d, not %d", x, y, got, want)
		}
		if got, want := Equal(a, b), ast.ValueEqual(x, y); got != want {
			t.Errorf("%v = %v: %v, not %v", x, y, got, want)
		}
		if again := FromAST(x); !Equal(a, again) || text(again) != x.String() {
			t.Errorf("%v comes back as %v", x, text(again))
		}
	}
}

// A pattern that is skipped has no match: its needles are in every one.
func TestNeedles(t *testing.T) {
	patterns := []string{
		`(?i)[a-z0-9._-]*kafka[._-]streams`, `(?i)rocksdb|tcm`, `[a-z]*(?:jemalloc|tcmalloc)`, `-Xlog(?::|\s|$)|-Xloggc:|-verbose:gc`,
		`\$\$|\$\([^)]*\)`, `a*`, `(?:ab)?c+`, `x{0,2}y{2,3}`, `^a|b`, `(?i)k`, `(?i)straße`, `[ab]c|d`, `(?:a|)b`, `(foo|bar)(baz)`, `(?s).`, ``,
		`(?-i:A)b(?i:c)`, `\x{212a}`, `(?i)ss`, `^kafka`, `^(?:a|\$\$)[^y]*$`, `\bfoo`, `(?m)^je$`,
	}
	pieces := []string{
		"kafka", "-streams", "KAFKA", ".", "RocksDB", "tcm", "alloc", "je", "-Xlog", ":", "-verbose:gc", "$$", "$(A)", "a", "b", "c", "yy", "x",
		"\u212a", "\u017f", "K", "k", "STRASSE", "straße", "STRAẞE", "foo", "bar", "baz", "A", "\xff", " ", "s", "S", "d",
	}
	skipped := 0
	const rounds = 40000
	for round := range uint64(rounds) {
		random := rand.New(rand.NewPCG(20261126, round))
		text := ""
		for range random.IntN(6) {
			text += pieces[random.IntN(len(pieces))]
		}
		pattern := patterns[random.IntN(len(patterns))]
		e := compiled(pattern)
		if e.cannot(text) {
			skipped++
			if e.regexp().MatchString(text) {
				t.Errorf("%s matches %q", pattern, text)
			}
		}
	}
	if skipped < rounds/10 {
		t.Errorf("%d of %d are skipped", skipped, rounds)
	}
}
