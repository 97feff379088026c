//go:build unix

package source

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// What kustomize opens stays in the tree, whatever text or link leads there.
func TestWhatAKustomizationMayOpen(t *testing.T) {
	tree(t, map[string]string{
		"repository/.git/HEAD": "", "repository/k/kustomization.yaml": "", "repository/base/a.yaml": "a", "outside/a.yaml": "b",
		"alone/k/kustomization.yaml": "", "alone/base/a.yaml": "a",
	})
	links := errors.Join(
		os.Symlink("../base", "repository/k/base"), os.Symlink("../../outside", "repository/k/out"),
		os.Symlink("../../outside/a.yaml", "repository/k/a.yaml"), os.Symlink("../base", "alone/k/base"),
		syscall.Mkfifo("repository/k/pipe", 0o600), os.Symlink("/dev/zero", "repository/k/zero"),
	)
	if links != nil {
		t.Fatal(links)
	}
	in := guarded{filesys.MakeFsOnDisk(), boundsOf("repository/k", false)}
	for name, want := range map[string]bool{
		"repository/k/base/a.yaml": true, "repository/base/a.yaml": true, "repository/k/../base/a.yaml": true,
		"repository/k/out/a.yaml": false, "repository/k/a.yaml": false, "outside/a.yaml": false, "repository/k/pipe": false,
		"repository/k/zero": false, "/etc/hostname": false, "repository/k/none": false,
	} {
		if _, err := in.ReadFile(name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := in.ReadDir("repository/k/out"); !errors.Is(err, errLeavesTree) {
		t.Error(err)
	}
	if _, err := in.ReadDir("repository/base"); err != nil {
		t.Error(err)
	}
	if _, _, err := in.CleanedAbs("repository/k/out"); !errors.Is(err, errLeavesTree) {
		t.Error(err)
	}
	if _, _, err := in.CleanedAbs("repository/k/base"); err != nil {
		t.Error(err)
	}
	if _, err := in.Open("outside/a.yaml"); !errors.Is(err, errLeavesTree) {
		t.Error(err)
	}
	if err := in.Walk("outside", nil); !errors.Is(err, errLeavesTree) {
		t.Error(err)
	}
	following := guarded{filesys.MakeFsOnDisk(), boundsOf("repository/k", true)}
	if _, err := following.ReadFile("repository/k/out/a.yaml"); err != nil {
		t.Error(err)
	}
	// Without a repository and elsewhere than here, bases may stand beside the kustomization; a link may not lead there.
	here := realPath("alone/k")
	b := bounds{Folder: here}
	if !b.let(realPath("alone/base/a.yaml")) || b.let(here+"/base/a.yaml") || !b.let(here+"/kustomization.yaml") {
		t.Error("alone")
	}
}

func TestArgumentsOfHelm(t *testing.T) {
	tree(t, map[string]string{
		"r/.git/HEAD": "", "r/k/kustomization.yaml": "", "r/k/charts/web/Chart.yaml": "", "r/k/charts/bad/Chart.yaml": "",
		"r/k/values.yaml": "", "outside/values.yaml": "", "outside/web/Chart.yaml": "",
	})
	if err := os.Symlink("../../../../outside/values.yaml", "r/k/charts/bad/link"); err != nil {
		t.Fatal(err)
	}
	b := boundsOf("r/k", false)
	for arguments, want := range map[string]bool{
		"web r/k/charts/web": true,
		"--generate-name r/k/charts/web -f r/k/values.yaml":       true,
		"web r/k/charts/web --namespace a --include-crds --debug": true,
		"web r/k/charts/bad":                        false,
		"web outside/web":                           false,
		"web r/k/charts/web -f outside/values.yaml": false,
		"web r/k/charts/web --post-renderer x":      false,
		"web r/k/charts/web --namespace=a":          false,
		"web r/k/charts/web -f":                     false,
		"--generate-name":                           false,
	} {
		if err := b.checkHelm(strings.Fields(arguments)); (err == nil) != want {
			t.Errorf("%s: %v", arguments, err)
		}
	}
	t.Setenv(boundsVariable, "")
	if helmAllowed([]string{"template", "web", "r/k/charts/web"}) == nil {
		t.Error("without bounds, everything is allowed")
	}
	if err := b.say(); err != nil || helmAllowed([]string{"template", "web", "r/k/charts/web"}) != nil || helmAllowed([]string{"version"}) != nil {
		t.Error(err)
	}
	for _, arguments := range [][]string{nil, {"pull"}, {"template", "https://a/b"}, {"template", "web", "outside/web"}} {
		if helmAllowed(arguments) == nil {
			t.Error(arguments)
		}
	}
}

// What stands for much more than it is long is handed on as it is long.
func TestValuesAreMergedElsewhere(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	many := "b: &b " + long + "\nc: [" + strings.Repeat("*b, ", 1500) + "]\n"
	for name, part := range map[string]part{
		"text":       argoParts(".", map[string]any{"spec": map[string]any{"source": map[string]any{"path": "x", "helm": map[string]any{"values": many}}}}, "a")[0],
		"parameters": argoParts(".", map[string]any{"spec": map[string]any{"source": map[string]any{"path": "x", "helm": map[string]any{"parameters": []any{map[string]any{"name": "a[65536]", "value": "1"}}}}}}, "a")[0],
	} {
		if size := len(part.inline); size > 2<<20 {
			t.Errorf("%s: %d bytes are handed on", name, size)
		}
	}
	values, err := (job{Chart: HelmChart{Inline: []byte(many)}}).merged()
	if err != nil || len(values) > 0 {
		t.Errorf("%d values, %v", len(values), err)
	}
	if _, err := (job{Values: []valuesFile{{"v.yaml", []byte(many)}}}).merged(); err == nil || !strings.Contains(err.Error(), "aliases expand to more") {
		t.Error(err)
	}
	if n := told(map[string]any{"a": []any{long, long, long, long, long}}); n <= maxTold {
		t.Errorf("%d bytes are told", n)
	}
}

// A release whose values file is a pipe made lint wait for ever, and no signal ended it.
func TestAReleaseReadsNoPipe(t *testing.T) {
	tree(t, map[string]string{"r/.git/HEAD": "", "r/c/Chart.yaml": "", "r/c/values.yaml": ""})
	if err := errors.Join(syscall.Mkfifo("r/c/pipe", 0o600), os.Symlink("pipe", "r/c/link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"values.yaml": true, "none.yaml": true, "pipe": false, "link": false} {
		file, _ := part{root: "r", folder: "c", values: []string{"r/c/" + name}}.file(Options{})
		if (file != nil) != want {
			t.Errorf("%s: %v", name, file)
		}
	}
}

// Helm opens this file of a chart whatever it is.
func TestAChartIgnoresByNoPipe(t *testing.T) {
	tree(t, map[string]string{"c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n"})
	if err := syscall.Mkfifo("c/.helmignore", 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loadChart(HelmChart{Path: "c"}, false); err == nil || !strings.Contains(err.Error(), "c/.helmignore") {
		t.Error(err)
	}
}
