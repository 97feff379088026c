//go:build integration

package ci

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// What the samples use of kinds that are no part of Kubernetes.
type (
	sourcePatch struct {
		Target struct {
			Group string `json:"group"`
			Kind  string `json:"kind"`
			Name  string `json:"name"`
		} `json:"target"`
		Patch string `json:"patch"`
	}
	argoApplication struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			Project     string `json:"project"`
			Destination struct {
				Server    string `json:"server"`
				Namespace string `json:"namespace"`
			} `json:"destination"`
			Source struct {
				RepoURL        string `json:"repoURL"`
				TargetRevision string `json:"targetRevision"`
				Path           string `json:"path"`
				Kustomize      struct {
					Patches []sourcePatch `json:"patches"`
				} `json:"kustomize"`
			} `json:"source"`
		} `json:"spec"`
	}
	fluxKustomization struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			Interval  metav1.Duration `json:"interval"`
			Prune     bool            `json:"prune"`
			Path      string          `json:"path"`
			SourceRef struct {
				Kind string `json:"kind"`
				Name string `json:"name"`
			} `json:"sourceRef"`
			Patches []sourcePatch `json:"patches"`
		} `json:"spec"`
	}
	cmpPlugin struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			Discover struct {
				FileName string `json:"fileName"`
			} `json:"discover"`
			Generate struct {
				Command []string `json:"command"`
				Args    []string `json:"args"`
			} `json:"generate"`
		} `json:"spec"`
	}
)

func sample(name string) string { return filepath.Join(root, "packaging", "gitops", name) }

// strictly decodes as an API server does with fieldValidation=Strict.
func strictly(t *testing.T, document string, into any) {
	t.Helper()
	object, err := yaml.YAMLToJSONStrict([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	problems, err := kjson.UnmarshalStrict(object, into)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v in\n%s", err, problems, document)
	}
}

func TestGitOpsSamplesAreSound(t *testing.T) {
	if p := start(t, root, clean(t), binary, "lint", "--fail-on", "info", filepath.Join("packaging", "gitops")); p.code != 0 {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
	}
	documents := strings.Split(read(t, sample("argocd-postsync.yaml")), "\n---\n")
	var job batchv1.Job
	strictly(t, documents[0], &job)
	strictly(t, documents[1], &corev1.ServiceAccount{})
	strictly(t, documents[2], &rbacv1.RoleBinding{})
	// The hook's command is one that headroom takes; there is no cluster here to ask.
	arguments := job.Spec.Template.Spec.Containers[0].Args
	p := start(t, t.TempDir(), append(clean(t), "KUBECONFIG=/no/such"), binary, arguments...)
	if p.code != 2 || strings.Contains(p.output, "unknown") {
		t.Errorf("exit code %d:\n%s", p.code, p.output)
	}
}

// repoServer has what the patch relies on of the Deployment that Argo CD ships: its name, and
// the volumes that plugins share with the server.
const repoServer = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: argocd-repo-server
spec:
  selector: {matchLabels: {app: repo-server}}
  template:
    metadata:
      labels: {app: repo-server}
    spec:
      containers:
        - name: argocd-repo-server
          image: quay.io/argoproj/argocd:v3.4.0
          volumeMounts: [{name: plugins, mountPath: /home/argocd/cmp-server/plugins}]
      volumes:
        - {name: var-files, emptyDir: {}}
        - {name: plugins, emptyDir: {}}
`

// The patch goes onto Argo CD's Deployment, and what comes of it is sound; onto the one that
// Argo CD ships as well, where it is on the machine.
func TestArgoSidecar(t *testing.T) {
	t.Run("own", func(t *testing.T) { testArgoSidecar(t, repoServer) })
	for _, project := range repo.SaidProjects(t) {
		if filepath.Base(project) != "argo-cd" {
			continue
		}
		all := read(t, filepath.Join(project, "ha-namespace-install.yaml"))
		for _, document := range strings.Split(all, "\n---\n") {
			if strings.Contains(document, "kind: Deployment") && strings.Contains(document, "\n  name: argocd-repo-server\n") {
				t.Run("shipped", func(t *testing.T) { testArgoSidecar(t, document) })
			}
		}
	}
}

func testArgoSidecar(t *testing.T, shipped string) {
	t.Helper()
	toJSON := func(text string) []byte {
		object, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return object
	}
	patch := toJSON(read(t, sample("argocd-repo-server.yaml")))
	patched, err := strategicpatch.StrategicMergePatch(toJSON(shipped), patch, appsv1.Deployment{})
	if err != nil {
		t.Fatal(err)
	}
	var deployment appsv1.Deployment
	strictly(t, string(patched), &deployment)
	volumes := map[string]bool{}
	for _, v := range deployment.Spec.Template.Spec.Volumes {
		volumes[v.Name] = true
	}
	found := false
	for _, c := range deployment.Spec.Template.Spec.Containers {
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				t.Errorf("container %s mounts %s, which there is not", c.Name, m.Name)
			}
		}
		found = found || c.Name == "headroom"
	}
	if !found || len(deployment.Spec.Template.Spec.Containers) != 2 {
		t.Errorf("%d containers, ours %v", len(deployment.Spec.Template.Spec.Containers), found)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"deployment.json": string(patched)})
	p := start(t, dir, clean(t), binary, "lint", "-o", "json", "--fail-on", "never", ".")
	var report struct {
		Findings []struct{ Rule, Container, Severity string }
	}
	if err := json.Unmarshal([]byte(p.output), &report); err != nil {
		t.Fatalf("%v: %s", err, p.output)
	}
	for _, f := range report.Findings {
		if f.Container == "headroom" {
			t.Errorf("our own container: %+v", f)
		}
	}
}

// kustomize is a folder with a program of that name: kubectl's, which is the same.
func kustomize(t *testing.T) string {
	t.Helper()
	kubectl := program.Tool(t, "kubectl")
	dir := t.TempDir()
	program := filepath.Join(dir, "kustomize")
	text := "#!/bin/sh\n[ \"$1\" = build ] || exit 9\nexec '" + kubectl + "' kustomize \"$2\"\n"
	write(t, dir, map[string]string{"kustomize": text})
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Argo CD gets the manifests, or nothing and the reason.
func TestArgoPlugin(t *testing.T) {
	var config corev1.ConfigMap
	strictly(t, read(t, sample("argocd-plugin.yaml")), &config)
	var plugin cmpPlugin
	strictly(t, config.Data["plugin.yaml"], &plugin)
	command := append(plugin.Spec.Generate.Command, plugin.Spec.Generate.Args...)
	path := "PATH=" + kustomize(t) + ":" + filepath.Dir(binary) + ":" + os.Getenv("PATH")
	for text, code := range map[string]int{sound: 0, limited: 1} {
		dir := t.TempDir()
		write(t, dir, map[string]string{
			"kustomization.yaml": "namePrefix: my-\nresources: [cart.yaml]\n", "cart.yaml": text,
			plugin.Spec.Discover.FileName: "apiVersion: headroom.dev/v1alpha1\nkind: Config\n",
		})
		redirected := append([]string{"-c", `"$@" 2>stderr`, "sh"}, command...)
		p := start(t, dir, append(clean(t), path), "sh", redirected...)
		if p.code != code || (code == 0) != strings.Contains(p.output, "name: my-cart") || (code == 1) != (p.output == "") {
			t.Errorf("exit code %d, want %d, manifests %q", p.code, code, p.output)
		}
		if said := read(t, filepath.Join(dir, "stderr")); (code == 1) != strings.Contains(said, "HR202") {
			t.Errorf("it says %q", said)
		}
	}
}

// The patches in the samples are what `headroom fix --kustomize` prints, and they fix it.
func TestSourcePatches(t *testing.T) {
	wrong := strings.NewReplacer("memory: 1Gi}\n            limits", "memory: 512Mi}\n            limits").Replace(limited)
	var application argoApplication
	strictly(t, read(t, sample("argocd-application.yaml")), &application)
	var flux fluxKustomization
	strictly(t, read(t, sample("flux-kustomization.yaml")), &flux)
	for name, patches := range map[string][]sourcePatch{
		"Argo CD": application.Spec.Source.Kustomize.Patches, "Flux": flux.Spec.Patches,
	} {
		dir := t.TempDir()
		write(t, dir, map[string]string{"cart.yaml": wrong, "kustomization.yaml": "resources: [cart.yaml]\n"})
		if p := start(t, dir, clean(t), binary, "lint", "--kustomize", "."); p.code != 1 ||
			!strings.Contains(p.output, "HR202") || !strings.Contains(p.output, "HR302") {
			t.Errorf("exit code %d:\n%s", p.code, p.output)
		}
		text, err := yaml.Marshal(map[string]any{"resources": []string{"cart.yaml"}, "patches": patches})
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, map[string]string{"kustomization.yaml": string(text)})
		if p := start(t, dir, clean(t), binary, "lint", "--kustomize", ".", "--fail-on", "info"); p.code != 0 {
			t.Errorf("%s: exit code %d:\n%s", name, p.code, p.output)
		}
	}
}
