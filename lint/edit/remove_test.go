package edit_test

import "testing"

func TestRemoveFields(t *testing.T) {
	const cpu = `{"op":"remove","path":"/a/cpu"}`
	check(t, []change{
		{
			"its line goes",
			"a:\n  # about cpu\n  cpu: 1 # c\n\n  memory: 1Gi\n",
			cpu,
			"a:\n  # about cpu\n\n  memory: 1Gi\n",
		},
		{"the last of two", "a:\n  memory: 1Gi\n  cpu: 1\nb: 1\n", cpu, "a:\n  memory: 1Gi\nb: 1\n"},
		{"no newline at the end", "a:\n  memory: 1Gi\n  cpu: 1", cpu, "a:\n  memory: 1Gi"},
		{"carriage returns", "a:\r\n  memory: 1Gi\r\n  cpu: 1", cpu, "a:\r\n  memory: 1Gi"},
		{
			"with all that is below",
			"a:\n  cpu:\n    # x\n    b: |\n      t\n\n      u\n  memory: 1Gi\n",
			cpu,
			"a:\n  memory: 1Gi\n",
		},
		{"the only one", "a: # mine\n  # about cpu\n  cpu: 1\nb: 1\n", cpu, "a: {} # mine\n  # about cpu\nb: 1\n"},
		{"the only one, at the end", "a:\n  cpu: 1", cpu, "a: {}"},
		{"the only one, anchored", "a: &x\n  cpu: 1\nb: 1\n", cpu, "a: &x {}\nb: 1\n"},
		{"braces", "a: {cpu: 1, memory: 1Gi}\n", cpu, "a: {memory: 1Gi}\n"},
		{"the last in braces", "a: { memory: 1Gi, cpu: 1 }\n", cpu, "a: { memory: 1Gi }\n"},
		{"the only one in braces", "a: { cpu: 1 }\n", cpu, "a: {}\n"},
		{
			"json",
			"{\n  \"a\": {\n    \"memory\": \"1Gi\",\n    \"cpu\": \"1\"\n  }\n}\n",
			cpu,
			"{\n  \"a\": {\n    \"memory\": \"1Gi\"\n  }\n}\n",
		},
		{
			"json, the first",
			"{\n  \"a\": {\n    \"cpu\": \"1\",\n    \"memory\": \"1Gi\"\n  }\n}\n",
			cpu,
			"{\n  \"a\": {\n    \"memory\": \"1Gi\"\n  }\n}\n",
		},
	})
	check(t, []change{
		{"behind a dash", "l:\n- a: 1 # c\n  b: 2\n", `{"op":"remove","path":"/l/0/a"}`, "l:\n- b: 2\n"},
		{"behind a dash, no comment", "l:\n- a: 1\n  b: 2\n", `{"op":"remove","path":"/l/0/a"}`, "l:\n- b: 2\n"},
		{
			"behind a dash, a comment follows",
			"l:\n- a: 1\n  # about b\n  b: 2\n",
			`{"op":"remove","path":"/l/0/a"}`,
			"l:\n-\n  # about b\n  b: 2\n",
		},
		{"the only one behind a dash", "l:\n- a: 1 # c\n", `{"op":"remove","path":"/l/0/a"}`, "l:\n- {} # c\n"},
		{
			"an item",
			"l:\n# a\n- a\n# b\n- b: 1\n  c: 2\n- d\n",
			`{"op":"remove","path":"/l/1"}`,
			"l:\n# a\n- a\n# b\n- d\n",
		},
		{"the only item", "l:\n  - a\nz: 1\n", `{"op":"remove","path":"/l/0"}`, "l: []\nz: 1\n"},
		{"an item in brackets", "l: [a, b, c]\n", `{"op":"remove","path":"/l/2"}`, "l: [a, b]\n"},
		{"the first of a list in a list", "l:\n- - a\n  - b\n", `{"op":"remove","path":"/l/0/0"}`, "l:\n- - b\n"},
		{
			"one and add another",
			"a:\n  limits:\n    cpu: 1\n    memory: 1Gi\n",
			`{"op":"remove","path":"/a/limits/cpu"},{"op":"add","path":"/a/requests","value":{"cpu":"500m"}}`,
			"a:\n  limits:\n    memory: 1Gi\n  requests:\n    cpu: 500m\n",
		},
		{
			"all",
			"a:\n  limits:\n    cpu: 1\n    memory: 1Gi\nb: 1\n",
			`{"op":"remove","path":"/a/limits/cpu"},{"op":"remove","path":"/a/limits/memory"},` +
				`{"op":"remove","path":"/a/limits"}`,
			"a: {}\nb: 1\n",
		},
	})
}
