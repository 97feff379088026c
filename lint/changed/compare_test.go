package changed

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestParseRaw(t *testing.T) {
	zero, one := strings.Repeat("0", 40), strings.Repeat("1", 40)
	fields := []string{
		":100644 100644 " + one + " " + zero + " M", "a b.yaml",
		":100644 100644 " + one + " " + zero + " R093", "old\n.yaml", ":new.yaml",
		":000000 100644 " + zero + " " + zero + " A", "added",
		":120000 000000 " + one + " " + zero + " D", "gone",
		":000000 000000 " + zero + " " + zero + " U", "a b.yaml",
		":160000 160000 " + one + " " + zero + " M", "sub",
	}
	got, err := parseRaw(fields)
	if err != nil {
		t.Fatal(err)
	}
	want := []file{
		{now: "a b.yaml", then: "a b.yaml", mode: "100644", blob: one},
		{now: ":new.yaml", then: "old\n.yaml", mode: "100644", blob: one},
		{now: "added", mode: modeNone, blob: zero},
		{then: "gone", mode: modeLink, blob: one, link: true},
		{now: "sub", then: "sub", mode: modeSubmodule, blob: one, submodule: true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, bad := range [][]string{{"nonsense", "a"}, fields[:1], fields[2:4], {""}} {
		if got, err := parseRaw(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}

func TestEnvironment(t *testing.T) {
	got := environment([]string{
		"HOME=/h", "GIT_DIR=/x", "GIT_CONFIG_COUNT=1", "GIT_INDEX_FILE=/i", "GIT_SSH_COMMAND=ssh", "GITHUB_SHA=1", "GIT_TRACE=1",
	})
	want := []string{
		"HOME=/h", "GIT_CONFIG_COUNT=1", "GITHUB_SHA=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=/dev/null",
		"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_ATTR_NOSYSTEM=1", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestTailIsBounded(t *testing.T) {
	said := &tail{}
	for range 100 {
		if n, err := said.Write([]byte(strings.Repeat("x", 1000))); n != 1000 || err != nil {
			t.Fatal(n, err)
		}
	}
	if len(said.text) != maxSaidBytes {
		t.Errorf("%d bytes", len(said.text))
	}
	said = &tail{text: []byte("warning: w\nfatal: not so,\n\ttry this\n")}
	if got := said.line(); got != "not so, try this" {
		t.Errorf("got %q", got)
	}
}

// What git complains of stands between its advice, and may have no word before it.
func TestAdviceIsNotTold(t *testing.T) {
	for text, want := range map[string]string{
		"hint: a\nhint:\nfatal: not so,\n\ttry this\nhint: b\n": "not so, try this",
		"hint: a\nusage: git log\nhint: b":                      "usage: git log",
		"hint: a\n":                                             "",
	} {
		if got := (&tail{text: []byte(text)}).line(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Grafts are taken away by a file that git advises against.
func TestGraftsAreTakenAwayInSilence(t *testing.T) {
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} {
		t.Setenv(name, os.DevNull)
	}
	g := git{dir: t.TempDir()}
	for _, arguments := range [][]string{
		{"init", "-q"},
		{"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "a"},
		{"rev-list", "HEAD"},
	} {
		c, said, err := g.command(t.Context(), arguments...)
		if err == nil {
			err = c.Run()
		}
		if err != nil || len(said.text) > 0 {
			t.Errorf("%q: %v\n%s", arguments, err, said.text)
		}
	}
}
