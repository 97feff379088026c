//go:build system

// Package uninstall removes headroom from a cluster as docs/install.md says, and looks for what is left.
package uninstall

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

var cluster *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{HelmArguments: []string{"--set", "audit.enabled=true"}}, &cluster))
}

const workload = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: registry.example/web:1}]}
`

// The commands of the page leave nothing of headroom behind, with reports in the cluster. The labels of Namespaces stay, as
// the page says.
func TestNothingIsLeft(t *testing.T) {
	kinds := filepath.Join(program.Module(t, "kyverno", "github.com/openreports/reports-api"), "config", "crd")
	cluster.Must(t, "apply", "--server-side", "-f", kinds)
	cluster.Must(t, "wait", "--for=condition=Established", "-f", kinds, "--timeout=10m")
	namespace := cluster.Namespace(t, "headroom.dev/mode=warn")
	if out := cluster.Apply(namespace, workload); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	plane.Eventually(t, "a report", func() error {
		if out := cluster.Kubectl("get", "reports.openreports.io", "-n", namespace, "-o", "name"); out.Stdout == "" {
			return errors.New("there is none: " + out.Stderr)
		}
		return nil
	})
	if left := leftovers(t); len(left) < 20 {
		t.Fatalf("only %d objects are found before: this test shows nothing", len(left))
	}
	commands := page(t)
	if len(commands) < 5 {
		t.Fatalf("the page has only %q", commands)
	}
	for _, words := range commands {
		run := cluster.Kubectl
		if words[0] == "helm" {
			run = cluster.Helm
		}
		out := run(words[1:]...)
		if out.Code != 0 && !strings.Contains(out.Stderr, "doesn't have a resource type") {
			t.Errorf("%q: %s", words, out.Stderr)
		}
	}
	plane.Eventually(t, "everything to be gone", func() error {
		if left := leftovers(t); len(left) > 0 {
			return errors.New(strings.Join(left, ", "))
		}
		return nil
	})
}

// page has the commands of docs/install.md that uninstall, as words.
func page(t *testing.T) (commands [][]string) {
	t.Helper()
	text, err := os.ReadFile(repo.Path("docs", "install.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Uninstall\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, found := range regexp.MustCompile("(?m)(?:^|`)((?:kubectl|helm) [^`\n]*--?[^`\n]*)").FindAllStringSubmatch(section, -1) {
		if !strings.Contains(found[1], " -k") { // of those who installed it with kustomize
			commands = append(commands, strings.Fields(found[1]))
		}
	}
	return commands
}

// leftovers are the objects of every kind that are headroom's, by name or by label.
func leftovers(t *testing.T) (left []string) {
	t.Helper()
	kinds := slices.DeleteFunc(strings.Fields(cluster.Must(t, "api-resources", "--verbs=list", "-o", "name")), func(kind string) bool {
		return strings.HasPrefix(kind, "events") || kind == "namespaces"
	})
	for _, selector := range []string{"app.kubernetes.io/managed-by=headroom", "app.kubernetes.io/name=headroom", ""} {
		arguments := []string{"get", strings.Join(kinds, ","), "--all-namespaces", "--ignore-not-found", "-o", "name"}
		if selector != "" {
			arguments = append(arguments, "--selector", selector)
		}
		for _, name := range strings.Fields(cluster.Must(t, arguments...)) {
			if selector != "" || strings.Contains(name, "headroom") {
				left = append(left, name)
			}
		}
	}
	return left
}
