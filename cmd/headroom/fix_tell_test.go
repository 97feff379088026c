package main

import (
	"strings"
	"testing"
)

// What remains of an object may be a dozen rules, and stays within the terminal.
func TestFolded(t *testing.T) {
	text := folded("  remains: ", strings.Repeat("HR303 jvm-headroom, ", 12)+"HR413 jvm-gc-log")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) < 3 || !strings.HasPrefix(lines[0], "  remains: HR303") || !strings.HasPrefix(lines[1], "           ") {
		t.Error(text)
	}
	for _, line := range lines {
		if len(line) > defaultWidth {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if strings.Join(strings.Fields(text), " ") != "remains: "+strings.Repeat("HR303 jvm-headroom, ", 12)+"HR413 jvm-gc-log" {
		t.Error(text)
	}
}
