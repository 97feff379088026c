package source

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// oracle is what kubectl and conftest make of one document.
func oracle(text []byte) (any, error) {
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(asJSON))
	decoder.UseNumber()
	var value any
	err = decoder.Decode(&value)
	return value, err
}

// checkEqual compares one document with the oracle. Ours may refuse more
// (duplicate keys, nesting), and only for the reasons given here.
func checkEqual(t *testing.T, s segment) {
	t.Helper()
	want, wantErr := oracle(s.text)
	s.text = newlines(s.text) // the oracle has the carriage returns
	got, _, _, gotErr := parseValue(s)
	if gotErr != nil {
		if wantErr == nil && !allowedRefusal(s.text, gotErr.Error()) {
			t.Errorf("refused %q: %v\nwanted %v", s.text, gotErr, want)
		}
		return
	}
	if wantErr != nil {
		t.Errorf("accepted %q as %v\nwanted the error %v", s.text, got, wantErr)
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q\n got %#v\nwant %#v", s.text, got, want)
	}
}

func allowedRefusal(text []byte, cause string) bool {
	// kubectl ignores what follows the document, and we do not.
	decoder := yamlv2.NewDecoder(bytes.NewReader(text))
	if decoder.Decode(new(any)) == nil && decoder.Decode(new(any)) != io.EOF {
		return true
	}
	// Of a key that is given twice, kubectl does not see the first value.
	if err := yamlv2.UnmarshalStrict(text, new(any)); err != nil &&
		(!bytes.Contains(text, []byte("<<:")) || strings.Contains(cause, "infinite")) {
		return true
	}
	switch {
	case strings.Contains(cause, "given twice"):
		// Keys that differ as YAML and not as JSON ("1" and 1) overwrite each
		// other in no order at all.
		return bytes.Contains(text, []byte("<<")) || bytes.ContainsAny(text, "0123456789.") ||
			strings.Contains(cause, `"true"`) ||
			strings.Contains(cause, `"false"`)
	case strings.Contains(cause, "levels deep"), strings.Contains(cause, "contains itself"):
		return true
	}
	return false
}

// manifestFiles are the project's own manifests, by path.
func manifestFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, root := range repo.Manifests() {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !isManifest(path) {
				return err
			}
			data, err := os.ReadFile(path)
			files[path] = data
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 100 {
		t.Fatalf("found %d manifests", len(files))
	}
	return files
}

func TestManifestsEqualKubectl(t *testing.T) {
	documents := 0
	for _, data := range manifestFiles(t) {
		segments(data, 0, func(s segment) bool {
			documents++
			checkEqual(t, s)
			return true
		})
	}
	if documents < 100 {
		t.Errorf("%d documents compared", documents)
	}
}

// scalars are the values on which YAML 1.1, 1.2 and the libraries differ.
var scalars = []string{
	"", "~", "null", "Null", "NULL", "nUll", "true", "True", "TRUE", "tRue", "yes", "Yes", "no", "NO", "on", "Off",
	"y", "Y", "n", "N", "0", "-0", "+0", "0777", "0o17", "08", "0x1F", "-0x1F", "0b101", "-0b101", "0b1_0", "1_000",
	"1__0", "_1", "1_", "+12", "- 1", "12e3", "1e3", "1E-3", "1.", ".5", "-.5", "+.5", "1.5e+2", "1e400", "-1e400",
	"1e-400", "1e21", "1e20", "123456789012345678901234567890", "9223372036854775807", "9223372036854775808",
	"18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "0.1", "1.0",
	".", "..", "...a", "-", "+", "--", "-a", ".inf", "-.inf", "+.Inf", ".nan", ".NaN", ".NAN", "inf", "nan", "Infinity",
	"0x", "0b", "0xg", "0b2", "1:30", "190:20:30", "2001-01-01", "2001-1-1", "2001-12-14t21:59:43.10-05:00",
	"2001-12-14 21:59:43.10", "2001-13-01", "20010-01-01", "<<", "=", "500m", "1Gi", "1e3Ki", "'yes'", `"yes"`,
	`"\x41\u00e9\U0001F600\n\t\e"`, `'it''s'`, "a b", "a: b", "[a, b]", "[1, yes, ~]", "{a: 1}", "{a, b: 2}",
	"|\n  x\n  y\n",
	">\n  x\n  y\n\n  z", "|-\n  x\n", "|+\n  x\n\n", ">2\n   x", "!!str 1", "!!int 1", `!!int "1"`, "!!int a",
	"!!float 1",
	"!!float 1.5", "!!bool yes", "!!bool 1", "!!null ~", "!!null ''", "!!null x", "!!binary aGVsbG8=", "!!binary /w==",
	"!!binary x", "!!timestamp 2001-01-01", "!!timestamp x", "!!set {a}", "!!map {a: 1}", "!!seq [1]", "!custom 12",
	"!custom {a: 1}", "! 12", "! yes", "! 'x'", "!<tag:yaml.org,2002:int> 12", "!<tag:yaml.org,2002:str> 12", "!!foo 1",
	"!!float 18446744073709551615", "!!int 0777", "!!merge <<", "@a", "`a", "%a", "a#b", "a #b", "#a", "a\\nb",
	"? a", "!", "&a 1", "*a",
	"\u00e9", "\u2028", "a\u0085b", "\"a\u2028b\"", "1\u00a0", "0.0", "-0.0", "1e0", "00", "007", "0_7", "-08", "1e+09",
}

func TestScalarsEqualKubectl(t *testing.T) {
	for _, scalar := range scalars {
		for _, template := range []string{
			"a: %\n", "- %\n", "%\n", "{a: %}\n", "[%, 1]\n", "%: v\n", "{%: v}\n",
			"? %\n: v\n", "a: &x %\nb: *x\n",
		} {
			checkEqual(t, segment{text: []byte(strings.Replace(template, "%", scalar, 1)), line: 1})
		}
	}
}

// shapes are structures on which libraries differ.
var shapes = []string{
	"a: 1\n<<: {a: 2}\n", "<<: {a: 2}\na: 1\n", "x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}\nz: {b: 3, <<: *x}\n",
	"x: &x {a: 1}\ny: &y {a: 2, c: 3}\nz:\n  <<: [*x, *y]\n", "z:\n  <<: [{a: 1}, {a: 2, b: 1}]\n", "<<: 1\n",
	"<<: ~\n",
	"<<: [[a]]\n", "<<: [1]\n", "x: &x 1\n<<: *x\n", "x: &x [1]\n<<: *x\n", "\"<<\": {a: 1}\n", "'<<': 1\n",
	"!!str <<: 1\n",
	"<<: {a: 1}\n<<: {b: 2}\n", "<<: {<<: {a: 1}}\n", "x: &x {<<: {a: 1}, b: 1}\ny:\n  <<: *x\n  a: 2\n",
	"a: &a [1, *b]\n", "a: &a [*a]\n", "a: &a {b: *a}\n", "a: &a 1\nb: &a 2\nc: *a\n", "&a a: *a\n", "*a : 1\n",
	"? [1]\n: 2\n", "? {a: 1}\n: 2\n",
	"{a: 1}: 2\n", "[a]: 2\n", "~: 1\n", "a:\n- 1\n- 2\nb:\n  - 3\n", "- - 1\n  - 2\n- - 3\n",
	"a:\n  - b: 1\n    c: 2\n  -\n    d: 3\n",
	"a: b: c\n", "a:\n\tb: 1\n", "a: 1\n b: 2\n", "a\nb: 1\n", "a: [1, 2\n", "a: {b: 1\n", "a: 'x\n", "a: \"x\n",
	"a: \"\\q\"\n",
	"a: |\n x\ny\n", "a: |\n   x\n  y\n", "a: >\n\n\n", "a: |2\n x\n", "a: |0\n x\n", "- a\nb: 1\n", "a: - b\n",
	"a:- b\n", "-a: b\n", "a : 1\n",
	"a: \"x\\\n  y \\\n\n  z\"\n", "a: \"x \n  y\n\n\n  z\\n\"\n", "a: 'x \n  y''\n\n  z'\n", "a: \"x\\\"",
	"a: x y\n  z # c\n", "a: x\n  - y\n\n\n  z\nb: 1\n", "a: x # c\n  y\n", "a: x\n  # c\n  y\n",
	"- x\n  y: z\n", "- x\n y\n",
	"a: >\n  x\n  y\n\n   z\n  w\n\n\n  v\n", "a: >-\n\n  x\n\n", "a: >+\n  x\n\n\nb: 1\n",
	"a: |\n  x\n  \n   \n  y\n   \n",
	"a: |\n   \n  x\n", "a: |\n  \tx\n", "a: |\n\tx\n", "a: |\n  x\n y\n", "a: |\n  x\n# c\nb: 1\n",
	"- |\n x\n- |\n x\n",
	"x: &x {a: 1}\ny: {<<: [*x, 1]}\n", "x: &x [1]\n*x : 1\n", "x: &x ~\n*x : 1\n", "x: &x 1.5\n*x : 1\n",
	"a: 1 # c\n# d\nb: 2\n", "# only\n", "", "\n\n", "a: \"multi\n  line\"\n", "a: multi\n  line\n",
	"a: 'multi\n\n  line'\n", "%YAML 1.1\n---\na: 1\n",
	"%YAML 1.2\n---\na: 1\n", "%YAML 2.0\n---\na: 1\n", "%TAG !e! tag:e,2000:\n---\na: !e!x 1\n",
	"%FOO\n---\na: 1\n", "--- a\n", "--- |\n  x\n", "--- {a: 1}\n", "---\n", "--- # c\na: 1\n",
	"a: 1\r\nb:\r\n- 2\r\n", "a: 1\n", "{\"a\": 1, \"b\": [true, null, 1.5e3, \"\\u00e9\\/\"]}\n", "{\"a\":1}\n",
	"{\"a\":\t1}\n", "[]", "{}", "a: {}\nb: []\n",
	"a: ''\nb: \"\"\n", "1: a\n2.5: b\ntrue: c\n0x10: d\n", ".inf: a\n", "-.inf: a\n.nan: b\n",
	"18446744073709551615: a\n", "1e3: a\n", "a: 1\n...\n",
	"a: [\n  1,\n  2,\n]\n", "a: {\n  b: 1,\n}\n", "a: [a b, c: d, {e: f}]\n", "a: [? b : c]\n", "a: *unknown\n",
	"a: !unknown! 1\n", "a: !e!x 1\n", "a: @b\n", "a: `b\n",
	"a: &anchor\nb: *anchor\n", "a: &x\n  b: 1\nc: *x\n", "? a\n? b\n", "? |\n  long\n: 1\n",
	"a:\n  b:\n   c: 1\n  d: 2\n", "a:\n  b: 1\n c: 2\n",
	"a: x\n# c1\n\n# c2\n  # c3\nb:\n  # c4\n  - x # c5\n  # c6\n", "a: # c\n  b\n", "a: |  # c\n  b\n",
	"a: | c\n  b\n", "a: \"b\" c\n", "a: 'b'c\n",
}

func TestShapesEqualKubectl(t *testing.T) {
	for _, shape := range shapes {
		checkEqual(t, segment{text: []byte(shape), line: 1})
	}
}
