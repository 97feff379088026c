package edit_test

import (
	"strings"
	"testing"
)

// What is nearest counts, and of strings with and without quotes those there are more of.
func TestQuotesAsAround(t *testing.T) {
	const add = `{"op":"add","path":"/a/m","value":"x"}`
	const needs = `{"op":"add","path":"/a/m","value":"2"}`
	check(t, []change{
		{"as many with as without", "a:\n  p: w\n  q: \"w\"\n", add, "a:\n  p: w\n  q: \"w\"\n  m: x\n"},
		{"more with", "a:\n  p: w\n  q: \"w\"\n  r: \"w\"\n", add, "a:\n  p: w\n  q: \"w\"\n  r: \"w\"\n  m: \"x\"\n"},
		{"the map counts before the one above", "b: \"w\"\nc: \"w\"\na:\n  p: w\n", add, "b: \"w\"\nc: \"w\"\na:\n  p: w\n  m: x\n"},
		{"the one above where the map has none", "b: \"w\"\na:\n  p: 1\n", add, "b: \"w\"\na:\n  p: 1\n  m: \"x\"\n"},
		{"needed quotes are no habit", "a:\n  p: \"1\"\n  q: \"2\"\n", add, "a:\n  p: \"1\"\n  q: \"2\"\n  m: x\n"},
		{"null is no string", "a:\n  p:\n  q: \"w\"\n", add, "a:\n  p:\n  q: \"w\"\n  m: \"x\"\n"},
		{"those below count", "a:\n  p:\n    q: \"w\"\n    r: \"w\"\n  s: w\n", add, "a:\n  p:\n    q: \"w\"\n    r: \"w\"\n  s: w\n  m: \"x\"\n"},
		{"as many of both kinds", "a:\n  p: '1'\n  q: \"1\"\n", needs, "a:\n  p: '1'\n  q: \"1\"\n  m: \"2\"\n"},
		{
			"the kind of the map before that above",
			"b: '1'\nc: '1'\na:\n  p: \"1\"\n",
			needs,
			"b: '1'\nc: '1'\na:\n  p: \"1\"\n  m: \"2\"\n",
		},
		{
			"as many of both kinds, more of one above",
			"b: '1'\nc: '1'\na:\n  p: \"1\"\n  q: '1'\n",
			needs,
			"b: '1'\nc: '1'\na:\n  p: \"1\"\n  q: '1'\n  m: \"2\"\n",
		},
		{"the kind above where the map has none", "b: '1'\na:\n  p: 1\n", needs, "b: '1'\na:\n  p: 1\n  m: '2'\n"},
		{
			"a value without quotes keeps none",
			"a:\n  m: y\n  q: \"w\"\n  r: \"w\"\n",
			`{"op":"replace","path":"/a/m","value":"x"}`,
			"a:\n  m: x\n  q: \"w\"\n  r: \"w\"\n",
		},
		{
			"the first 64 show it",
			"a:\n" + strings.Repeat("  - v\n", 32) + strings.Repeat("  - \"v\"\n", 33),
			`{"op":"add","path":"/a/-","value":"x"}`,
			"a:\n" + strings.Repeat("  - v\n", 32) + strings.Repeat("  - \"v\"\n", 33) + "  - x\n",
		},
		{"single quotes are written twice", "a:\n  q: 'it''s'\n  r: 'w'\n", `{"op":"add","path":"/a/m","value":"isn't"}`, "a:\n  q: 'it''s'\n  r: 'w'\n  m: 'isn''t'\n"},
	})
}

func TestQuotesByKey(t *testing.T) {
	const add = `{"op":"add","path":"/l/-","value":{"k":"x"}}`
	const needs = `{"op":"add","path":"/l/-","value":{"k":"2"}}`
	check(t, []change{
		{"a key of its own habit", "l:\n- k: w\n  v: \"w\"\n  u: \"w\"\n", add, "l:\n- k: w\n  v: \"w\"\n  u: \"w\"\n- k: x\n"},
		{"one of two in quotes", "l:\n- k: w\n- k: \"w\"\n", add, "l:\n- k: w\n- k: \"w\"\n- k: \"x\"\n"},
		{"the first that needs none counts", "l:\n- k: 'w'\n- k: \"w\"\n- k: \"w\"\n", add, "l:\n- k: 'w'\n- k: \"w\"\n- k: \"w\"\n- k: 'x'\n"},
		{"the first that needs them counts", "l:\n- k: '1'\n- k: \"1\"\n- k: \"1\"\n", needs, "l:\n- k: '1'\n- k: \"1\"\n- k: \"1\"\n- k: '2'\n"},
		{"no quotes known", "l:\n- k: w\n  v: '1'\n", needs, "l:\n- k: w\n  v: '1'\n- k: \"2\"\n"},
		{"a block shows none", "l:\n- k: |\n    w\n- k: 'w'\n", add, "l:\n- k: |\n    w\n- k: 'w'\n- k: 'x'\n"},
		{"null shows none", "l:\n- k:\n- k: 'w'\n", add, "l:\n- k:\n- k: 'w'\n- k: 'x'\n"},
		{"lists in the list", "l:\n- - 'w'\n- k: w\n", add, "l:\n- - 'w'\n- k: w\n- k: x\n"},
		{
			"the first 64 items show it",
			"l:\n" + strings.Repeat("- k: w\n", 64) + "- k: \"w\"\n",
			add,
			"l:\n" + strings.Repeat("- k: w\n", 64) + "- k: \"w\"\n- k: x\n",
		},
	})
}

func TestIndentedAsAround(t *testing.T) {
	const object = `{"op":"add","path":"/a/m","value":{"x":1}}`
	const list = `{"op":"add","path":"/a/m","value":[1]}`
	check(t, []change{
		{"a map by two", "a:\n - 1\nb: 2\n", `{"op":"add","path":"/m","value":{"x":1}}`, "a:\n - 1\nb: 2\nm:\n  x: 1\n"},
		{"a list by none", "b: 2\n", `{"op":"add","path":"/m","value":[1]}`, "b: 2\nm:\n- 1\n"},
		{"a map as the map itself", "b:\n x: 1\na:\n   p:\n       q: 1\n", object, "b:\n x: 1\na:\n   p:\n       q: 1\n   m:\n       x: 1\n"},
		{"a map as those above", "a:\n   p: 1\n", object, "a:\n   p: 1\n   m:\n      x: 1\n"},
		{"a list as the map itself", "b:\n - 1\na:\n  p:\n   - 1\nc:\n    - 1\n", list, "b:\n - 1\na:\n  p:\n   - 1\n  m:\n   - 1\nc:\n    - 1\n"},
		{"a list as those above", "b:\n    - 1\na:\n  p: 1\n", list, "b:\n    - 1\na:\n  p: 1\n  m:\n      - 1\n"},
		{
			"a map as the first one elsewhere",
			"b:\n- c:\n     d: 1\n- e:\n   f: 1\n",
			`{"op":"add","path":"/m","value":{"x":1}}`,
			"b:\n- c:\n     d: 1\n- e:\n   f: 1\nm:\n   x: 1\n",
		},
		{
			"a list as the first one elsewhere",
			"b:\n  c:\n    d:\n      - 1\ne:\n  f:\n     - 1\n",
			`{"op":"add","path":"/m","value":[1]}`,
			"b:\n  c:\n    d:\n      - 1\ne:\n  f:\n     - 1\nm:\n  - 1\n",
		},
		{
			"braces have no columns",
			"b: {c: {d: 1}, e: [1]}\nf:\n   - 1\n",
			`{"op":"add","path":"/m","value":{"x":{"z":[1]}}}`,
			"b: {c: {d: 1}, e: [1]}\nf:\n   - 1\nm:\n  x:\n    z:\n       - 1\n",
		},
		{
			"a list in a list is no key's",
			"l:\n- -   - 1\n",
			`{"op":"add","path":"/l/0/-","value":{"k":[2]}}`,
			"l:\n- -   - 1\n  -   k:\n      -   2\n",
		},
		{"blanks behind the nearest dash", "l:\n-   a:\n    - 1\n", `{"op":"add","path":"/l/0/a/-","value":2}`, "l:\n-   a:\n    - 1\n    - 2\n"},
		{"an item below its dash", "l:\n-\n  a: 1\n", `{"op":"add","path":"/l/-","value":{"a":2}}`, "l:\n-\n  a: 1\n- a: 2\n"},
		{"an item without text", "l:\n-\n-   b\n", `{"op":"add","path":"/l/-","value":"c"}`, "l:\n-\n-   b\n-   c\n"},
		{"an item behind a comment", "l:\n-   # one\n  a: 1\n", `{"op":"add","path":"/l/-","value":{"a":2}}`, "l:\n-   # one\n  a: 1\n- a: 2\n"},
		{"no dash known", "l: []\n", `{"op":"add","path":"/l/-","value":[1,[2,[]]]}`, "l:\n- - 1\n  - - 2\n    - []\n"},
		{"brackets have no dashes", "l:\n-   a: [1]\n", `{"op":"add","path":"/l/0/b","value":[[1]]}`, "l:\n-   a: [1]\n    b:\n    -   -   1\n"},
		{"the name comes first", "a:\n  p: 1\n", `{"op":"add","path":"/a/m","value":{"a":1,"name":"x","z":2}}`, "a:\n  p: 1\n  m:\n    name: x\n    a: 1\n    z: 2\n"},
	})
}

func TestBracesAsAround(t *testing.T) {
	check(t, []change{
		{"blanks inside", "l: [ { a: 1 } ]\n", `{"op":"add","path":"/l/-","value":{"b":[2,3]}}`, "l: [ { a: 1 }, { b: [2, 3] } ]\n"},
		{"none inside", "l: [{ a: 1 }]\n", `{"op":"add","path":"/l/-","value":{"b":2}}`, "l: [{ a: 1 }, {b: 2}]\n"},
		{"nothing in it", "l: [{a: { }}]\n", `{"op":"add","path":"/l/0/a/b","value":{"c":1}}`, "l: [{a: {b: {c: 1}}}]\n"},
		{"one entry becomes another", "a: {x: 1}\n", `{"op":"replace","path":"/a","value":{"z":2}}`, "a: {z: 2}\n"},
		{"a list over lines becomes a string", "a: {b: [1,\n  2]}\n", `{"op":"replace","path":"/a/b","value":"x"}`, "a: {b: x}\n"},
		{"in front, over lines", "l: [\n  a,\n  b\n]\n", `{"op":"add","path":"/l/0","value":{"c":1}}`, "l: [\n  {\n    c: 1\n  },\n  a,\n  b\n]\n"},
		{"a comma behind the last, over lines", "l: [\n  a,\n  b, # c\n]\n", `{"op":"add","path":"/l/-","value":"d"}`, "l: [\n  a,\n  b, # c\n  d,\n]\n"},
		{"a comma on the next line", "l: [\n  a\n  ,\n]\n", `{"op":"add","path":"/l/-","value":"d"}`, "l: [\n  a\n  ,\n  d,\n]\n"},
		{"a comment with a comma", "l: [\n  a # b, c\n]\n", `{"op":"add","path":"/l/-","value":"d"}`, "l: [\n  a, # b, c\n  d\n]\n"},
		{"marks that need quotes in braces", "a: {b: c}\n", `{"op":"add","path":"/a/d","value":"e, f"}`, "a: {b: c, d: \"e, f\"}\n"},
		{"and need none elsewhere", "a:\n  b: c\n", `{"op":"add","path":"/a/d","value":"e, f"}`, "a:\n  b: c\n  d: e, f\n"},
		{"a list over a map in lines", "a:\n  b: {}\n", `{"op":"replace","path":"/a/b","value":[]}`, "a:\n  b: []\n"},
		{"the only key, anchored", "l:\n- &x {}\n", `{"op":"replace","path":"/l/0","value":[1]}`, "l:\n- &x\n - 1\n"},
	})
}

func TestJSONAsAround(t *testing.T) {
	const add = `{"op":"add","path":"/a/m","value":{"x":1,"y":[2,3]}}`
	check(t, []change{
		{"no blanks", `{"a":{"p":"1","q":2}}`, add, `{"a":{"p":"1","q":2,"m":{"x":1,"y":[2,3]}}}`},
		{"no blanks, one entry", `{"a":{"p":"1"}}`, add, `{"a":{"p":"1","m":{"x":1,"y":[2,3]}}}`},
		{"blanks, one entry", `{"a": {"p": "1"}}`, add, `{"a": {"p": "1", "m": {"x": 1, "y": [2, 3]}}}`},
		{"blanks behind colons", `{"a": {"p": "1","q": 2}}`, add, `{"a": {"p": "1","q": 2,"m": {"x": 1,"y": [2,3]}}}`},
		{"blanks behind commas", `{"a":{"p":"1", "q":2}}`, add, `{"a":{"p":"1", "q":2, "m":{"x":1, "y":[2, 3]}}}`},
		{"blanks inside", `{ "a": { "p": "1", "q": 2 } }`, add, `{ "a": { "p": "1", "q": 2, "m": { "x": 1, "y": [2, 3] } } }`},
		{
			"lines",
			"{\n    \"a\": {\n        \"p\": \"1\"\n    }\n}\n",
			add,
			"{\n    \"a\": {\n        \"p\": \"1\",\n        \"m\": {\n            \"x\": 1,\n            \"y\": [\n                2,\n                3\n            ]\n        }\n    }\n}\n",
		},
		{
			"tabs",
			"{\n\t\"a\": {\n\t\t\"p\": \"1\"\n\t}\n}\n",
			`{"op":"add","path":"/a/m","value":{"x":1}}`,
			"{\n\t\"a\": {\n\t\t\"p\": \"1\",\n\t\t\"m\": {\n\t\t\t\"x\": 1\n\t\t}\n\t}\n}\n",
		},
		{
			"lines without indentation",
			"{\n\"a\": {\n\"p\": \"1\"\n}\n}\n",
			`{"op":"add","path":"/a/m","value":{"x":1}}`,
			"{\n\"a\": {\n\"p\": \"1\",\n\"m\": {\n  \"x\": 1\n}\n}\n}\n",
		},
		{
			"lines, in place of another",
			"{\n  \"a\": {\n    \"m\": 1\n  }\n}\n",
			`{"op":"replace","path":"/a/m","value":{"x":1}}`,
			"{\n  \"a\": {\n    \"m\": {\n      \"x\": 1\n    }\n  }\n}\n",
		},
		{"empty braces, lines around", "{\n  \"a\": {}\n}\n", `{"op":"add","path":"/a/m","value":1}`, "{\n  \"a\": {\n    \"m\": 1\n  }\n}\n"},
		{"empty braces, one line", `{"a":{},"b":[1]}`, `{"op":"add","path":"/a/m","value":"1"}`, `{"a":{"m":"1"},"b":[1]}`},
		{"nothing at all", `{}`, `{"op":"add","path":"/m","value":1}`, `{"m": 1}`},
		{"numbers and words", `{"a":[1.50,true,null,-2e3]}`, `{"op":"remove","path":"/a/2"}`, `{"a":[1.50,true,-2e3]}`},
		{"the second of a stream", `{"a":1}{"b":2}`, `{"op":"replace","path":"/a","value":3}`, `{"a":3}{"b":2}`},
		{"blanks in front of colons", "{\"a\" : {\"p\"\n: 1}}", `{"op":"replace","path":"/a/p","value":2}`, "{\"a\" : {\"p\"\n: 2}}"},
		{"brackets and commas in strings", `{"a":"],}\"","b":1}`, `{"op":"replace","path":"/b","value":2}`, `{"a":"],}\"","b":2}`},
		{"a number stays as it is written", `{"a":1}`, `{"op":"replace","path":"/a","value":12345678901234567890}`, `{"a":12345678901234567890}`},
		{"no escapes of HTML", `{"a":1}`, `{"op":"replace","path":"/a","value":"<&>"}`, `{"a":"<&>"}`},
	})
}

// What a reader would not show, or take for something else, is written as an escape.
func TestEscapes(t *testing.T) {
	for value, want := range map[string]string{
		`\u007e`: `"~"`, `\u007f`: `"\u007f"`, `\u0080`: `"\u0080"`, `\u00a0`: `"\u00a0"`, `\u00a1`: `¡`,
		`\ufeff`: `"\ufeff"`, `\ufffd`: `"` + "\ufffd" + `"`, `\uffff`: `"\uffff"`, `\ufffe`: `"\ufffe"`, `\u2028`: `"\u2028"`,
		`\n`: `"\n"`, `\t`: `"\t"`, `x\u0001`: `"x\u0001"`, `<&>`: `<&>`, `\"`: `"\""`, `\u00a1:`: `"¡:"`, `& <`: `"& <"`,
	} {
		check(t, []change{{value, "a: 1\n", `{"op":"replace","path":"/a","value":"` + value + `"}`, "a: " + want + "\n"}})
	}
}

// Words that some reader takes for no string are in quotes.
func TestWordsInQuotes(t *testing.T) {
	for _, word := range []string{"yes", "n", "0o7", "017", "1_000", "12:30", ".5", "~", "null", "2026-11-21", "", " x", "x ", "- x", "x: y", "x #y", "<<"} {
		check(t, []change{{word, "a: w\n", `{"op":"replace","path":"/a","value":"` + word + `"}`, "a: \"" + word + "\"\n"}})
	}
	for _, word := range []string{"yes1", "x:y", "x#y", "-x", "500m", "a b", "x[", "é"} {
		check(t, []change{{word, "a: w\n", `{"op":"replace","path":"/a","value":"` + word + `"}`, "a: " + word + "\n"}})
	}
}
