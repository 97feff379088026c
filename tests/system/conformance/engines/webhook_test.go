package engines

import (
	"slices"
	"testing"
)

func TestReadWarnings(t *testing.T) {
	told, more, err := readWarnings([]string{
		"[HR202] container app: limits.cpu is 2; want: no CPU limit",
		"[HR103] the class is not on the pod template; want: container app: the same",
		`spec.template.spec.containers[0].env[1].name: duplicate name "A"`,
		"and 3 more; `headroom lint` shows them all",
	})
	if want := []Verdict{{Rule: "HR202", Container: "app"}, {Rule: "HR103"}}; !slices.Equal(told, want) || more != 3 || err != nil {
		t.Error(told, more, err)
	}
	for _, text := range []string{"headroom could not judge this Pod: no time; it is admitted as it is", "container app: no", ""} {
		if told, _, err := readWarnings([]string{text}); err == nil {
			t.Errorf("%q is read as %v", text, told)
		}
	}
}

func TestReadNote(t *testing.T) {
	listed, more, err := readNote("HR202 error app, HR103 warning, HR413 info b, and 4 more")
	want := []Verdict{{Rule: "HR202", Container: "app"}, {Rule: "HR103"}, {Rule: "HR413", Container: "b"}}
	if !slices.Equal(listed, want) || more != 4 || err != nil {
		t.Error(listed, more, err)
	}
	if listed, _, err := readNote("HR202 app"); err == nil {
		t.Errorf("read as %v", listed)
	}
}
