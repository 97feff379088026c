package edit_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/policies/engine"
)

// change is one edit as a person would read it: the text before and after, and the patch.
type change struct {
	name, before, patch, after string
}

func operations(tb testing.TB, patch string) []engine.Operation {
	tb.Helper()
	decoder := json.NewDecoder(strings.NewReader("[" + patch + "]"))
	decoder.UseNumber()
	var ops []engine.Operation
	if err := decoder.Decode(&ops); err != nil {
		tb.Fatalf("patch %s: %v", patch, err)
	}
	return ops
}

func check(t *testing.T, changes []change) {
	t.Helper()
	for _, c := range changes {
		t.Run(c.name, func(t *testing.T) {
			before := strings.TrimPrefix(c.before, "\n")
			got, err := edit.Apply([]byte(before), 0, operations(t, c.patch))
			if err != nil {
				t.Fatalf("%v", err)
			}
			if want := strings.TrimPrefix(c.after, "\n"); string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", visible(string(got)), visible(want))
			}
		})
	}
}

// visible shows line ends and tabs.
func visible(text string) string {
	return strings.NewReplacer("\r", "␍", "\t", "␉", " \n", "·\n").Replace(text)
}

// refused checks that an edit is left undone, and says why on the right line.
func refused(t *testing.T, name, before, patch, want string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		before := strings.TrimPrefix(before, "\n")
		got, err := edit.Apply([]byte(before), 0, operations(t, patch))
		if !errors.Is(err, edit.ErrUnsafe) || got != nil {
			t.Fatalf("want ErrUnsafe, got %v and\n%s", err, got)
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("says %q, not %q", err, want)
		}
	})
}
