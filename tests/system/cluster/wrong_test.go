//go:build system

package cluster

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// ways are how a namespace can be labelled, and whether a developer notices.
var ways = []struct {
	name    string
	labels  []string
	noticed bool
}{
	{"warn", []string{"headroom.dev/mode=warn"}, true},
	{"warn-mutate", []string{"headroom.dev/mode=warn", "headroom.dev/mutate=enabled"}, true},
	{"enforce", []string{"headroom.dev/mode=enforce"}, true},
	{"enforce-mutate", []string{"headroom.dev/mode=enforce", "headroom.dev/mutate=enabled"}, true},
	{"audit", []string{"headroom.dev/mode=audit"}, false},
	{"off", []string{"headroom.dev/mode=off"}, false},
}

// What kubectl prints for each bad sample in each kind of namespace: a developer reads it. A
// dry run prints the same and leaves nothing.
func TestWrongSamplesPrinted(t *testing.T) {
	for _, way := range ways {
		for _, file := range samples(t, "wrong") {
			name := strings.TrimSuffix(filepath.Base(file), ".yaml")
			t.Run(way.name+"/"+name, func(t *testing.T) {
				namespace := "team-" + way.name + "-" + name
				sample := read(t, file, namespace)
				sample.furnish(t, namespace, way.labels...)

				dry := cluster.Apply(namespace, sample.workloads, "--dry-run=server")
				if left := cluster.Must(t, "get", "all", "-n", namespace, "-o", "name"); left != "" {
					t.Errorf("a dry run leaves %s", left)
				}
				real := cluster.Apply(namespace, sample.workloads)
				checkGolden(t, filepath.Join(way.name, name+".txt"), real.Stderr+real.Stdout)

				if printed := strings.ReplaceAll(dry.Stdout, " (server dry run)", ""); printed != real.Stdout {
					t.Errorf("a dry run prints\n%s\nand the real one\n%s", dry.Stdout, real.Stdout)
				}
				if dry.Stderr != real.Stderr || dry.Code != real.Code {
					t.Errorf("a dry run exits with %d and\n%s\nand the real one with %d and\n%s",
						dry.Code, dry.Stderr, real.Code, real.Stderr)
				}
				if !way.noticed && (len(ours(real)) != 0 || real.Code != 0) {
					t.Errorf("the developer notices the mode:\n%s", real.Stderr)
				}
			})
		}
	}
}

// ours are headroom's warnings; the API server has some of its own.
func ours(out plane.Output) []string {
	var warnings []string
	for _, warning := range out.Warnings() {
		if strings.HasPrefix(warning, "[HR") || strings.Contains(warning, "headroom") {
			warnings = append(warnings, warning)
		}
	}
	return warnings
}
