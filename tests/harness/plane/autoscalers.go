package plane

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
)

// InstallAutoscalers installs the Vertical Pod Autoscaler's kinds, as its makers publish them. No
// recommender runs: tests write what it would.
func (p *Plane) InstallAutoscalers(t testing.TB) {
	t.Helper()
	command := exec.Command("go", "mod", "download", "-json", "k8s.io/autoscaler/vertical-pod-autoscaler")
	command.Dir = filepath.Join(p.root, "tools", "pins", "vpa")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	definitions := filepath.Join(module.Dir, "deploy", "vpa-v1-crd-gen.yaml")
	p.Must(t, "apply", "--server-side", "-f", definitions)
	p.Must(t, "wait", "--for=condition=Established", "-f", definitions, "--timeout=10m")
}

// Recommend writes a status of a VerticalPodAutoscaler (vpa) or of its checkpoint
// (vpacheckpoint), as the recommender would.
func (p *Plane) Recommend(t testing.TB, namespace, kind, name string, status any) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{"-n", namespace, "patch", kind, name, "--type=merge", "-p", string(patch)}
	if kind == "vpa" { // checkpoints have no such subresource
		arguments = append(arguments, "--subresource=status")
	}
	p.Must(t, arguments...)
}
