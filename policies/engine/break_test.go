package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// wrong are the values that take the place of a node. Most are of a kind that its reader
// does not expect; the texts are what built-ins choke on.
var wrong = []any{
	nil, true, false, 0, -1, 1, 3, 1.5, -0.25, json.Number("1e400"), json.Number("9223372036854775808"),
	json.Number("123456789012345678901234567890"), "", " ", "x", "0", "-1", "1.5", "1e3", "100m", "512Mi",
	"2000E", "1e99999999", "NaN", "0x1F", "1_000", "\x00\x1b[31m", "\u202e\u00a0", "%d%s%", "a=b=c",
	"until=0000-01-01;a", "until=9999-12-31;a", "until=2027-02-30; b", "until=;",
	"version=", "version=17 threads=-1 native=x", "go version=1.", "1.99999999999999999999", "$(A) $B ${C",
	"-XX:", "-Xmx", "-Xmx99999999999999999999g", "-Xss0", "-XX:MaxRAMPercentage=", "-XX:MaxRAMPercentage=1e5",
	"-XX:+UseG1GC -XX:-UseG1GC", "-XX:ParallelGCThreads=0", "-XX:ConcGCThreads=-1", "-XX:Flag==;&%+\"'",
	"'unclosed", "\\", "java", "exec java -jar a.jar", "@argfile", "gunicorn -w", "celery --concurrency=x",
	"latency-sensitive", "batch", "cron", "sidecar", "multi-tenant", "jvm", "go", "20ms", "1h1h", "Always", "windows",
	strings.Repeat("9", 40), strings.Repeat("ab ", 3000),
	[]any{},
	[]any{nil},
	[]any{"a", 1, map[string]any{}},
	[]any{[]any{}},
	[]any{"-c", "java -Xmx1g"},
	map[string]any{},
	map[string]any{"a": nil},
	map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g -Xmx2g"},
	map[string]any{"name": "JAVA_TOOL_OPTIONS", "valueFrom": map[string]any{"configMapKeyRef": 1}},
	map[string]any{"requests": map[string]any{"cpu": nil}, "limits": []any{}},
	map[string]any{"cpu": "0", "memory": map[string]any{}},
}

// annotationKeys are the keys that the policies read, for objects that carry none of them.
var annotationKeys = []string{
	"headroom.dev/workload-class", "class.headroom.dev/app", "headroom.dev/cpu-average",
	"cpu-average.headroom.dev/app",
	"cpu-peak.headroom.dev/app", "memory-peak.headroom.dev/app", "headroom.dev/cpu-allocation", "runtime.headroom.dev/app",
	"jvm.headroom.dev/app", "cores-per-worker.headroom.dev/app", "inject.headroom.dev/app", "headroom.dev/cpu-pinning",
	"headroom.dev/applied", "ignore.headroom.dev/HR202", "ignore.headroom.dev/latency-cpu-limit", "ignore.headroom.dev/",
	"headroom.dev/default-class", "headroom.dev/allowed-classes", "headroom.dev/allow-ignore", "headroom.dev/mode",
	"kubectl.kubernetes.io/default-container", "kubernetes.io/config.mirror", "headroom.dev/", "class.headroom.dev/",
}

// keys are fields that the policies read and that a manifest may not have.
var keys = []string{
	"resources", "limits", "requests", "env", "envFrom", "command", "args", "restartPolicy", "initContainers",
	"annotations", "ephemeralContainers", "ownerReferences", "nodeSelector", "os", "items", "kind", "name", "value",
	"valueFrom", "image",
}

// dull are places that the policies hardly look at, and most of a real manifest.
var dull = regexp.MustCompile(`/(labels|matchLabels|selector|ports|volumes|volumeMounts|securityContext|\w+Probe)`)

// breakOne changes one random node of *root and says how.
func breakOne(random *rand.Rand, root *any) string {
	nodes := collect(root)
	at := nodes[random.IntN(len(nodes))]
	for tries := 0; tries < 4 && dull.MatchString(at.path); tries++ {
		at = nodes[random.IntN(len(nodes))]
	}
	old := at.get()
	switch random.IntN(8) {
	case 0:
		if at.remove != nil {
			at.remove()
			return "removed " + at.path
		}
	case 1: // what stands elsewhere in the manifest
		other := nodes[random.IntN(len(nodes))]
		at.set(DeepCopy(other.get()))
		return fmt.Sprintf("%s := %s", at.path, other.path)
	case 2, 3:
		if object, ok := old.(map[string]any); ok && object != nil {
			pool := keys
			if strings.HasSuffix(at.path, "annotations") || random.IntN(3) == 0 {
				pool = annotationKeys
			}
			key := pool[random.IntN(len(pool))]
			if strings.HasSuffix(key, "/app") {
				key = strings.TrimSuffix(key, "app") + someName(random, *root)
			}
			object[key] = DeepCopy(wrong[random.IntN(len(wrong))])
			return fmt.Sprintf("%s/%s := %.40v", at.path, key, object[key])
		}
		if list, ok := old.([]any); ok && len(list) > 0 {
			at.set(append(list, DeepCopy(list[random.IntN(len(list))])))
			return "doubled in " + at.path
		}
	}
	value := DeepCopy(wrong[random.IntN(len(wrong))])
	at.set(value)
	return fmt.Sprintf("%s := %.40v", at.path, value)
}

// someName is a name that the manifest gives to something, often a container.
func someName(random *rand.Rand, root any) string {
	var names []string
	for _, at := range collect(&root) {
		if name, ok := at.get().(string); ok && strings.HasSuffix(at.path, "/name") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "app"
	}
	return names[random.IntN(len(names))]
}

// node is a place in a document.
type node struct {
	path   string
	get    func() any
	set    func(any)
	remove func() // nil where nothing can be removed
}

func collect(root *any) []node {
	nodes := []node{{"", func() any { return *root }, func(value any) { *root = value }, nil}}
	return below(*root, "", nodes)
}

func below(value any, path string, nodes []node) []node {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			here := path + "/" + key
			nodes = append(nodes, node{
				here, func() any { return v[key] }, func(value any) { v[key] = value }, func() { delete(v, key) },
			})
			nodes = below(v[key], here, nodes)
		}
	case []any:
		for i := range v {
			here := fmt.Sprintf("%s/%d", path, i)
			nodes = append(nodes, node{here, func() any { return v[i] }, func(value any) { v[i] = value }, nil})
			nodes = below(v[i], here, nodes)
		}
	}
	return nodes
}
