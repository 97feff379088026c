package cluster

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func object(name string, controller ...string) *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop"}}
	if len(controller) == 3 {
		yes := true
		m.OwnerReferences = []metav1.OwnerReference{
			{APIVersion: "example.com/v1", Kind: "Config", Name: "no-controller"},
			{APIVersion: controller[0], Kind: controller[1], Name: controller[2], Controller: &yes},
		}
	}
	return m
}

func TestManaged(t *testing.T) {
	all := func(string) bool { return true }
	for _, c := range []struct {
		object *metav1.PartialObjectMetadata
		known  func(string) bool
		want   bool
	}{
		{object("bare"), all, false},
		{object("web-1", "apps/v1", "ReplicaSet", "web"), all, true},
		{object("web", "apps/v1beta2", "Deployment", "web"), all, true},
		{object("job-1", "batch/v1", "CronJob", "job"), all, true},
		{object("vcjob-1", "batch.volcano.sh/v1alpha1", "Job", "vcjob"), all, false},
		{object("executor", "v1", "Pod", "driver"), all, false},
		{object("kafka-0", "core.strimzi.io/v1beta2", "StrimziPodSet", "kafka"), all, false},
		{object("web-1", "apps/v1", "ReplicaSet", "web"), func(kind string) bool { return kind != "ReplicaSet" }, false},
	} {
		if got := Managed(c.object, c.known); got != c.want {
			t.Errorf("%s is managed: %t", c.object.Name, got)
		}
	}
}

func TestOwners(t *testing.T) {
	x := NewIndex()
	for kind, objects := range map[string][]*metav1.PartialObjectMetadata{
		"Deployment":            {object("web"), object("web-7d9f8b6c5d")},
		"ReplicaSet":            {object("web-7d9f8b6c5d", "apps/v1", "Deployment", "web"), object("alone")},
		"StatefulSet":           {object("db", "postgresql.cnpg.io/v1", "Cluster", "pg")},
		"DaemonSet":             {object("agent")},
		"ReplicationController": {object("old")},
		"CronJob":               {object("nightly")},
		"Job":                   {object("nightly-28812345", "batch/v1", "CronJob", "nightly"), object("once")},
		"Pod": {
			object("web-7d9f8b6c5d-x2x7k", "apps/v1", "ReplicaSet", "web-7d9f8b6c5d"), object("single"),
			object("kafka-0", "core.strimzi.io/v1beta2", "StrimziPodSet", "kafka"),
			object("mirror-node-a", "v1", "Node", "node-a"),
			object("looks-like-web-12345-abcde", "apps/v1", "ReplicaSet", "alone"),
		},
	} {
		for _, o := range objects {
			x.Add(kind, o)
		}
	}
	owners := x.Namespace("shop")
	for pod, want := range map[string]Key{
		// Those that run.
		"web-7d9f8b6c5d-x2x7k":       {"Deployment", "shop", "web"},
		"single":                     {"Pod", "shop", "single"},
		"kafka-0":                    {"StrimziPodSet", "shop", "kafka"},
		"mirror-node-a":              {"Pod", "shop", "mirror-node-a"},
		"looks-like-web-12345-abcde": {"ReplicaSet", "shop", "alone"},
		// Those that have ended: by their names.
		"web-7d9f8b6c5d-zzzzz":   {"Deployment", "shop", "web"},
		"web-5f6d7c8b9-bcdfg":    {"Deployment", "shop", "web"}, // its ReplicaSet is gone
		"alone-bcdfg":            {"ReplicaSet", "shop", "alone"},
		"db-12":                  {"StatefulSet", "shop", "db"},
		"agent-bcdfg":            {"DaemonSet", "shop", "agent"},
		"old-bcdfg":              {"ReplicationController", "shop", "old"},
		"nightly-28812345-bcdfg": {"CronJob", "shop", "nightly"},
		"nightly-28800000-bcdfg": {"CronJob", "shop", "nightly"}, // its Job is gone
		"once-bcdfg":             {"Job", "shop", "once"},
		"once-3-bcdfg":           {"Job", "shop", "once"},
	} {
		if got, ok := owners.Of(pod); !ok || got != want {
			t.Errorf("%s goes back to %v, want %v", pod, got, want)
		}
	}
	for _, pod := range []string{"", "-", "stranger", "stranger-12345-abcde", "web-", "web--abcde"} {
		if got, ok := owners.Of(pod); ok {
			t.Errorf("%q goes back to %v", pod, got)
		}
	}
	if got, ok := x.Namespace("elsewhere").Of("single"); ok {
		t.Errorf("in another namespace: %v", got)
	}
}

// Controllers that name each other do not keep anyone for ever.
func TestOwnersInACircle(t *testing.T) {
	x := NewIndex()
	x.Add("ReplicaSet", object("a", "apps/v1", "ReplicaSet", "b"))
	x.Add("ReplicaSet", object("b", "apps/v1", "ReplicaSet", "a"))
	x.Add("Pod", object("p", "apps/v1", "ReplicaSet", "a"))
	if _, ok := x.Namespace("shop").Of("p"); !ok {
		t.Error("no owner")
	}
}
