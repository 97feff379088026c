//go:build integration

package jvm_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

var (
	heapOfJVM   = regexp.MustCompile(`\bMaxHeapSize\s+:?=\s+([0-9]+)`)
	heapOfModel = regexp.MustCompile(`The maximum heap is ([0-9]+) MiB`)
)

// Files of options are read as the JDKs read them. FILE stands for the file in the arguments.
func TestOptionFiles(t *testing.T) {
	e, err := engine.New(context.Background(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, text string }{
		{"@FILE", "# all of it\n-Xmx300m # the heap\n"},
		{"@FILE", "\"-Dx=a \\\n   b\" '-Xmx300m'\r\n"},
		{"@FILE", "-XX:MaxHeapSize='300m' -Dx=\\"},
		{"@FILE -Xmx400m", "-Xmx300m"},
		{"-Xmx400m @FILE", "\"-Dx=\\\"a\\\\\"\n-Xmx300m"},
		{"-Xmx500m -XX:VMOptionsFile=FILE", "\"-Dx=a b\"\n-Xmx300m\n"},
		{"-XX:VMOptionsFile=FILE -Xmx500m", "-Xmx300m"},
		{"-XX:Flags=FILE", "# a file\n+UseSerialGC MaxHeapSize=300m # the heap\n"},
		{"-XX:Flags=FILE -Xmx400m", "MaxHeapSize=300m"},
	} {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		args := strings.Fields(strings.ReplaceAll(c.args, "FILE", file))
		told := modelled(t, e, args, file, c.text)
		for _, jdk := range findJDKs(t) {
			if jdk.Feature < 9 {
				continue // it has no argument files, and no VMOptionsFile
			}
			output, err := exec.Command(jdk.Java, append(args, "-XX:+PrintFlagsFinal", "-version")...).CombinedOutput()
			found := heapOfJVM.FindSubmatch(output)
			if err != nil || found == nil {
				t.Fatalf("%s %s with %q: %v: %s", jdk.Build, c.args, c.text, err, output)
			}
			if bytes, _ := strconv.Atoi(string(found[1])); bytes>>20 != told {
				t.Errorf("%s %s with %q: the heap is %d MiB, and the model says %d", jdk.Build, c.args, c.text, bytes>>20, told)
			}
		}
	}
}

// modelled is the heap that HR304 tells of, in MiB, where a ConfigMap holds the file.
func modelled(t *testing.T, e *engine.Engine, args []string, file, text string) int {
	t.Helper()
	command := []any{"java"}
	for _, arg := range args {
		command = append(command, arg)
	}
	around, err := engine.NewContext("shop", map[string][]map[string]any{"config_maps": {{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "options"}, "data": map[string]any{"file": text},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	result, err := e.Evaluate(context.Background(), engine.Review{Around: around, Manifest: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "cart"}, "spec": map[string]any{
			"volumes": []any{map[string]any{"name": "options", "configMap": map[string]any{"name": "options"}}},
			"containers": []any{map[string]any{
				"name": "app", "image": "eclipse-temurin:21", "command": append(command, "-jar", "a.jar"),
				"resources":    map[string]any{"limits": map[string]any{"memory": "64Mi"}},
				"volumeMounts": []any{map[string]any{"name": "options", "mountPath": filepath.Dir(file)}},
			}},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		if found := heapOfModel.FindStringSubmatch(f.Message); f.Rule == "HR304" && found != nil && f.Severity == engine.SeverityError {
			mib, _ := strconv.Atoi(found[1])
			return mib
		}
	}
	return 0
}
