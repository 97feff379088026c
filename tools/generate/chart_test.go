package main

import (
	"strings"
	"testing"
)

func TestValuesTable(t *testing.T) {
	const values = `# Of the file.

# How many.
replicas: 2
mode: warn   # warn | off
# Where it is: docs/install.md
image:
  # Without a tag.
  name: a/b
  tag: "" # the version's
# Kinds, by group.
kinds:
  apps: [deployments, statefulsets, daemonsets, replicasets]
`
	const want = "| value | default | what |\n|---|---|---|\n" +
		"| `replicas` | `2` | How many. |\n" +
		"| `mode` | `\"warn\"` | warn \\| off |\n" +
		"| `image` |  | Where it is: [docs/install.md](../../docs/install.md) |\n" +
		"| `image.name` | `\"a/b\"` | Without a tag. |\n" +
		"| `image.tag` | `\"\"` | the version's |\n" +
		"| `kinds` | [values.yaml](values.yaml) | Kinds, by group. |\n"
	if got, err := valuesTable(values); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	for text, want := range map[string]string{
		"a: 1\n":                             "line 1: a has no comment",
		"# A.\na:\n  # B.\n  b: 1\n  c: 2\n": "line 5: a.c has no comment",
		"a: [\n":                             "yaml",
	} {
		if _, err := valuesTable(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, wanted %q", text, err, want)
		}
	}
}
