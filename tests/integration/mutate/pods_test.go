//go:build integration

package mutate_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/images"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// A given is a Pod, and its Namespace where the same file has one.
type given struct {
	name           string
	pod, namespace map[string]any
	cautious       string // why the CEL may leave more alone than the Rego, "" where it may not
}

func (g given) review(t tester) engine.Review {
	t.Helper()
	lists := map[string][]map[string]any{}
	if g.namespace != nil {
		lists["namespaces"] = []map[string]any{g.namespace}
	}
	around, err := engine.NewContext("shop", lists)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Review{Manifest: g.pod, Around: around}
}

// pods are all Pods of the manifests that there are, and a Pod of every template.
func pods(t *testing.T) []given {
	t.Helper()
	var list []given
	for _, root := range slices.Concat(repo.Manifests(), []string{repo.Path("tests/system/conformance/corpus")}, repo.SaidProjects(t)) {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".yaml") {
				list = append(list, podsOf(t, path)...)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func podsOf(t *testing.T, file string) []given {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []given
	namespaces := map[any]map[string]any{}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	for i := 1; ; i++ {
		var object map[string]any
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			break // HR001's examples are read by others
		}
		object, _ = whole(object).(map[string]any)
		metadata, _ := object["metadata"].(map[string]any)
		if object["kind"] == "Namespace" {
			namespaces[metadata["name"]] = object
			continue
		}
		for _, pod := range podOf(object) {
			list = append(list, given{name: strings.TrimPrefix(file, repo.Root()+"/") + "#" + strconv.Itoa(i), pod: pod, namespace: map[string]any{"in": metadata["namespace"]}})
		}
	}
	for i := range list {
		list[i].cautious = caution(list[i].pod)
		list[i].namespace = namespaces[list[i].namespace["in"]]
		if list[i].namespace != nil {
			metadata, _ := list[i].namespace["metadata"].(map[string]any)
			list[i].namespace = map[string]any{"metadata": map[string]any{"name": "shop", "annotations": metadata["annotations"], "labels": metadata["labels"]}}
		}
	}
	return list
}

// absurd are amounts near the end of the integers, where CEL's arithmetic ends and Rego's does not.
var absurd = regexp.MustCompile(`"[0-9]+[PE]i?"`)

// caution says why a Pod may be left more alone than the Rego leaves it, "" where it may not.
func caution(pod map[string]any) string {
	words := text(pod)
	for _, c := range cautions {
		if c.pattern.MatchString(words) {
			return c.why
		}
	}
	if knownImage().MatchString(words) {
		return "what the start script of a known image does is not worked out in CEL"
	}
	return ""
}

// knownImage finds the images that the policies know.
var knownImage = sync.OnceValue(func() *regexp.Regexp {
	known, err := images.Names()
	if err != nil {
		panic(err)
	}
	var names []string
	for name := range known {
		names = append(names, regexp.QuoteMeta(name))
	}
	return regexp.MustCompile(`"image":"(?:[^"]*/)?(?:` + strings.Join(names, "|") + `)[:@"]`)
})

var cautions = []struct {
	pattern *regexp.Regexp
	why     string
}{
	{absurd, "amounts that no node has, and that are near the end of the integers"},
	{
		regexp.MustCompile(`(?:ParallelGC|ConcGC)Threads|CICompilerCount|-XX:-Use(?:G1|Serial)GC`),
		"CEL does not know which releases start with these flags, and so changes nothing where one of them may not",
	},
	{
		regexp.MustCompile(`-Xm[sn]|-XX:(?:InitialHeapSize|NewSize|OldSize|G1HeapRegionSize|ErgoHeapSizeLimit|CompilationMode)=|` +
			`UseShenandoahGC|AggressiveHeap`),
		"what lifts a heap, and the threads of some collectors, are not worked out in CEL",
	},
	{regexp.MustCompile(`[ "]pause=`), "how long a collection takes is not read"},
	{regexp.MustCompile(`cpu-pinning`), "a Pod that would be pinned after its memory requests were raised keeps its CPU limits"},
	{regexp.MustCompile(`kubernetes\.io/limit-ranger`), "what a LimitRange has filled in is not told from what was written"},
}

// podOf is the Pod that an object is or makes.
func podOf(object map[string]any) []map[string]any {
	if items, ok := object["items"].([]any); ok {
		var list []map[string]any
		for _, item := range items {
			if item, ok := item.(map[string]any); ok {
				list = append(list, podOf(item)...)
			}
		}
		return list
	}
	kind, _ := object["kind"].(string)
	if kind == "Pod" {
		return []map[string]any{object}
	}
	spec, _ := object["spec"].(map[string]any)
	if job, ok := spec["jobTemplate"].(map[string]any); ok {
		spec, _ = job["spec"].(map[string]any)
	}
	template, _ := spec["template"].(map[string]any)
	if template == nil {
		return nil
	}
	metadata := map[string]any{"name": "a"}
	if own, ok := template["metadata"].(map[string]any); ok {
		metadata["annotations"] = own["annotations"]
	}
	if metadata["annotations"] == nil {
		delete(metadata, "annotations")
	}
	if owner := map[string]string{"Job": "Job", "CronJob": "Job", "Deployment": "ReplicaSet"}[kind]; owner != "" {
		metadata["ownerReferences"] = []any{map[string]any{"apiVersion": "v1", "kind": owner, "name": "a", "uid": "1", "controller": true}}
	}
	return []map[string]any{{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}}
}

// whole makes int64 of int, as objects of Kubernetes have it.
func whole(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, x := range v {
			v[key] = whole(x)
		}
	case []any:
		for i, x := range v {
			v[i] = whole(x)
		}
	case int:
		return int64(v)
	case float64: // as JSON has them
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return value
}
