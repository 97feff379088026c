package cluster

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// asked counts what is asked of the API server, for the Namespace and for owners.
type asked struct {
	client.Client
	owners, namespaces int
}

func (a *asked) Get(_ context.Context, key client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
	if key.Namespace == "" {
		a.namespaces++
	} else {
		a.owners++
	}
	return errBroken
}

// Owners that are made up are asked for a few times a second, however many there are; a Namespace always is.
func TestMadeUpOwnersCostLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		live := &asked{}
		c := &Cluster{options: Options{Log: logr.Discard()}, cache: brokenCache{}, live: live}
		yes := true
		ask := func(namespace string, i int) {
			c.owners(t.Context(), namespace, []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: fmt.Sprint("made-up-", i), UID: "1", Controller: &yes,
			}})
		}
		for i := range 10_000 {
			ask("attacker", i)
			time.Sleep(time.Millisecond)
		}
		if most := namespaceBurst + 10*namespaceRate; live.owners > most || live.owners < most/2 {
			t.Errorf("%d look-ups in ten seconds", live.owners)
		}
		before := live.owners
		for i := range 100 {
			c.owners(t.Context(), "attacker", []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: fmt.Sprint("without-uid-", i), Controller: &yes,
			}})
		}
		if live.owners != before {
			t.Errorf("%d look-ups of owners without a UID", live.owners-before)
		}
		ask("neighbour", 1)
		if live.owners != before+1 {
			t.Error("a neighbour's owner is not looked up")
		}
		for i := range 3 * maxOwnerLimiters {
			ask(fmt.Sprint("many-", i), i)
		}
		if len(c.asking.each) > maxOwnerLimiters {
			t.Errorf("%d namespaces are remembered", len(c.asking.each))
		}
		for range 100 {
			if _, _, err := c.get(t.Context(), kindNamespace, "", "here", ""); err == nil {
				t.Fatal("found")
			}
		}
		if live.namespaces != 100 {
			t.Errorf("Namespaces were looked up %d times", live.namespaces)
		}
	})
}
