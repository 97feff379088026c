//go:build integration

package converge_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	goyaml "go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// manifests are those of the project, and of others where there are any (HEADROOM_CORPUS).
func manifests(tb testing.TB) []subject {
	tb.Helper()
	var all []subject
	for _, root := range append(repo.SaidProjects(tb), repo.Manifests()...) {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".yaml") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			found, err := subjects(path, text)
			all = append(all, found...)
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return all
}

// subjects are the documents of one file; those that others are judged by stand beside them.
func subjects(path string, text []byte) ([]subject, error) {
	lists := map[string]string{
		"Namespace": "namespaces", "LimitRange": "limit_ranges", "ResourceQuota": "resource_quotas", "ConfigMap": "config_maps",
	}
	around := map[string][]map[string]any{}
	var found []subject
	decoder := goyaml.NewDecoder(bytes.NewReader(text))
	for i := 0; ; i++ {
		var document any
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		one, err := goyaml.Marshal(document)
		if err != nil {
			return nil, err
		}
		converted, err := yaml.YAMLToJSON(one)
		if err != nil {
			return nil, err
		}
		var object map[string]any
		if err := json.Unmarshal(converted, &object); err != nil || object == nil {
			continue
		}
		if list, ok := lists[fmt.Sprint(object["kind"])]; ok {
			around[list] = append(around[list], object)
			continue
		}
		found = append(found, subject{name: fmt.Sprintf("%s#%d", path, i), object: object, around: around})
	}
}

// pod is one container that bursts, in a class, with what somebody declared of it.
func pod(t *rapid.T) map[string]any {
	pick := func(label string, values ...string) string { return rapid.SampledFrom(values).Draw(t, label) }
	annotations := map[string]any{}
	note := func(name string, values ...string) {
		if value := pick(name, append(values, "", "")...); value != "" {
			annotations[name] = value
		}
	}
	note("headroom.dev/workload-class", "latency-sensitive", "latency-sensitive", "batch", "sidecar", "cron", "multi-tenant")
	note("cores-per-worker.headroom.dev/app", "100m", "250m", "500m", "900m", "1", "2")
	note("cpu-average.headroom.dev/app", "50m", "300m", "750m", "1", "1900m", "4")
	note("cpu-peak.headroom.dev/app", "100m", "500m", "1500m", "4")
	note("headroom.dev/cpu-allocation", "1", "2500m")
	note("jvm.headroom.dev/app", "version=17 pause=5ms", "version=21 pause=45ms", "version=25 pause=200ms")
	note("ignore.headroom.dev/HR202", "on purpose")
	c := map[string]any{"name": "app", "image": "example.com/app:1"}
	cpus := []string{"", "100m", "250m", "500m", "900m", "1", "1500m", "2", "2500m", "3999m", "4", "6400m", "8", "16"}
	resources := map[string]any{}
	for _, list := range []string{"requests", "limits"} {
		amounts := map[string]any{"memory": pick("memory", "2Gi", "4Gi")}
		if cpu := pick("cpu of "+list, cpus...); cpu != "" {
			amounts["cpu"] = cpu
		}
		resources[list] = amounts
	}
	c["resources"] = resources
	workers := pick("workers", "1", "2", "3", "4", "8", "9", "16", "33")
	switch pick("runs", "variable", "libuv", "gunicorn", "arguments", "java", "java", "java", "go") {
	case "variable":
		c["env"] = variable("WEB_CONCURRENCY", workers)
	case "libuv":
		c["env"] = variable("UV_THREADPOOL_SIZE", workers)
	case "gunicorn":
		c["command"] = []any{"gunicorn", "-w", workers, "a:b"}
	case "arguments":
		c["command"], c["env"] = []any{"gunicorn", "a:b"}, variable("GUNICORN_CMD_ARGS", "--timeout 8 --workers="+workers)
	case "go":
		annotations["runtime.headroom.dev/app"] = pick("line", "go", "go version=1.24", "go version=1.25")
		c["env"] = variable(pick("name", "GOMAXPROCS", "GOGC"), pick("value", "1", "2", "4", "16"))
	default:
		flags := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
			"-XX:+UseG1GC", "-XX:+UseParallelGC", "-XX:+UseZGC", "-XX:+UseShenandoahGC", "-XX:+UseSerialGC",
			"-XX:ParallelGCThreads=1", "-XX:ParallelGCThreads=2", "-XX:ParallelGCThreads=3", "-XX:ParallelGCThreads=25",
			"-XX:ConcGCThreads=1", "-XX:ConcGCThreads=2", "-XX:ConcGCThreads=6",
			"-XX:CICompilerCount=2", "-XX:CICompilerCount=3", "-XX:CICompilerCount=8",
			"-XX:ActiveProcessorCount=1", "-XX:ActiveProcessorCount=2", "-XX:ActiveProcessorCount=16", "-Xmx1g",
		}), 0, 4, flagName).Draw(t, "flags")
		words := []any{"java"}
		if rapid.Bool().Draw(t, "in a variable") {
			c["env"] = variable("JAVA_TOOL_OPTIONS", strings.Join(flags, " "))
		} else {
			for _, f := range flags {
				words = append(words, f)
			}
		}
		c["command"] = append(words, "-jar", "a.jar")
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "p", "annotations": annotations},
		"spec": map[string]any{"containers": []any{c}},
	}
}

// flagName keeps a JVM from two collectors and from one flag with two values.
func flagName(flag string) string {
	if strings.HasPrefix(flag, "-XX:+Use") {
		return "collector"
	}
	return strings.SplitN(flag, "=", 2)[0]
}

func variable(name, value string) []any {
	return []any{map[string]any{"name": name, "value": value}}
}
