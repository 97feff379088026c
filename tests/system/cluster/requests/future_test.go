//go:build system

package requests

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/tidwall/gjson"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/webhook"
)

// futures are fields that no Kubernetes has yet, with values that do not survive being
// decoded into types, into floats, or being written anew.
var futures = []struct{ path, value string }{
	{"spec.futureScheduling", `{"weights":[1.0,1e3,12345678901234567890,-0.0],"empty":{},"nothing":null,"none":[]}`},
	{"spec.futureText", `"a<b>&\u0041\/é"`},
	{"spec.containers.0.futureLimits", `{"gpu-memory":"0x10","list":[[],{"a.b/c~d":false}]}`},
	{"spec.containers.0.resources.future", `[{"dra":"1.50"}]`},
	{"spec.containers.0.resources.requests.example\\.com/thing", `"1E0"`},
	{"spec.containers.0.env.0.valueFrom.futureRef", `{"optional":1.10}`},
	{"metadata.futureMetadata", `"\ud83d\ude00 \u2028"`},
	{"metadata.annotations.example\\.com/note~1", `" two\tspaces  "`},
	{"futureTopLevel", `{"a":{"a":{"a":0.10}}}`},
}

const future = `{"apiVersion":"v1","kind":"Pod","futureTopLevel":{"a":{"a":{"a":0.10}}},
 "metadata":{"name":"a","futureMetadata":"\ud83d\ude00 \u2028","annotations":{
  "headroom.dev/workload-class":"latency-sensitive","runtime.headroom.dev/app":"native",
  "example.com/note~1":" two\tspaces  "}},
 "spec":{"futureScheduling":{"weights":[1.0,1e3,12345678901234567890,-0.0],"empty":{},"nothing":null,"none":[]},
  "futureText":"a<b>&\u0041\/é",
  "containers":[{"name":"app","image":"app:1",
   "futureLimits":{"gpu-memory":"0x10","list":[[],{"a.b/c~d":false}]},
   "env":[{"name":"A","valueFrom":{"futureRef":{"optional":1.10}}}],
   "resources":{"future":[{"dra":"1.50"}],"requests":{"cpu":"500m","memory":"128Mi","example.com/thing":"1E0"},
    "limits":{"cpu":"2","memory":"256Mi"}}}]}}`

// F28: a field that we do not know comes out of a mutation as it went in, byte for byte.
// The API server would drop it, so this asks the process itself, and applies the patch by
// the library that the API server uses.
func TestF28UnknownFields(t *testing.T) {
	namespace := cluster.Namespace(t, warn, mutate)
	response := ask(t, webhook.PathMutate, namespace, []byte(future))
	after := patched(t, []byte(future), response.Patch)
	for _, f := range futures {
		if before := gjson.Get(future, f.path).Raw; before != f.value {
			t.Fatalf("%s is %s before", f.path, before)
		}
		if got := gjson.GetBytes(after, f.path).Raw; got != f.value {
			t.Errorf("%s is %s, was %s", f.path, got, f.value)
		}
	}
	if gjson.GetBytes(after, "spec.containers.0.resources.limits.cpu").Exists() ||
		gjson.GetBytes(after, "spec.containers.0.resources.requests.memory").Str != "256Mi" {
		t.Errorf("not fixed: %s", after)
	}
	touchesOnly(t, response.Patch, "/spec/containers/0/resources/", "/metadata/annotations/headroom.dev~1applied")
}

// patched applies a patch. The library writes anew only the objects on the way to a change.
func patched(t *testing.T, object, patch []byte) []byte {
	t.Helper()
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		t.Fatalf("%s: %v", patch, err)
	}
	after, err := operations.ApplyWithOptions(object, &jsonpatch.ApplyOptions{})
	if err != nil {
		t.Fatalf("%s: %v", patch, err)
	}
	return after
}

func touchesOnly(t *testing.T, patch []byte, allowed ...string) {
	t.Helper()
	var operations []struct{ Op, Path string }
	if err := json.Unmarshal(patch, &operations); err != nil || len(operations) == 0 {
		t.Fatalf("%s: %v", patch, err)
	}
	for _, operation := range operations {
		fine := false
		for _, prefix := range allowed {
			fine = fine || strings.HasPrefix(operation.Path, prefix)
		}
		if !fine {
			t.Errorf("%s %s", operation.Op, operation.Path)
		}
	}
}

// The same with every field that each release of Kubernetes knows, later ones than our
// types' included: its own sample of a Pod, with all of them set.
func TestF28EveryKnownField(t *testing.T) {
	namespace := cluster.Namespace(t, warn, mutate)
	module, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(module)), "testdata", "*", "core.v1.Pod.json"))
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			sample, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			// The samples' values are nonsense; these make it a Pod that can be fixed.
			sample = patched(t, sample, []byte(`[
				{"op":"remove","path":"/metadata/deletionTimestamp"},
				{"op":"remove","path":"/metadata/ownerReferences"},
				{"op":"remove","path":"/spec/resources"},
				{"op":"remove","path":"/spec/os"},
				{"op":"remove","path":"/spec/initContainers"},
				{"op":"remove","path":"/spec/containers/0/env"},
				{"op":"remove","path":"/spec/containers/0/envFrom"},
				{"op":"replace","path":"/spec/containers/0/name","value":"app"},
				{"op":"replace","path":"/metadata/annotations","value":
					{"headroom.dev/workload-class":"latency-sensitive","runtime.headroom.dev/app":"native"}},
				{"op":"replace","path":"/spec/containers/0/resources/limits","value":{"cpu":"2","memory":"256Mi"}},
				{"op":"replace","path":"/spec/containers/0/resources/requests","value":{"cpu":"1","memory":"256Mi"}}]`))
			response := ask(t, webhook.PathMutate, namespace, sample)
			touchesOnly(t, response.Patch,
				"/spec/containers/0/resources/limits/cpu", "/metadata/annotations/headroom.dev~1applied")
			// But for these, nothing is different.
			undo := []byte(`[{"op":"add","path":"/spec/containers/0/resources/limits/cpu","value":"2"},
				{"op":"remove","path":"/metadata/annotations/headroom.dev~1applied"}]`)
			back := patched(t, patched(t, sample, response.Patch), undo)
			if !jsonpatch.Equal(sample, back) {
				t.Errorf("other fields differ:\n%s\n%s", sample, back)
			}
		})
	}
}

// And through the API server: two namespaces, one of them mutated, and Pods with fields that
// are news to many programs. But for what is fixed they come out alike.
func TestF28ThroughTheAPIServer(t *testing.T) {
	pod := wrong("a")
	manifest := strings.Replace(text(t, pod), `"name":"app"`, `"name":"app",
		"resizePolicy":[{"resourceName":"memory","restartPolicy":"RestartContainer"}],
		"lifecycle":{"preStop":{"sleep":{"seconds":3}}},
		"ports":[{"containerPort":80,"hostIP":"10.0.0.1"}],
		"volumeMounts":[{"name":"all","mountPath":"/all","recursiveReadOnly":"IfPossible","readOnly":true}]`, 1)
	manifest = strings.Replace(manifest, `"spec":{`, `"spec":{
		"volumes":[{"name":"all","projected":{"sources":[{"clusterTrustBundle":{"name":"x","path":"ca"}}]}},
			{"name":"model","image":{"reference":"registry.example.com/model:1","pullPolicy":"Always"}}],
		"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule",
			"labelSelector":{},"matchLabelKeys":["a"],"nodeTaintsPolicy":"Honor"}],
		"schedulingGates":[{"name":"example.com/gate"}],
		"resourceClaims":[{"name":"gpu","resourceClaimName":"gpu"}],
		"securityContext":{"supplementalGroupsPolicy":"Strict","seLinuxChangePolicy":"Recursive"},`, 1)
	var specs []string
	for _, label := range []string{off, mutate} {
		namespace := cluster.Namespace(t, label)
		out := cluster.KubectlAs("admin", manifest, "create", "--namespace", namespace, "-f", "-", "-o", "name")
		if out.Code != 0 {
			t.Fatal(out.Stderr)
		}
		created, err := cluster.Client.CoreV1().Pods(namespace).Get(t.Context(), "a", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if label == mutate && (limited(created.Spec.Containers[0]) || created.Annotations[applied] == "") {
			t.Errorf("not fixed: %s", text(t, created))
		}
		raw, err := cluster.Client.CoreV1().RESTClient().Get().Namespace(namespace).Resource("pods").Name("a").
			SetHeader("Accept", "application/json").DoRaw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		spec := gjson.GetBytes(raw, "spec").Raw
		spec = strings.Replace(spec, `"limits":{"cpu":"2",`, `"limits":{`, 1)
		// The name of a token's volume is random.
		for _, volume := range gjson.Get(spec, "volumes.#.name").Array() {
			if strings.HasPrefix(volume.Str, "kube-api-access-") {
				spec = strings.ReplaceAll(spec, volume.Str, "token")
			}
		}
		specs = append(specs, spec)
	}
	if specs[0] != specs[1] {
		t.Errorf("without mutation:\n%s\nwith it:\n%s", specs[0], specs[1])
	}
	if !strings.Contains(specs[1], "seLinuxChangePolicy") || !strings.Contains(specs[1], "resizePolicy") {
		t.Errorf("the API server dropped fields itself: %s", specs[1])
	}
}
