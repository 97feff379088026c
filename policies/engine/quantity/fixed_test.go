package quantity

import (
	"encoding/json"
	"strings"
	"testing"
)

// fixed lists texts that broke other readers of quantities, with what each is worth; "" is refused.
var fixed = []struct{ text, value string }{
	{"1e3", "1000"},
	{"1E3", "1000"},
	{"1E", "1000000000000000000"},
	{"0.5", "0.5"},
	{".5", "0.5"},
	{"5.", "5"},
	{"+5", "5"},
	{"-1", "-1"},
	{"0", "0"},
	{"100m", "0.1"},
	{"128974848", "128974848"},
	{"123Mi", "128974848"},
	{"123mi", ""},
	{"1MB", ""},
	{"1Ki1", ""},
	{" 1", "1"},
	{"", ""},
	{"1e999", ""},
	{"1e99999999", ""},
	{"1e-99999999", ""},
	{"1e9999999", ""},
	{"1e-9999999", ""},
	{"2E6024865272343", ""},
	{"1e4294967297", ""},
	{"2000E", "2000000000000000000000"},
	{"9223372036854775807", "9223372036854775807"},
	{"9223372036854775808", "9223372036854775808"},
	{"8Ei", "9223372036854775807"},
	{"-8Ei", "-9223372036854775807"},
	{"NaN", ""},
	{"Inf", ""},
	{"١٢٣", ""},
	{"1٣", ""},
	{strings.Repeat("9", 1<<20), ""},
	{strings.Repeat(" ", 1<<20) + "1", "1"},
	{"1" + strings.Repeat("0", 31), "10000000000000000000000000000000"},
	{"1" + strings.Repeat("0", 32), ""},
	{"1e18", "1000000000000000000"},
	{"1e19", ""},
	{"1e-18", "0.000000001"},
	{"1e-19", ""},
	{"1e00000000000000000000000000018", "1000000000000000000"},
	{"0e19", ""},
	{"+", "0"},
	{"-", "0"},
	{".", "0"},
	{"Ki", "0"},
	{"Pi", ""},
	{".e-9", "0"},
	{".e-10", ""},
	{"0.e-10", "0"},
	{"1.0000000001", "1.000000001"},
	{"-0.0000000001", "-0.000000001"},
	{"0.0000000001Ki", "0.000000103"},
	{"\u00a01\u3000", "1"},
	{"1\n", ""},
	{"\t1", ""},
	{"1\u2028", ""},
	{"1 Gi", ""},
	{"1,5", ""},
	{"1_000", ""},
	{"0x10", ""},
	{"\x00", ""},
	{"1\xff", ""},
	{"\"1\"", ""},
	{"null", ""},
}

func TestFixedList(t *testing.T) {
	prepared := prepare(t, verdictQuery)
	values := make([]any, 0, len(fixed))
	for _, c := range fixed {
		values = append(values, c.text)
	}
	for i, got := range judge(t, prepared, values) {
		if string(got.Parse.Value) != fixed[i].value {
			t.Errorf("parse(%.60q) = %q (%s), want %q", fixed[i].text, got.Parse.Value, got.Parse.Reason, fixed[i].value)
		}
		compare(t, fixed[i].text, got)
	}
}

// A reader can be hung by each of these; the guard must be what stops them, not the form.
func TestGuardStopsWhatHangs(t *testing.T) {
	hanging := []any{
		"1e99999999", "1e9999999", "1e-9999999", "1e-99999999", "2E6024865272343", "1e4294967297", " 1e99999999 ",
		"+1E+99999999", "1e00099999999", "0e99999999", ".e99999999", strings.Repeat("7", 1<<20),
	}
	for i, got := range judge(t, prepare(t, verdictQuery), hanging) {
		if got.Guarded || got.Parse.OK || got.Milli != -1 || got.Bytes != -1 {
			t.Errorf("%.40q passes the guard: %+v", hanging[i], got)
		}
	}
}

// A manifest may hold any JSON where a quantity should stand.
func TestAnyJSON(t *testing.T) {
	numbers := []string{
		"2", "0", "-0", "0.5", "0.1", "1.0", "1e3", "1E3", "1e+3", "1e-3", "-1", "-0.5", "1.073741824e+09",
		"536870912", "9007199254740993", "9223372036854775808", "123456789.123456789", "1e18", "1e19", "1e-18", "1e-19",
		"1e400", "-1e400", "1e-400", "12345678901234567890123456789012", "123456789012345678901234567890123",
		"0.1234567890123456789012345678901234567890",
	}
	values := make([]any, 0, 8+len(numbers))
	values = append(values, nil, true, false, []any{}, []any{"1"}, []any{strings.Repeat("x", 1<<20)},
		map[string]any{}, map[string]any{"a": json.Number("1")})
	for _, number := range numbers {
		values = append(values, json.Number(number))
	}
	for i, got := range judge(t, prepare(t, verdictQuery), values) {
		compare(t, values[i], got)
	}
}
