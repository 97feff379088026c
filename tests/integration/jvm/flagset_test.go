//go:build integration

package jvm_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// A flagSet is one way to start a JVM; flagsets.yaml explains the fields.
type flagSet struct {
	Name   string            `json:"name"`
	Env    map[string]string `json:"env"`
	Args   []string          `json:"args"`
	Memory resource.Quantity `json:"memory"`
	CPU    resource.Quantity `json:"cpu"`
	Files  map[string]string `json:"files"`
	Unseen string            `json:"unseen"`
	Builds []exception       `json:"builds"`
}

// An exception is what one build does although its feature release does not.
type exception struct {
	Build  string `json:"build"`
	Starts bool   `json:"starts"`
	Why    string `json:"why"`
}

// exception is the set's exception for the build, nil without one.
func (s flagSet) exception(build string) *exception {
	for i, e := range s.Builds {
		if strings.HasPrefix(build, e.Build) {
			return &s.Builds[i]
		}
	}
	return nil
}

var (
	defaultMemory = resource.MustParse("4Gi")
	defaultCPU    = resource.MustParse("2")
)

func loadFlagSets(t *testing.T) []flagSet {
	t.Helper()
	text, err := os.ReadFile("flagsets.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var sets []flagSet
	if err := yaml.UnmarshalStrict(text, &sets); err != nil {
		t.Fatalf("read flagsets.yaml: %v", err)
	}
	seen := map[string]bool{}
	for i := range sets {
		s := &sets[i]
		if s.Name == "" || seen[s.Name] {
			t.Fatalf("flag set %d: name %q is empty or taken", i, s.Name)
		}
		seen[s.Name] = true
		if s.Memory.IsZero() {
			s.Memory = defaultMemory
		}
		if s.CPU.IsZero() {
			s.CPU = defaultCPU
		}
	}
	return sets
}

// environment is the process environment of the flag set: nothing of ours that a JVM reads comes along.
func (s flagSet) environment() []string {
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=/", "LC_ALL=C"}, s.variables()...)
}

// variables are those of the flag set, as name=value, sorted.
func (s flagSet) variables() []string {
	all := make([]string, 0, len(s.Env))
	for name, value := range s.Env {
		all = append(all, name+"="+value)
	}
	slices.Sort(all)
	return all
}

// pod is the manifest of the flag set under the limits it really runs with; feature 0 declares no release.
func (s flagSet) pod(feature int, real circumstances) map[string]any {
	env := make([]any, 0, len(s.Env))
	for _, entry := range s.variables() {
		name, value, _ := strings.Cut(entry, "=")
		env = append(env, map[string]any{"name": name, "value": value})
	}
	args := []any{}
	for _, arg := range s.Args {
		args = append(args, arg)
	}
	limits := map[string]any{
		"cpu":    fmt.Sprintf("%dm", real.milliCPU),
		"memory": fmt.Sprint(real.memory),
	}
	// Said, as words of another JVM would rule a HotSpot out.
	annotations := map[string]any{"runtime.headroom.dev/app": "jvm"}
	if feature > 0 {
		annotations["jvm.headroom.dev/app"] = fmt.Sprintf("version=%d", feature)
	}
	return map[string]any{
		"apiVersion": "v1",
		"kind":       "Pod",
		"metadata": map[string]any{
			"name":        s.Name,
			"annotations": annotations,
		},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name":      "app",
			"image":     "registry.example.com/app:1",
			"command":   []any{"java"},
			"args":      append(args, "-jar", "/app.jar"),
			"env":       env,
			"resources": map[string]any{"requests": limits, "limits": limits},
		}}},
	}
}
