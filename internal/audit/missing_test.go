package audit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

func TestMissing(t *testing.T) {
	m := newMissing()
	deployments, statefulSets, pods := cluster.Kinds[0], cluster.Kinds[1], cluster.Kinds[7]
	for i := range 25 {
		namespace := fmt.Sprintf("team-%02d", i)
		m.forbidden("list", deployments, namespace)
		m.forbidden("list", statefulSets, namespace)
		m.forbidden("list", deployments, namespace) // twice is once
	}
	m.forbidden("get", pods, "alone")
	for range 3 {
		m.errors(errors.Join(errors.New("no CPU of shop"), errors.New("no memory of shop")))
	}
	if m.away() {
		t.Error("an API server that refuses is there")
	}
	got := m.report()
	want := []string{
		"forbidden in namespace alone; a Role there with this would allow it: " +
			`{apiGroups: [""], resources: [pods], verbs: [get]}`,
		"forbidden in namespaces team-00, team-01, team-02, team-03, team-04, team-05, team-06, team-07, team-08, team-09, " +
			"team-10, team-11, team-12, team-13, team-14, team-15, team-16, team-17, team-18, team-19 and 5 more; " +
			"a Role there with this would allow it: " +
			`{apiGroups: ["apps"], resources: [deployments, statefulsets], verbs: [get, list]}`,
		"no CPU of shop", "no memory of shop",
	}
	if len(got) != len(want) {
		t.Fatalf("%d problems: %+v", len(got), got)
	}
	for i := range want {
		if got[i].Message != want[i] {
			t.Errorf("%s\nwant %s", got[i].Message, want[i])
		}
	}
}

// A server that does not answer is not asked again, and what was not asked for is named.
func TestLost(t *testing.T) {
	m := newMissing()
	m.failed("list", cluster.Kinds[0], "shop", fmt.Errorf("get: %w", timeout{}))
	if !m.away() {
		t.Fatal("it is not away")
	}
	m.unread(cluster.Kinds[1])
	m.unread(cluster.Kinds[1])
	text := ""
	for _, p := range m.report() {
		text += p.Message + "\n"
	}
	if !strings.Contains(text, "list deployments.apps of namespace shop: get: late") ||
		strings.Count(text, "statefulsets.apps") != 1 {
		t.Error(text)
	}
}

// A namespace that could not be read is not one of its own.
func TestUnreadNamespace(t *testing.T) {
	m := newMissing()
	m.failed("get", cluster.Namespaces, "shop", errors.New("late"))
	if got := m.report(); len(got) != 1 || got[0].Message != "get namespaces shop: late" {
		t.Errorf("%+v", got)
	}
}

type timeout struct{}

func (timeout) Error() string   { return "late" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }
