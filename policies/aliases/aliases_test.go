package aliases

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestCheck(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 60; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9))
	}
	long := strings.Repeat("x", 1<<20)
	for name, tc := range map[string]struct {
		text string
		want error
	}{
		"none":                     {"a: [b, {c: d}]\n", nil},
		"as people use them":       {"a: &a {cpu: 1, memory: 1Gi}\nb: *a\nc: {<<: *a, cpu: 2}\n", nil},
		"aliases of aliases":       {bomb, ErrTooMuch},
		"a long text twice":        {"a: &a " + long + "\nb: [*a]\n", nil},
		"a long text":              {"a: &a " + long + "\nb: [*a, *a, *a]\n", ErrTooMuch},
		"a long key":               {"a: &a " + long + "\nb: {*a : 1, c: *a}\n", ErrTooMuch},
		"merged":                   {"a: &a {x: " + long + "}\nb: {<<: *a}\nc: {<<: [*a]}\n", ErrTooMuch},
		"without an alias of it":   {"a: &a " + long + "\nb: &b " + long + "\n", nil},
		"it is in what it is of":   {"a: &a [b, *a]\n", ErrLoop},
		"in two anchors, one loop": {"a: &a [&b {c: *a}]\nd: *b\n", ErrLoop},
	} {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(tc.text), &document); err != nil {
			t.Fatal(name, err)
		}
		if err := Check(&document); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
