package lint

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Objects that each keep within their time were judged for hours, where there were enough of them.
func TestTheTimeOfARun(t *testing.T) {
	t.Chdir(t.TempDir())
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a}]}\n"
	for _, name := range []string{"a.yaml", "b.yaml"} {
		if err := os.WriteFile(name, []byte(pod), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.New(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for most, refused := range map[time.Duration]int{0: 0, 1: 2} {
		r, err := Run(t.Context(), e, Options{Paths: []string{"."}, most: most})
		if err != nil || len(r.Problems) != refused || r.Summary.Workloads != 2-refused {
			t.Fatalf("of %v: %v, %v", most, r, err)
		}
		for _, p := range r.Problems {
			if !strings.Contains(p.Message, "the run has taken") {
				t.Error(p.Message)
			}
		}
	}
	f := &fixer{engine: e, until: time.Now().Add(-time.Second)}
	var p fixedPart
	for item := range source.Items("a.yaml", []byte(pod), source.Options{}) {
		if _, err := f.item(t.Context(), &p, item, 0); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.problems) != 1 || p.judged > 0 {
		t.Errorf("%+v", p)
	}
}
