package explain

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// The kinds that are read from a cluster are found by their names, and none else.
func TestKindsByName(t *testing.T) {
	for _, k := range cluster.Kinds {
		for _, name := range []string{k.Kind, k.Resource, k.Resource + "." + k.Group} {
			if got, ok := KindNamed(name); !ok || got != k {
				t.Errorf("%s is %v", name, got)
			}
		}
	}
	if len(namedKinds) != len(cluster.Kinds) {
		t.Errorf("%d kinds have names, %d are read", len(namedKinds), len(cluster.Kinds))
	}
	for name, want := range map[string]string{"deploy": "Deployment", "cj": "CronJob", "PO": "Pod", "": "", "service": "", "jobs.apps": ""} {
		if got := kindNamed(name); got != want {
			t.Errorf("%q is %q", name, got)
		}
	}
}
