package handover

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReceived(t *testing.T) {
	for _, given := range [][]string{nil, {}, {"lint", "x"}, {"lint", prefix + "v1"}} {
		if got, err := Received("v1", given); err != nil || !slices.Equal(got, given) {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
	handed := Arguments("v1", "audit", "-A")
	if got, err := Received("v1", handed); err != nil || !slices.Equal(got, []string{"audit", "-A"}) {
		t.Errorf("%q, %v", got, err)
	}
	got, err := Received("v2", handed)
	if err == nil || !strings.Contains(err.Error(), " is v2, and headroom beside it is v1") || len(got) != 2 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestBeside(t *testing.T) {
	self := filepath.Join(t.TempDir(), "kubectl-headroom")
	file, err := beside(self)
	if err == nil || !strings.Contains(err.Error(), filepath.Dir(self)) || !strings.Contains(err.Error(), "go install") {
		t.Errorf("%q, %v", file, err)
	}
	if err := os.Mkdir(filepath.Join(filepath.Dir(self), Full), 0o755); err != nil {
		t.Fatal(err)
	}
	if file, err := beside(self); err == nil || !strings.Contains(err.Error(), "has to be a file and no link") {
		t.Errorf("%q, %v", file, err)
	}
	full := filepath.Join(filepath.Dir(self), Full)
	if err := errors.Join(os.Remove(full), os.WriteFile(full, nil, 0o700), os.WriteFile(self, nil, 0o700)); err != nil {
		t.Fatal(err)
	}
	if file, err := beside(self); err != nil || file != full {
		t.Errorf("%q, %v", file, err)
	}
}
