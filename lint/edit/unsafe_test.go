package edit_test

import "testing"

func TestRefused(t *testing.T) {
	const cpu = `{"op":"replace","path":"/a/cpu","value":"2"}`
	const add = `{"op":"add","path":"/a/cpu","value":"2"}`
	const remove = `{"op":"remove","path":"/a/cpu"}`
	refused(t, "alias", "x: &x 1\na:\n  cpu: *x\n", cpu, "line 3: the value is an alias")
	refused(t, "below an alias", "x: &x\n  cpu: 1\na: *x\n", cpu, "line 3: the value is an alias")
	refused(t, "anchor used elsewhere", "a: &x\n  cpu: 1\nb: *x\n", cpu, "line 1: the value has an anchor")
	refused(t, "anchor of the value itself", "a:\n  cpu: &x 1\nb: *x\n", cpu, "line 2: the value has an anchor")
	refused(t, "anchor below what goes", "a:\n  cpu:\n    y: &x 1\nb: *x\n", remove, "line 3: the value has an anchor")
	refused(t, "anchored key", "a:\n  &x cpu: 1\nb: *x\n", remove, "line 2: the key is an alias")
	refused(t, "merge key", "x: &x\n  cpu: 1\na:\n  <<: *x\n  m: 1\n", cpu, `line 4: "cpu" comes from a merge key`)
	refused(t, "add over a merge key", "x: &x\n  cpu: 1\na:\n  <<: *x\n", add, "comes from a merge key")
	refused(t, "remove from a merge key", "x: &x\n  cpu: 1\na:\n  <<: *x\n  cpu: 2\n", remove, "would not read as meant")
	refused(t, "the map that is merged", "a: &x\n  cpu: 1\nb:\n  <<: *x\n", cpu, "line 1: the value has an anchor")
	refused(t, "tag", "a:\n  cpu: !!str 1\n", cpu, "line 2: the value has a tag")
	refused(t, "bare tag", "a:\n  cpu: ! 1\n", cpu, "line 2: the value has a tag")
	refused(t, "tag above", "a: !x\n  cpu: 1\n", cpu, "line 1: the value has a tag")
	refused(t, "key given twice", "a:\n  cpu: 1\n  cpu: 2\n", cpu, "line 3: key \"cpu\" is given twice")
	refused(t, "template as the value", "a:\n  cpu: \"{{ .Values.cpu }}\"\n", cpu, "line 2: a template")
	refused(t, "template in a comment", "a:\n  cpu: 1\n  # {{- if .Values.x }}\n", cpu, "line 3: a template")
	refused(t, "template that is no YAML", "apiVersion: v1\na:\n  cpu: {{ .Values.cpu }}\n", cpu, "this looks like a template")
	refused(t, "template as the name", "metadata: {name: \"{{ .N }}\"}\na:\n  cpu: 1\n", cpu, "line 1: a template")
	refused(t, "question mark", "a:\n  ? cpu\n  : 1\n", cpu, "question mark")
	refused(t, "folded", "a:\n  cpu: >-\n    1\n    2\n", cpu, "line 2: a value over several lines")
	refused(t, "quoted over lines", "a:\n  cpu: \"1\n    2\"\n", cpu, "line 2: a value over several lines")
	refused(t, "comment inside", "a:\n  cpu:\n    # keep me\n    x: 1\n", cpu, "line 4: comments stand inside")
	refused(t, "comment inside braces", "a: {cpu: 1, # keep me\n  memory: 1}\n", remove, "a comment stands beside")
	refused(t, "odd line end", "a:\n  cpu: 1\nb: \"\u2028\"\n", cpu, "line 3: a line end")
	refused(t, "UTF-16", "\xff\xfea\x00", cpu, "not UTF-8")
	refused(t, "broken", "a: [\n", cpu, "broken YAML")
	refused(t, "a list at the top", "- a\n", `{"op":"remove","path":"/0"}`, "no object")
	refused(t, "no document", "", cpu, "no such document")
}

// Flags go in front of those that are there, wherever these stand.
func TestPrefixes(t *testing.T) {
	const flags = `{"op":"replace","path":"/a","value":"-XX:New=1 -Xmx1g -Xss1m`
	check(t, []change{
		{
			"folded",
			"a: >-\n  # no comment\n  -Xmx1g\nb: 1\n",
			`{"op":"replace","path":"/a","value":"-Xss1m # no comment -Xmx1g"}`,
			"a: >-\n  -Xss1m # no comment\n  -Xmx1g\nb: 1\n",
		},
		{
			"folded flags",
			"a: >-\n  -Xmx1g\n  -Xss1m\nb: 1\n",
			flags + `"}`,
			"a: >-\n  -XX:New=1 -Xmx1g\n  -Xss1m\nb: 1\n",
		},
		{
			"literal",
			"a: |\n  -Xmx1g\n  -Xss1m\nb: 1\n",
			`{"op":"replace","path":"/a","value":"-XX:New=1 -Xmx1g\n-Xss1m\n"}`,
			"a: |\n  -XX:New=1 -Xmx1g\n  -Xss1m\nb: 1\n",
		},
		{"plain", "a: -Xmx1g\n  -Xss1m # c\nb: 1\n", flags + `"}`, "a: -XX:New=1 -Xmx1g\n  -Xss1m # c\nb: 1\n"},
		{
			"double quotes",
			"a: \"-Xmx1g\n  -Xss1m\"\nb: 1\n",
			flags + `"}`,
			"a: \"-XX:New=1 -Xmx1g\n  -Xss1m\"\nb: 1\n",
		},
		{
			"escapes stay",
			"a: \"-Dn=\\u00e9\\x41\"\nb: 1\n",
			`{"op":"replace","path":"/a","value":"-Xss1m -Dn=éA"}`,
			"a: \"-Xss1m -Dn=\\u00e9\\x41\"\nb: 1\n",
		},
		{
			"escapes of JSON stay",
			`{"a": "-Dn=\u003c\/"}`,
			`{"op":"replace","path":"/a","value":"-Xss1m=\"1\" -Dn=</"}`,
			`{"a": "-Xss1m=\"1\" -Dn=\u003c\/"}`,
		},
		{"single quotes", "a: '-Xmx1g\n  -Xss1m'\nb: 1\n", flags + `"}`, "a: '-XX:New=1 -Xmx1g\n  -Xss1m'\nb: 1\n"},
	})
}
