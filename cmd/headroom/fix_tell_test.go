package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
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

// A reason is told once, with the container that it is of and how many others it is of.
func TestWithheld(t *testing.T) {
	of := func(rule, workload, container, why string) engine.Finding {
		return engine.Finding{
			Rule: rule, File: "a.yaml", Container: container, Resource: engine.Resource{Kind: "Deployment", Name: workload}, Withheld: why,
		}
	}
	const image, tail = "what the image sets is not known. headroom images lock reads it",
		" may hold flags. As plain text, or as a ConfigMap beside the manifest, they can be read"
	got := withheld([]engine.Finding{
		of("HR303", "w1", "c", ""), of("HR406", "w1", "c", image), of("HR202", "w1", "c", image), of("HR406", "w1", "d", image),
		of("HR406", "w2", "c", image), of("HR202", "w3", "c", "Secret db"+tail),
		of("HR406", "w3", "c", "the command line (an argument file holds options)"+tail),
		of("HR406", "w4", "w4", "JAVA_TOOL_OPTIONS (a file holds options)"+tail),
	})
	if want := []string{
		"not written: HR406 w1/c and 2 more: " + image,
		"not written: HR202 w3/c: Secret db" + tail,
		"not written: HR406 w3/c: the command line names a file of options that was not read. " +
			"A ConfigMap beside the manifest that holds it is read",
		"not written: HR406 w4: JAVA_TOOL_OPTIONS names a file of options that was not read. " +
			"A ConfigMap beside the manifest that holds it is read",
	}; !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
