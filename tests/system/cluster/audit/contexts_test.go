//go:build system

package audit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/headroom-dev/headroom/internal/render/report"
)

// contexts is a kubeconfig with two names for the same API server, and one for a server that cannot be reached.
func contexts(t *testing.T) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(cluster.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	current := config.Contexts[config.CurrentContext]
	there := config.Clusters[current.Cluster]
	away := there.DeepCopy()
	away.Server = "https://127.0.0.1:1"
	config.Clusters["away"] = away
	for name, server := range map[string]string{"eu": current.Cluster, "us": current.Cluster, "away": "away"} {
		c := current.DeepCopy()
		c.Cluster = server
		config.Contexts[name] = c
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestContexts(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, workload("Deployment", "web", "replicas: 1"))
	file := contexts(t)
	audit := func(arguments ...string) output {
		return headroom(t, append([]string{"audit", "-n", namespace, "--kubeconfig", file}, arguments...)...)
	}

	t.Run("json", func(t *testing.T) {
		out := audit("--contexts", "eu,away,us,nowhere", "-o", "json")
		var r struct {
			printed
			Cluster struct {
				Name       string
				Namespaces []struct{ Name string }
			}
			Findings []struct {
				Resource struct{ Cluster, Name string }
			}
		}
		if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
			t.Fatalf("%v: %s%s", err, out.stdout, out.stderr)
		}
		if out.code != 2 || r.Summary.Workloads != 2 || r.Cluster.Name != "eu, away, us, nowhere" {
			t.Errorf("exit code %d, %d workloads of %q", out.code, r.Summary.Workloads, r.Cluster.Name)
		}
		found := map[string]int{}
		for _, f := range r.Findings {
			found[f.Resource.Cluster]++
		}
		if len(found) != 2 || found["eu"] == 0 || found["eu"] != found["us"] {
			t.Errorf("findings by cluster: %v", found)
		}
		for _, want := range []string{"away: ", `nowhere: read the kubeconfig: context "nowhere" does not exist`} {
			if !slices.ContainsFunc(r.Problems, func(p report.Problem) bool { return strings.HasPrefix(p.Message, want) }) {
				t.Errorf("no problem begins with %q: %v", want, r.Problems)
			}
		}
		var names []string
		for _, n := range r.Cluster.Namespaces {
			names = append(names, n.Name)
		}
		slices.Sort(names)
		if !slices.Equal(names, []string{"eu/" + namespace, "us/" + namespace}) {
			t.Errorf("namespaces %v", names)
		}
	})
	t.Run("for people", func(t *testing.T) {
		dir := t.TempDir()
		out := audit("--contexts", "eu,us", "-o", "table", "-o", "sarif="+filepath.Join(dir, "a.sarif"),
			"-o", "html="+filepath.Join(dir, "a.html"), "-o", "junit="+filepath.Join(dir, "a.xml"), "-o", "markdown="+filepath.Join(dir, "a.md"))
		for _, want := range []string{"Deployment " + namespace + "/web in ", "eu/" + namespace, "us/" + namespace, "of eu, us"} {
			if !strings.Contains(out.stdout, want) {
				t.Errorf("the table has no %q:\n%s", want, out.stdout)
			}
		}
		for name, want := range map[string]string{
			"a.sarif": "eu/Deployment/" + namespace + "/web", "a.html": "us/" + namespace,
			"a.xml": "Deployment " + namespace + "/web in us", "a.md": "us/" + namespace,
		} {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s has no %q: %v", name, want, err)
			}
		}
	})
	t.Run("baseline", func(t *testing.T) {
		known := filepath.Join(t.TempDir(), "known.yaml")
		if out := audit("--contexts", "eu,us", "--write-baseline="+known); out.code != 0 {
			t.Fatalf("exit code %d\n%s%s", out.code, out.stdout, out.stderr)
		}
		if out := audit("--contexts", "eu,us", "--baseline", known); out.code != 0 {
			t.Errorf("what is known: exit code %d\n%s", out.code, out.stdout)
		}
		// Of one cluster less nothing is known, and nothing of it is gone.
		if out := audit("--contexts", "us", "--baseline", known, "--strict-baseline"); out.code != 0 {
			t.Errorf("a part of it: exit code %d\n%s", out.code, out.stdout)
		}
	})
	for want, arguments := range map[string][]string{
		"--watch watches one cluster": {"--watch"},
		"give one of them":            {"--context", "eu"},
		"twice":                       {"--contexts", "us"},
		"--server":                    {"--server", "https://127.0.0.1:1"},
	} {
		if out := audit(append([]string{"--contexts", "eu,us"}, arguments...)...); out.code != 2 || !strings.Contains(out.stderr, want) {
			t.Errorf("%v: exit code %d, %s", arguments, out.code, out.stderr)
		}
	}
}
