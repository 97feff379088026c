package edit_test

import "testing"

const set = `{"op":"replace","path":"/a/cpu","value":"2"}`

func TestReplaceScalars(t *testing.T) {
	check(t, []change{
		{"plain to what needs quotes", "a:\n  cpu: 500m # why\n", set, "a:\n  cpu: \"2\" # why\n"},
		{"double quotes stay", "a:\n  cpu: \"500m\"\n", set, "a:\n  cpu: \"2\"\n"},
		{"single quotes stay", "a:\n  cpu: '500m'\n", set, "a:\n  cpu: '2'\n"},
		{
			"a number of the neighbours is not copied",
			"a:\n  cpu: 1\n  memory: 3\n",
			set,
			"a:\n  cpu: \"2\"\n  memory: 3\n",
		},
		{"quotes as the neighbour has them", "a:\n  cpu: 1\n  memory: '3'\n", set, "a:\n  cpu: '2'\n  memory: '3'\n"},
		{
			"a string needs none",
			"a:\n  cpu: \"1\"\n",
			`{"op":"replace","path":"/a/cpu","value":"250m"}`,
			"a:\n  cpu: \"250m\"\n",
		},
		{"nothing becomes something", "a:\n  cpu:\nb: 1\n", set, "a:\n  cpu: \"2\"\nb: 1\n"},
		{"nothing with a comment", "a:\n  cpu:   # none\nb: 1\n", set, "a:\n  cpu: \"2\"   # none\nb: 1\n"},
		{"flow", "a: { cpu: 1, memory: \"1\" } # x\n", set, "a: { cpu: \"2\", memory: \"1\" } # x\n"},
		{"flow without a value", "a: {cpu: , memory: 1}\n", set, "a: {cpu: \"2\" , memory: 1}\n"},
		{"json", `{"a":{"cpu":"1","memory":"1"}}`, set, `{"a":{"cpu":"2","memory":"1"}}`},
		{"a number", "a:\n  cpu: 1\n", `{"op":"replace","path":"/a/cpu","value":0.5}`, "a:\n  cpu: 0.5\n"},
		{"blanks before the colon", "a :\n  cpu :  1\n", set, "a :\n  cpu :  \"2\"\n"},
		{
			"wide characters in front",
			"ä: {é: 日本, cpu: 1}\na: {日本: ü, cpu: 1}\n",
			set,
			"ä: {é: 日本, cpu: 1}\na: {日本: ü, cpu: \"2\"}\n",
		},
		{"an anchor that nobody uses", "a:\n  cpu: &cpu 1\n", set, "a:\n  cpu: &cpu \"2\"\n"},
		{
			"one of a list",
			"a:\n- x\n- y # c\n- z\n",
			`{"op":"replace","path":"/a/1","value":"no"}`,
			"a:\n- x\n- \"no\" # c\n- z\n",
		},
		{"carriage returns", "a:\r\n  cpu: 1\r\nb: 2\r\n", set, "a:\r\n  cpu: \"2\"\r\nb: 2\r\n"},
		{"a byte order mark", "\ufeffa:\n  cpu: 1\n", set, "\ufeffa:\n  cpu: \"2\"\n"},
		{"no newline at the end", "a:\n  cpu: 1", set, "a:\n  cpu: \"2\""},
		{"tab in front of a comment", "a:\n  cpu: 1\t# a\ttab\n", set, "a:\n  cpu: \"2\"\t# a\ttab\n"},
		{"a map becomes a value", "a:\n  cpu:\n    x: 1\n    y: 2\n  b: 3\n", set, "a:\n  cpu: \"2\"\n  b: 3\n"},
	})
}

func TestReplaceWithCollections(t *testing.T) {
	const limits = `{"op":"replace","path":"/a","value":{"limits":{"cpu":"1","memory":"1Gi"}}}`
	check(t, []change{
		{"null", "a:\nb: 1\n", limits, "a:\n  limits:\n    cpu: \"1\"\n    memory: 1Gi\nb: 1\n"},
		{"written null", "a: null # c\nb: 1\n", limits, "a: # c\n  limits:\n    cpu: \"1\"\n    memory: 1Gi\nb: 1\n"},
		{
			"empty braces",
			"a: {}\nb:\n    x: 1\n",
			limits,
			"a:\n    limits:\n        cpu: \"1\"\n        memory: 1Gi\nb:\n    x: 1\n",
		},
	})
	check(t, []change{
		{
			"a list in flow", "a: [x, y]\n", `{"op":"replace","path":"/a","value":["z"]}`, "a: [z]\n",
		},
		{
			"a list in lines", "a:\n- x\n- y\nb: 1\n", `{"op":"replace","path":"/a","value":["z"]}`, "a:\n- z\nb: 1\n",
		},
		{
			"an item", "a:\n- {}\n- x: 1\n", `{"op":"replace","path":"/a/0","value":{"p":1,"q":[2]}}`,
			"a:\n- p: 1\n  q:\n  - 2\n- x: 1\n",
		},
	})
}

func TestAddFields(t *testing.T) {
	const cpu = `{"op":"add","path":"/a/cpu","value":"500m"}`
	check(t, []change{
		{"behind the last", "a:\n  memory: 1Gi # m\nb: 1\n", cpu, "a:\n  memory: 1Gi # m\n  cpu: 500m\nb: 1\n"},
		{"quotes as the neighbours", "a:\n  memory: \"1Gi\"\n", cpu, "a:\n  memory: \"1Gi\"\n  cpu: \"500m\"\n"},
		{"single quotes as the neighbours", "a:\n  memory: '1Gi'\n", cpu, "a:\n  memory: '1Gi'\n  cpu: '500m'\n"},
		{
			"behind a comment's line",
			"a:\n  memory: 1Gi\n  # cpu: 1\nb: 1\n",
			cpu,
			"a:\n  memory: 1Gi\n  cpu: 500m\n  # cpu: 1\nb: 1\n",
		},
		{"no newline at the end", "a:\n  memory: 1Gi", cpu, "a:\n  memory: 1Gi\n  cpu: 500m"},
		{"carriage returns", "a:\r\n  memory: 1Gi\r\n", cpu, "a:\r\n  memory: 1Gi\r\n  cpu: 500m\r\n"},
		{"carriage returns, no newline at the end", "a:\r\n  memory: 1Gi", cpu, "a:\r\n  memory: 1Gi\r\n  cpu: 500m"},
		{"old line ends", "a:\r  memory: 1Gi\rb: 1\r", cpu, "a:\r  memory: 1Gi\r  cpu: 500m\rb: 1\r"},
		{"braces stay", "a: {memory: 1Gi}\n", cpu, "a: {memory: 1Gi, cpu: 500m}\n"},
		{"braces with blanks", "a: { memory: 1Gi }\n", cpu, "a: { memory: 1Gi, cpu: 500m }\n"},
		{"braces with a comma behind", "a: {memory: 1Gi,}\n", cpu, "a: {memory: 1Gi, cpu: 500m,}\n"},
		{"empty braces", "a: {} # none\nb: 1\n", cpu, "a: # none\n  cpu: 500m\nb: 1\n"},
		{
			"behind a block",
			"a:\n  t: |\n    x\n    y\n\nb: 1\n",
			cpu,
			"a:\n  t: |\n    x\n    y\n  cpu: 500m\n\nb: 1\n",
		},
		{
			"behind a block that keeps its end",
			"a:\n  t: |+\n    x\n\nb: 1\n",
			cpu,
			"a:\n  t: |+\n    x\n\n  cpu: 500m\nb: 1\n",
		},
		{"behind a block at the end", "a:\n  t: |+\n    x\n\n", cpu, "a:\n  t: |+\n    x\n\n  cpu: 500m\n"},
		{"behind a value without text", "a:\n  memory:\nb: 1\n", cpu, "a:\n  memory:\n  cpu: 500m\nb: 1\n"},
		{
			"behind a folded plain value",
			"a:\n  t: one\n    two\nb: 1\n",
			cpu,
			"a:\n  t: one\n    two\n  cpu: 500m\nb: 1\n",
		},
		{
			"behind a quoted value of two lines",
			"a:\n  t: \"one\n    two\" # c\nb: 1\n",
			cpu,
			"a:\n  t: \"one\n    two\" # c\n  cpu: \"500m\"\nb: 1\n",
		},
		{"at the top", "b: 1\n# end\n", `{"op":"add","path":"/c","value":true}`, "b: 1\nc: true\n# end\n"},
		{
			"a key with slashes",
			"a:\n  b: x\n",
			`{"op":"add","path":"/a/cpu-peak.headroom.dev~1app","value":"1"}`,
			"a:\n  b: x\n  cpu-peak.headroom.dev/app: \"1\"\n",
		},
		{
			"a key that needs quotes",
			"a:\n  b: x\n",
			`{"op":"add","path":"/a/yes","value":"1e3"}`,
			"a:\n  b: x\n  \"yes\": \"1e3\"\n",
		},
		{"beside a merge key", "x: &x\n  m: 1\na:\n  <<: *x\n", cpu, "x: &x\n  m: 1\na:\n  <<: *x\n  cpu: 500m\n"},
		{
			"a document with a head",
			"%YAML 1.1\n--- # first\na:\n  m: 1\n...\n# end\n",
			cpu,
			"%YAML 1.1\n--- # first\na:\n  m: 1\n  cpu: 500m\n...\n# end\n",
		},
		{"replaces what is there", "a:\n  cpu: 1 # c\n", cpu, "a:\n  cpu: 500m # c\n"},
		{
			"metadata", "t: # pods\n  # all\n  spec: 1\n", `{"op":"add","path":"/t/metadata","value":{"a":1}}`,
			"t: # pods\n  metadata:\n    a: 1\n  # all\n  spec: 1\n",
		},
		{
			"metadata behind another", "a: 1\nspec: 1\nz: 1\n", `{"op":"add","path":"/metadata","value":{"a":1}}`,
			"a: 1\nmetadata:\n  a: 1\nspec: 1\nz: 1\n",
		},
		{
			"under an item",
			"l:\n- a: 1\n-  b: 1\n",
			`{"op":"add","path":"/l/1/c","value":{"d":{"e":[1,{"f":2,"name":"g"}]}}}`,
			"l:\n- a: 1\n-  b: 1\n   c:\n     d:\n       e:\n       - 1\n       - name: g\n         f: 2\n",
		},
	})
}

func TestAddItems(t *testing.T) {
	const env = `{"op":"add","path":"/env/-","value":{"name":"B","value":"2"}}`
	check(t, []change{
		{
			"not indented",
			"env:\n- name: A\n  value: x # c\nz: 1\n",
			env,
			"env:\n- name: A\n  value: x # c\n- name: B\n  value: \"2\"\nz: 1\n",
		},
		{
			"indented",
			"env:\n    - name: A\n      value: 'x'\nz: 1\n",
			env,
			"env:\n    - name: A\n      value: 'x'\n    - name: B\n      value: '2'\nz: 1\n",
		},
		{
			"wide dash",
			"env:\n-   name: A\n    value: x\n",
			env,
			"env:\n-   name: A\n    value: x\n-   name: B\n    value: \"2\"\n",
		},
		{"in brackets", "env: [{name: A, value: x}]\n", env, "env: [{name: A, value: x}, {name: B, value: \"2\"}]\n"},
		{
			"in brackets over lines",
			"env: [\n  {name: A}, # a\n  {name: C} # c\n]\n",
			env,
			"env: [\n  {name: A}, # a\n  {name: C}, # c\n  {\n    name: B,\n    value: \"2\"\n  }\n]\n",
		},
		{"first of all", "env: []\nz:\n  - 1\n", env, "env:\n  - name: B\n    value: \"2\"\nz:\n  - 1\n"},
		{
			"quotes by key",
			"env:\n- name: A\n  value: \"x\"\n",
			`{"op":"add","path":"/env/-","value":{"name":"B","value":"-Xmx1g"}}`,
			"env:\n- name: A\n  value: \"x\"\n- name: B\n  value: \"-Xmx1g\"\n",
		},
		{
			"in front",
			"env:\n# c\n- A\n- C\n",
			`{"op":"add","path":"/env/0","value":"B"}`,
			"env:\n# c\n- B\n- A\n- C\n",
		},
		{
			"in between",
			"env:\n- A # a\n# c\n- C\n",
			`{"op":"add","path":"/env/1","value":"B"}`,
			"env:\n- A # a\n- B\n# c\n- C\n",
		},
		{"in between brackets", "env: [A, C]\n", `{"op":"add","path":"/env/1","value":"B"}`, "env: [A, B, C]\n"},
		{
			"a list of lists",
			"env:\n- - a\n  - b\n- - c\n",
			`{"op":"add","path":"/env/0/-","value":"x"}`,
			"env:\n- - a\n  - b\n  - x\n- - c\n",
		},
		{
			"two at once",
			"env:\n- A\n",
			`{"op":"add","path":"/env/-","value":"B"},{"op":"add","path":"/env/-","value":"C"}`,
			"env:\n- A\n- B\n- C\n",
		},
	})
}
