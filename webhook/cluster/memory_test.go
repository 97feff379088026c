package cluster

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/headroom-dev/headroom/webhook/admission"
)

func TestOurs(t *testing.T) {
	for _, tc := range []struct {
		name        string
		given, want map[string]string
	}{
		{"nothing", nil, nil},
		{"nothing of ours", map[string]string{"team": "a", "headroom.developers/a": "b", "xheadroom.dev/a": "b"}, nil},
		{
			"ours",
			map[string]string{"headroom.dev/mode": "off", "class.headroom.dev/app": "b", "headroom.dev": "c", "team": "a"},
			map[string]string{"headroom.dev/mode": "off", "class.headroom.dev/app": "b", "headroom.dev": "c"},
		},
		{"a record", map[string]string{"headroom.dev/applied": "[]", "a.headroom.dev/applied": "b"}, map[string]string{"a.headroom.dev/applied": "b"}},
	} {
		if got := ownEntries(tc.given); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %v, not %v", tc.name, got, tc.want)
		}
	}
	long := func(n int) string { return strings.Repeat("x", n) }
	// A bound without room allows nothing, instead of everything.
	for _, key := range bounds {
		if got := ownEntries(map[string]string{key: long(maxKept)}); !reflect.DeepEqual(got, map[string]string{key: ""}) {
			t.Errorf("%s: %v", key, got)
		}
	}
	const a, b, c = "headroom.dev/a", "headroom.dev/b", "headroom.dev/c"
	for more, want := range map[int]string{0: a + " " + c, 1: a} {
		got := ownEntries(map[string]string{a: long(100), b: long(maxKept), c: long(maxKept - len(a) - 100 - len(c) + more)})
		if keys := strings.Join(slices.Sorted(maps.Keys(got)), " "); keys != want {
			t.Errorf("%d bytes too many: %s, not %s", more, keys, want)
		}
	}
}

func TestOnlyWhatIsReadIsKept(t *testing.T) {
	yes := true
	entries := map[string]string{"headroom.dev/a": "1", "other": "2"}
	kept := map[string]string{"headroom.dev/a": "1"}
	owner := metav1.OwnerReference{Kind: "Deployment", Name: "d", UID: "8", Controller: &yes}
	given := &metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{Kind: "ReplicaSet", APIVersion: "apps/v1"},
		ObjectMeta: metav1.ObjectMeta{
			Name: "a", Namespace: "b", UID: "7", ResourceVersion: "9", Labels: entries, Annotations: entries, Finalizers: []string{"f"},
			OwnerReferences: []metav1.OwnerReference{{Kind: "Other"}, owner}, ManagedFields: []metav1.ManagedFieldsEntry{{}},
		},
	}
	want := &metav1.PartialObjectMetadata{
		TypeMeta: given.TypeMeta, ObjectMeta: metav1.ObjectMeta{
			Name: "a", Namespace: "b", UID: "7", ResourceVersion: "9", Labels: kept, Annotations: kept,
			OwnerReferences: []metav1.OwnerReference{owner},
		},
	}
	if got, err := ownerKinds[0].keep(given); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v\nnot %+v", got, err, want)
	}
	alone := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: "Other"}}}}
	if got := slim(alone); got.OwnerReferences != nil || got.Labels != nil {
		t.Errorf("%+v", got)
	}
	quota := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ResourceQuota", "spec": map[string]any{"hard": "1"}, "status": "s",
		"metadata": map[string]any{"name": "a", "namespace": "b", "resourceVersion": "9", "labels": map[string]any{"a": "b"}},
	}}
	wantQuota := map[string]any{
		"apiVersion": "v1", "kind": "ResourceQuota", "spec": map[string]any{"hard": "1"},
		"metadata": map[string]any{"name": "a", "namespace": "b", "resourceVersion": "9"},
	}
	if got, err := kindResourceQuota.keep(quota); err != nil || !reflect.DeepEqual(got.(*unstructured.Unstructured).Object, wantQuota) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := kindNamespace.keep("other"); err != nil || got != "other" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSame(t *testing.T) {
	metadata := func(label, annotation, version string) *metav1.PartialObjectMetadata {
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Labels: map[string]string{"a": label}, Annotations: map[string]string{"b": annotation}, ResourceVersion: version,
		}}
	}
	whole := func(spec, status string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"a": spec}, "status": status}}
	}
	for _, tc := range []struct {
		name          string
		before, after any
		want          bool
	}{
		{"another version", metadata("1", "1", "1"), metadata("1", "1", "2"), true},
		{"another label", metadata("1", "1", "1"), metadata("2", "1", "1"), false},
		{"another annotation", metadata("1", "1", "1"), metadata("1", "2", "1"), false},
		{"another type", metadata("1", "1", "1"), whole("1", "1"), false},
		{"another status", whole("1", "1"), whole("1", "2"), true},
		{"another spec", whole("1", "1"), whole("2", "1"), false},
		{"metadata after all", whole("1", "1"), metadata("1", "1", "1"), false},
		{"of no known type", "a", "a", false},
	} {
		if got := (kind{}).same(tc.before, tc.after); got != tc.want {
			t.Errorf("%s: %t", tc.name, got)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, tc := range []struct {
		version, kind string
		want          bool
	}{
		{"apps/v1", "ReplicaSet", true},
		{"apps/v1beta2", "Deployment", true},
		{"v1", "ReplicationController", true},
		{"batch/v1", "CronJob", true},
		{"v1", "ReplicaSet", false},
		{"apps", "ReplicaSet", false},
		{"batch/v1", "ReplicaSet", false},
		{"apps/v1", "Other", false},
		{"", "ReplicationController", true},
	} {
		k, ok := ownerKind(metav1.OwnerReference{APIVersion: tc.version, Kind: tc.kind})
		if ok != tc.want || ok && k.Kind != tc.kind {
			t.Errorf("%+v: %+v, %t", tc, k, ok)
		}
	}
	yes, no := true, false
	for _, tc := range []struct {
		controller *bool
		want       bool
	}{{nil, false}, {&no, false}, {&yes, true}} {
		if got := isController(metav1.OwnerReference{Controller: tc.controller}); got != tc.want {
			t.Errorf("%v: %t", tc.controller, got)
		}
	}
	for _, k := range watched {
		mapping, err := mapper().RESTMapping(k.GroupKind(), "v1")
		if err != nil || (mapping.Scope.Name() == "root") != (k.Kind == "Namespace") {
			t.Errorf("%s: %+v, %v", k.Kind, mapping, err)
		}
		o := k.object()
		_, whole := o.(*unstructured.Unstructured)
		if o.GetObjectKind().GroupVersionKind() != k.GroupVersionKind || whole != k.whole {
			t.Errorf("%s: %T of %s", k.Kind, o, o.GetObjectKind().GroupVersionKind())
		}
	}
}

// memory is a Cluster that has no API server, and what it logs.
func memory(t *testing.T, o Options) (*Cluster, *[]string) {
	t.Helper()
	var lines []string
	o.Config = &rest.Config{Host: "https://127.0.0.1:1"}
	o.Log = funcr.New(func(_, args string) { lines = append(lines, args) }, funcr.Options{})
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, &lines
}

func TestBeforeTheCachesAreFilled(t *testing.T) {
	c, _ := memory(t, Options{Exclude: []string{"b", "a"}})
	if config := limited(c.options.Config); config.QPS != liveRate || config.Burst != liveBurst || c.options.Config.QPS != 0 {
		t.Errorf("%+v", config)
	}
	if got := c.Excluded(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%v", got)
	}
	if facts, err := c.Around(t.Context(), "a", admission.Owned{}); err != nil || facts.Mode != "off" || !facts.Excluded {
		t.Errorf("%+v, %v", facts, err)
	}
	if facts, err := c.Around(t.Context(), "c", admission.Owned{}); err == nil || facts.Mode != "" || err.Error() != "the caches are not filled yet" {
		t.Errorf("%+v, %v", facts, err)
	}
	if c.synced.Store(true); c.Ready() != nil {
		t.Error(c.Ready())
	}
	if _, err := c.Around(t.Context(), "c", admission.Owned{}); err == nil || !strings.HasPrefix(err.Error(), "look up namespace c: ") {
		t.Error(err)
	}
	c.namespaces["d"] = &surroundings{mode: "audit", mutate: true, chains: map[string]chain{}}
	if facts, err := c.Around(t.Context(), "d", admission.Owned{}); err != nil || facts.Mode != "audit" || !facts.Mutate || facts.Around == nil || facts.Excluded {
		t.Errorf("%+v, %v", facts, err)
	}
}

func TestLabelsThatMeanNothingAreSaidOnce(t *testing.T) {
	c, lines := memory(t, Options{DefaultMode: "audit", DefaultMutate: true})
	for _, tc := range []struct {
		namespace, mode, mutate string
		wantMode                string
		wantMutate              bool
		said                    int
	}{
		{"a", "", "", "audit", true, 0},
		{"a", "off", "disabled", "off", false, 0},
		{"a", "enforce", "enabled", "enforce", true, 0},
		{"a", "On", "", "audit", true, 1},
		{"a", "On", "", "audit", true, 1},
		{"b", "On", "yes", "audit", true, 3},
		{"b", "Off", "no", "audit", true, 5},
		{"b", "warn", "no", "warn", true, 5},
	} {
		namespace := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: tc.namespace, Labels: map[string]string{labelMode: tc.mode, labelMutate: tc.mutate},
		}}
		mode, mutate := c.mode(namespace), c.mutate(namespace)
		if mode != tc.wantMode || mutate != tc.wantMutate || len(*lines) != tc.said {
			t.Errorf("%+v: %s, %t, %q", tc, mode, mutate, *lines)
		}
	}
	want := `"label has no known value, the default holds" "namespace"="a" "label"="headroom.dev/mode" "value"="On" "default"="audit"`
	if !strings.Contains((*lines)[0], want) {
		t.Errorf("%s", (*lines)[0])
	}
}

func TestEventsForgetANamespace(t *testing.T) {
	c, _ := memory(t, Options{})
	quota := func(spec string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{"spec": spec, "metadata": map[string]any{"namespace": "a"}}}
	}
	on := c.forgetting(kindResourceQuota)
	for _, tc := range []struct {
		name    string
		event   func()
		forgets bool
	}{
		{"a new one", func() { on.OnAdd(quota("1"), true) }, true},
		{"one that is gone", func() { on.OnDelete(quota("1")) }, true},
		{"one that went unseen", func() { on.OnDelete(toolscache.DeletedFinalStateUnknown{Obj: quota("1")}) }, true},
		{"another spec", func() { on.OnUpdate(quota("1"), quota("2")) }, true},
		{"the same spec", func() { on.OnUpdate(quota("1"), quota("1")) }, false},
		{"no object", func() { on.OnAdd("text", true) }, false},
	} {
		c.namespaces = map[string]*surroundings{"a": {}, "b": {}}
		before := c.changes
		tc.event()
		if _, kept := c.namespaces["a"]; kept == tc.forgets || c.changes-before != uint64(len(c.namespaces)%2) || c.namespaces["b"] == nil {
			t.Errorf("%s: %v, %d changes", tc.name, c.namespaces, c.changes-before)
		}
	}
}

func TestChainsOfOwners(t *testing.T) {
	s := &surroundings{
		mode: "warn", name: "a", lists: map[string][]map[string]any{"limit_ranges": {{"a": "b"}}}, about: []byte("[]"), chains: map[string]chain{},
	}
	first, err := s.facts([]owner{{Kind: "ReplicaSet", Annotations: map[string]string{"x": "1"}}, {Kind: "Deployment"}})
	if err != nil || first.Mode != "warn" || first.Mutate || len(first.Fingerprint) != 64 {
		t.Fatalf("%+v, %v", first, err)
	}
	if owners := fmt.Sprint(first.Around.Listed("owners")); owners != "[map[annotations:map[x:1] kind:ReplicaSet] map[annotations:map[] kind:Deployment]]" {
		t.Errorf("%s", owners)
	}
	if first.Around.Namespace != "a" || len(first.Around.Listed("limit_ranges")) != 1 {
		t.Errorf("%+v", first.Around)
	}
	again, err := s.facts([]owner{{Kind: "ReplicaSet", Annotations: map[string]string{"x": "1"}}, {Kind: "Deployment"}})
	if err != nil || again.Around != first.Around || again.Fingerprint != first.Fingerprint || len(s.chains) != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	other, err := s.facts(nil)
	if err != nil || other.Fingerprint == first.Fingerprint || len(other.Around.Listed("owners")) != 0 {
		t.Errorf("%+v, %v", other, err)
	}
	elsewhere := &surroundings{about: []byte("[1]"), chains: map[string]chain{}}
	if facts, err := elsewhere.facts(nil); err != nil || facts.Fingerprint == other.Fingerprint {
		t.Errorf("%+v, %v", facts, err)
	}
	// Long ones are not remembered, and of the others only so many.
	for more, want := range map[int]int{0: 3, 1: 2} {
		kept := maps.Clone(s.chains)
		if _, err := s.with(nil, make([]byte, maxChain+more)); err != nil || len(s.chains) != want {
			t.Errorf("%d bytes too many: %d chains, %v", more, len(s.chains), err)
		}
		s.chains = kept
	}
	for i := len(s.chains); i < maxChains; i++ {
		if _, err := s.with(nil, fmt.Append(nil, i)); err != nil || len(s.chains) != i+1 {
			t.Fatalf("%d chains, %v", len(s.chains), err)
		}
	}
	if _, err := s.with(nil, []byte("one more")); err != nil || len(s.chains) != 1 {
		t.Errorf("%d chains, %v", len(s.chains), err)
	}
}
