package diagnose

import (
	"bytes"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

// What is shown may come from a folder that anybody has made.
func TestTableShowsNoEscapes(t *testing.T) {
	const hostile = "a\x1b[2J\u202eb\nc"
	report := &Report{
		Pod: hostile, Container: hostile, Node: hostile, State: hostile, Notes: []string{hostile}, Problems: []string{hostile},
		Folder: hostile,
		Checks: []engine.Check{{
			Check: "file", Status: engine.StatusError, Value: hostile, Message: hostile, Fix: hostile,
		}},
		Regions: []engine.Region{{Name: hostile, Source: hostile}},
	}
	var out bytes.Buffer
	if err := WriteTable(&out, []*Report{report}, false, 0); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") || !strings.Contains(out.String(), `Pod a\x1b[2J\u202eb c`) {
		t.Errorf("%q", out.String())
	}
}

func TestColourSaysNothingAlone(t *testing.T) {
	report := &Report{Pod: "a", Checks: []engine.Check{{Check: "memory", Status: engine.StatusWarning, Message: "m"}}}
	var plain, colored bytes.Buffer
	if err := WriteTable(&plain, []*Report{report}, false, 80); err != nil {
		t.Fatal(err)
	}
	if err := WriteTable(&colored, []*Report{report}, true, 80); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(colored.String(), "\x1b[") || strings.Contains(plain.String(), "\x1b") {
		t.Errorf("%q, %q", colored.String(), plain.String())
	}
	if !strings.Contains(plain.String(), "1 check: 1 warning, 0 unknown, 0 ok") {
		t.Errorf("%s", plain.String())
	}
}
