package decision

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// seed is an object with what stands beside it in its file.
type seed struct {
	name   string
	object map[string]any
	around *engine.Context
}

// seeds are the objects of the samples, of every rule's bad example and of tests/manifests, and
// Pods made up; each dressed with whatever an API server or controller adds.
func seeds(t testing.TB) []seed {
	t.Helper()
	var all []seed
	for _, root := range repo.Manifests() {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" || filepath.Base(path) == "good.yaml" {
				return err
			}
			all = append(all, fileSeeds(t, path)...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 30 {
		pod := dressed(generated(random))
		all = append(all, seed{"generated " + strconv.Itoa(i), pod, &engine.Context{Namespace: "shop"}})
	}
	return all
}

var besides = map[string]string{
	"Namespace": "namespaces", "LimitRange": "limit_ranges", "ResourceQuota": "resource_quotas",
}

func fileSeeds(t testing.TB, path string) []seed {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var objects []map[string]any
	lists := map[string][]map[string]any{}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document map[string]any
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil // templates of charts and the like
		}
		kind, _ := document["kind"].(string)
		if list := besides[kind]; list != "" {
			lists[list] = append(lists[list], document)
		}
		version, _ := document["apiVersion"].(string)
		if engine.TemplatePath(version, kind) != "" {
			objects = append(objects, document)
		}
	}
	var all []seed
	if strings.HasPrefix(path, repo.Path("tests/manifests")) && len(objects) > 1 {
		objects = objects[:1] // a file's objects are much alike
	}
	for _, object := range objects {
		around, err := engine.NewContext("shop", lists)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, seed{path, dressed(plain(t, object)), around})
	}
	return all
}

// plain gives an object as JSON would.
func plain(t testing.TB, object map[string]any) map[string]any {
	t.Helper()
	manifest, err := decoded([]byte(jsonOf(t, object)))
	if err != nil {
		t.Fatal(err)
	}
	return manifest
}

func jsonOf(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// dressed adds every field that is left out of a decision, where it is not there already.
func dressed(object map[string]any) map[string]any {
	version, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	metadata := child(object, "metadata")
	template := object
	if path := engine.TemplatePath(version, kind); path != "-" && path != "" {
		for _, step := range strings.Split(path, ".") {
			template = child(template, step)
		}
	}
	for key, value := range map[string]any{
		"name": "a-1", "generateName": "a-", "uid": "1-2", "resourceVersion": "5", "generation": json.Number("2"),
		"creationTimestamp": "2026-01-01T00:00:00Z", "deletionTimestamp": "2026-01-02T00:00:00Z",
		"deletionGracePeriodSeconds": json.Number("30"), "selfLink": "/api", "finalizers": []any{"a/b"},
		"labels":        map[string]any{"app": "a", "pod-template-hash": "7d4b9"},
		"managedFields": []any{map[string]any{"manager": "kubectl"}},
		"ownerReferences": []any{map[string]any{
			"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "a", "uid": "7", "controller": true,
		}},
	} {
		if _, ok := metadata[key]; !ok {
			metadata[key] = value
		}
	}
	annotations := child(metadata, "annotations")
	annotations[lastApplied], annotations[completionIndex] = "{}", "4"
	child(template, "metadata")["labels"] = map[string]any{"app": "a"}
	spec := child(template, "spec")
	for key, value := range map[string]any{
		"volumes": []any{
			map[string]any{"name": "kube-api-access-x7x7x", "emptyDir": map[string]any{"sizeLimit": "1Gi"}},
			map[string]any{"name": "d", "persistentVolumeClaim": map[string]any{"claimName": "data-a-1"}},
		},
		"affinity": map[string]any{"nodeAffinity": map[string]any{}}, "tolerations": []any{map[string]any{"key": "a"}},
		"hostname": "a-1", "nodeName": "node-1",
	} {
		if _, ok := spec[key]; !ok {
			spec[key] = value
		}
	}
	for _, list := range []string{"containers", "initContainers"} {
		containers, _ := spec[list].([]any)
		for _, entry := range containers {
			if container, ok := entry.(map[string]any); ok {
				container["volumeMounts"] = []any{map[string]any{"name": "kube-api-access-x7x7x", "mountPath": "/a"}}
				container["volumeDevices"] = []any{map[string]any{"name": "d", "devicePath": "/d"}}
			}
		}
	}
	object["status"] = map[string]any{"phase": "Pending", "containerStatuses": []any{map[string]any{"name": "app"}}}
	return object
}

func child(object map[string]any, key string) map[string]any {
	inner, ok := object[key].(map[string]any)
	if !ok {
		inner = map[string]any{}
		object[key] = inner
	}
	return inner
}

// generated makes a Pod up.
func generated(random *rand.Rand) map[string]any {
	pick := func(values ...any) any { return values[random.IntN(len(values))] }
	container := func(name string) map[string]any {
		resources := map[string]any{}
		for _, part := range []string{"requests", "limits"} {
			if random.IntN(3) > 0 {
				resources[part] = map[string]any{"cpu": pick("500m", "2", "250m"), "memory": pick("512Mi", "1Gi", "512m")}
			}
		}
		image := pick("nginx", "eclipse-temurin:21", "envoyproxy/envoy")
		c := map[string]any{"name": name, "image": image, "resources": resources}
		if random.IntN(2) == 0 {
			c["command"] = []any{"java", "-jar", "app.jar"}
		}
		if random.IntN(2) == 0 {
			c["env"] = []any{map[string]any{
				"name":  pick("JAVA_TOOL_OPTIONS", "JAVA_OPTS", "GOMAXPROCS", "WEB_CONCURRENCY"),
				"value": pick("-Xmx512m", "-XX:+UseG1GC -Xss512k", "4", "8"),
			}}
		}
		return c
	}
	spec := map[string]any{"containers": []any{container("app"), container("other")}}
	if random.IntN(2) == 0 {
		sidecar := container("proxy")
		sidecar["restartPolicy"] = pick("Always", nil)
		spec["initContainers"] = []any{sidecar}
	}
	annotations := map[string]any{}
	if random.IntN(3) > 0 {
		annotations["headroom.dev/workload-class"] = pick("latency-sensitive", "batch", "cron", "multi-tenant", "wrong")
	}
	if random.IntN(3) == 0 {
		annotations["ignore.headroom.dev/HR202"] = pick("known", "until=2020-01-01; was known", "")
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"annotations": annotations}, "spec": spec,
	}
}

// podOf is a Pod of the engine's benchmarks as the API server sends it: with
// managedFields, which make up nearly half of it.
func podOf(tb testing.TB, name string) string {
	tb.Helper()
	text, err := os.ReadFile("../../policies/engine/testdata/bench/" + name + ".yaml")
	if err != nil {
		tb.Fatal(err)
	}
	object, err := kyaml.YAMLToJSON(text)
	if err != nil {
		tb.Fatal(err)
	}
	managed := `"metadata":{"uid":"9b0d5c3e","creationTimestamp":"2026-11-21T10:00:00Z","managedFields":[{"manager":` +
		`"kube-controller-manager","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{` +
		strings.Repeat(`"k:{\"name\":\"SOME_VARIABLE\"}":{".":{},"f:name":{},"f:value":{}},`, 80) + `"f:x":{}}}],`
	return strings.Replace(string(object), `"metadata":{`, managed, 1)
}
