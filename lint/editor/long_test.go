package editor

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// A file of one line with thousands of findings. Each edit repeats the line, so that the answers are bounded together.
func TestActionsOnALongLine(t *testing.T) {
	item := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","annotations":{"headroom.dev/workload-class":"latency-sensitive"}},` +
		`"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"1","memory":"1Gi"},"limits":{"cpu":"2","memory":"1Gi"}}}]}}`
	text := `{"apiVersion":"v1","kind":"List","items":[` + strings.Repeat(item+",", 20) + item + `],"x":"` + strings.Repeat("x", 1<<20) + `"}`
	c := start(t, `{}`)
	c.open("a.json", text)
	if codes := c.told("a.json"); strings.Count(codes, "HR202") != 21 {
		t.Fatalf("opened: %s", codes)
	}
	var actions []codeAction
	line := `{"textDocument":{"uri":` + quoted(c.uri("a.json")) + `},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"context":{}}`
	answer := c.call("textDocument/codeAction", line)
	if err := json.Unmarshal(answer, &actions); err != nil || len(actions) == 0 {
		t.Fatalf("%v: %d actions", err, len(actions))
	}
	if len(answer) > 2*maxEdits {
		t.Errorf("%d bytes for a file of %d", len(answer), len(text))
	}
}

// The names of containers are found in one pass: what stands above each was looked for line by line, which took a minute
// where there were 5 000.
func TestCompletionInALongFile(t *testing.T) {
	const many = 300_000
	k := completer{content: newContent("spec:\n  containers:\n"+strings.Repeat("  - image: b\n    name: a\n", many)+"  volumes:\n  - name: c\n", true)}
	if got := k.containers(); len(got) != many || got[0] != "a" || got[many-1] != "a" {
		t.Errorf("%d names", len(got))
	}
}

// The dash of an entry may stand on a line of its own.
func TestContainersBelowADash(t *testing.T) {
	k := completer{content: newContent("spec:\n  containers:\n  -\n    name: a\n    image: b\n  - name: c\n", true)}
	if got := k.containers(); !slices.Equal(got, []string{"a", "c"}) {
		t.Error(got)
	}
}
