//go:build integration

package jvm_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

// What reads the output of java reads the same after a fix. Each script says with its exit code whether it did, and a
// real JVM's answer to JAVA_TOOL_OPTIONS makes it fail.
func TestWhatReadsOutputReadsTheSame(t *testing.T) {
	e, err := engine.New(context.Background(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	machines := findJDKs(t)
	java := machines[len(machines)-1].Java
	const options = "JAVA_TOOL_OPTIONS"
	for _, script := range []string{
		`case "$(java -version 2>&1)" in openjdk*) ;; *) exit 1;; esac; java -version`,
		"case `java -version 2>&1 | head -n 1` in openjdk*) ;; *) exit 1;; esac; java -version",
		`java -version 2>&1 | head -n 1 | grep -q ^openjdk || exit 1; java -version`,
		`java -version 2>told; read first <told; case "$first" in openjdk*) ;; *) exit 1;; esac; java -version`,
		`java -version >told 2>told; read first <told; case "$first" in openjdk*) ;; *) exit 1;; esac; java -version`,
	} {
		run := func(env ...string) error {
			cmd := exec.Command("sh", "-c", script)
			cmd.Dir = t.TempDir()
			cmd.Env = append([]string{"PATH=" + filepath.Dir(java) + ":" + os.Getenv("PATH")}, env...)
			return cmd.Run()
		}
		if err := run(); err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		if run(options+"=-XX:ActiveProcessorCount=2") == nil {
			t.Errorf("%s does not read what java prints", script)
		}
		if set, ok := variableAfterFix(t, e, script, options); ok {
			if err := run(options + "=" + set); err != nil {
				t.Errorf("%s fails with %s=%s, which the fix sets", script, options, set)
			}
		}
	}
	// Where nothing reads the output, it is set.
	if _, ok := variableAfterFix(t, e, "exec java -jar a.jar", options); !ok {
		t.Error("no fix sets the variable at all")
	}
}

// variableAfterFix is the value that a fix gives a variable of a JVM which such a script starts.
func variableAfterFix(t *testing.T, e *engine.Engine, script, name string) (string, bool) {
	t.Helper()
	fixed, err := e.Fix(context.Background(), engine.Review{Manifest: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "cart", "annotations": map[string]any{"headroom.dev/workload-class": "latency-sensitive"}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "app", "image": "eclipse-temurin:21", "command": []any{"sh", "-c", script},
			"resources": map[string]any{
				"requests": map[string]any{"cpu": "1", "memory": "2Gi"}, "limits": map[string]any{"cpu": "2", "memory": "2Gi"},
			},
		}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if fixed.Object == nil {
		return "", false
	}
	container := fixed.Object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
	env, _ := container["env"].([]any)
	for _, entry := range env {
		if variable := entry.(map[string]any); variable["name"] == name {
			value, _ := variable["value"].(string)
			return value, true
		}
	}
	return "", false
}
