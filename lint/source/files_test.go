package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// tree writes files, and links where the text begins with "->", and makes the
// test run in their folder.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, files)
}

func write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		err := os.WriteFile(name, []byte(text), 0o644)
		if target, isLink := strings.CutPrefix(text, "->"); isLink {
			err = errors.Join(os.Remove(name), os.Symlink(target, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func found(files []File, problems []Problem) []string {
	all := []string{}
	for _, file := range files {
		text := file.Name
		if file.Skipped != "" {
			text += ": " + file.Skipped
		}
		all = append(all, text)
	}
	for _, problem := range problems {
		all = append(all, "! "+problem.Error())
	}
	return all
}

func TestFiles(t *testing.T) {
	tree(t, map[string]string{
		"a/b.yaml": "", "a/c.yml": "", "a/d.json": "", "a/e.txt": "", "a/z/f.YAML": "", "a/.git/g.yaml": "",
		"a/.h.yaml": "",
		"a/l.yaml":  "->b.yaml", "a/dangling.yaml": "->nowhere", "a/dangling": "->nowhere", "linked": "->a/z",
		"loop/x.yaml": "", "loop/in/up": "->../../loop", "twice/one/t.yaml": "", "twice/two": "->one",
		"chart/Chart.yaml": "", "chart/values.yaml": "", "chart/templates/d.yaml": "",
		"chart/charts/sub/Chart.yaml": "", "chart/crds/c.yaml": "",
		"k/kustomization.yaml": "patches: [{path: p.yaml}, {patch: inline}]\npatchesStrategicMerge: [sub/q.yaml]\n" +
			"# - auth_patch.yaml\n  #- path: sub/patch-x.yml\n# - r.yaml\n# the name of a patch.yaml\n",
		"k/auth_patch.yaml": "", "k/sub/patch-x.yml": "", "k/patch.yaml": "",
		"k/p.yaml": "", "k/sub/q.yaml": "", "k/r.yaml": "",
	})
	const chart, patch = ": a Helm chart; render it with --helm-chart",
		": a patch of a kustomization; render it with --kustomize"
	const left = ": a patch that the kustomization beside it names in a comment alone"
	for _, test := range []struct {
		paths, want []string
	}{
		{[]string{"a"}, []string{
			"a/.h.yaml", "a/b.yaml", "a/c.yml", "a/d.json", "a/z/f.YAML",
			"! a/dangling.yaml: no such file or folder",
		}},
		{[]string{"a/c.yml", "./a//b.yaml", "a/b.yaml", "a/l.yaml"}, []string{"a/b.yaml", "a/c.yml"}},
		{[]string{"a/e.txt", "-", "-"}, []string{"a/e.txt", "stdin"}},
		{[]string{"linked", "a/z"}, []string{"linked/f.YAML"}},
		{[]string{"a/.git"}, []string{"a/.git/g.yaml"}},
		{[]string{"loop"}, []string{"loop/x.yaml", "! loop/in/up: a loop of folders: this link leads back to " +
			here(t, "loop")}},
		{[]string{"twice"}, []string{"twice/one/t.yaml"}},
		{[]string{"missing", "a/c.yml"}, []string{"a/c.yml", "! missing: no such file or folder"}},
		{[]string{"a/c.yml/x"}, []string{"! a/c.yml/x: cannot read: not a directory"}},
		{[]string{"chart"}, []string{"chart" + chart, "chart/crds/c.yaml"}},
		{[]string{"chart/templates", "chart"}, []string{"chart" + chart, "chart/crds/c.yaml"}},
		{[]string{"chart/templates/d.yaml"}, []string{"chart/templates/d.yaml"}},
		{[]string{"k"}, []string{
			"k/auth_patch.yaml" + left, "k/kustomization.yaml", "k/p.yaml" + patch, "k/patch.yaml", "k/r.yaml",
			"k/sub/patch-x.yml" + left, "k/sub/q.yaml" + patch,
		}},
		{[]string{"k/p.yaml"}, []string{"k/p.yaml"}},
	} {
		if got := found(Files(test.paths, Options{})); !slices.Equal(got, test.want) {
			t.Errorf("%v:\n got %q\nwant %q", test.paths, got, test.want)
		}
	}
	got := found(Files([]string{"chart"}, Options{
		HelmCharts:     []HelmChart{{Path: "./chart"}},
		Kustomizations: []string{"k/"},
	}))
	if want := []string{"chart", "k", "chart/crds/c.yaml"}; !slices.Equal(got, want) {
		t.Errorf("with the chart rendered: got %q, want %q", got, want)
	}
	t.Chdir("a")
	if got := found(Files([]string{"."}, Options{})); got[0] != ".h.yaml" || got[1] != "b.yaml" {
		t.Errorf("names in the current folder: %q", got)
	}
}

// The author of a tree may have put links into it that lead all over the machine.
func TestLinksThatLeadOut(t *testing.T) {
	const out = ": a link that leads out of the repository, or without one of the working directory, " +
		"which is not followed; in a tree that you trust: --follow-links"
	outside := t.TempDir()
	tree(t, map[string]string{
		outside + "/x.yaml": "", outside + "/.git/HEAD": "", outside + "/in/y.yaml": "",
		"deploy/a.yaml": "", "deploy/file.yaml": "->" + outside + "/x.yaml", "deploy/text": "->" + outside + "/x.yaml",
		"deploy/folder": "->" + outside, "deploy/shared": "->../shared", "deploy/root": "->/", "shared/s.yaml": "",
		"named": "->" + outside, "named.yaml": "->" + outside + "/x.yaml",
	})
	stays := []string{
		"deploy/a.yaml", "deploy/shared/s.yaml",
		"! deploy/file.yaml" + out, "! deploy/folder" + out, "! deploy/root" + out,
	}
	for _, test := range []struct{ paths, want []string }{
		{[]string{"deploy"}, stays},
		{[]string{"named"}, []string{"! named" + out}},
		{[]string{"named/in"}, []string{"! named/in" + out}},
		{[]string{"named.yaml"}, []string{"! named.yaml" + out}},
		{[]string{outside}, []string{filepath.ToSlash(outside) + "/in/y.yaml", filepath.ToSlash(outside) + "/x.yaml"}},
	} {
		if got := found(Files(test.paths, Options{})); !slices.Equal(got, test.want) {
			t.Errorf("%v:\n got %q\nwant %q", test.paths, got, test.want)
		}
	}
	if got := found(Files([]string{"named.yaml", "named/in"}, Options{FollowLinks: true})); len(got) != 2 || got[0] != "named.yaml" {
		t.Errorf("with --follow-links: %q", got)
	}
	if got := found(Files([]string{"deploy"}, Options{Tree: "deploy"})); !slices.Contains(got, "! deploy/shared"+out) {
		t.Errorf("below one folder: %q", got)
	}
	// The repository is one tree, from any folder in it and from outside.
	write(t, map[string]string{".git/HEAD": ""})
	top, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("deploy")
	if got := found(Files([]string{"."}, Options{})); !slices.Contains(got, "shared/s.yaml") || !slices.Contains(got, "! root"+out) {
		t.Errorf("from below: %q", got)
	}
	t.Chdir(outside)
	got := found(Files([]string{filepath.Join(top, "deploy"), filepath.Join(top, "named.yaml")}, Options{}))
	if len(got) != 6 || !strings.HasSuffix(got[1], "deploy/shared/s.yaml") {
		t.Errorf("from elsewhere: %q", got)
	}
}

// What a shell hands on is no tree.
func TestWhatAShellHandsOn(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "x.yaml")
	tree(t, map[string]string{outside: ""})
	file, err := os.Open(outside)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	name := "/dev/fd/" + strconv.Itoa(int(file.Fd()))
	if _, err := os.Stat(name); err != nil {
		t.Logf("there is no %s here", name)
		return
	}
	if files, problems := Files([]string{name}, Options{}); len(files) != 1 || len(problems) != 0 {
		t.Error(files, problems)
	}
}

func here(t *testing.T, name string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(name)
	absolute, err2 := filepath.Abs(real)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return filepath.ToSlash(absolute)
}

func TestLoad(t *testing.T) {
	tree(t, map[string]string{"pod.yaml": pod("a"), "large.yaml": strings.Repeat("# comment\n", 200)})
	load := func(name string, opts Options) string {
		files, problems := Files([]string{name}, opts)
		if len(files) != 1 || len(problems) != 0 {
			t.Fatal(files, problems)
		}
		return describe(Load(files[0], opts))
	}
	if got := load("pod.yaml", Options{}); got != "pod.yaml:1: Pod" {
		t.Error(got)
	}
	if got := load("-", Options{Stdin: strings.NewReader(pod("a"))}); got != "stdin:1: Pod" {
		t.Error(got)
	}
	small := Options{MaxFileBytes: 1000, Stdin: strings.NewReader(strings.Repeat("# comment\n", 200))}
	if got := load("large.yaml", small); got != "large.yaml: 2000 bytes, larger than the limit of 1000" {
		t.Error(got)
	}
	if got := load("-", small); got != "stdin: larger than the limit of 1000 bytes" {
		t.Error(got)
	}
	files, _ := Files([]string{"pod.yaml"}, Options{})
	if err := os.Remove("pod.yaml"); err != nil {
		t.Fatal(err)
	}
	if got := describe(Load(files[0], Options{})); got != "pod.yaml: no such file or folder" {
		t.Error(got)
	}
}

func TestMentioning(t *testing.T) {
	tree(t, map[string]string{"pod.yaml": pod("a"), "utf16.yaml": "\xff\xfea\x00", "map.yaml": "kind: ConfigMap\n"})
	files, _ := Files([]string{"."}, Options{})
	got := ""
	for _, file := range files {
		got += describe(Load(file, Options{Mentioning: []string{"Namespace", "ConfigMap"}})) + "|"
	}
	want := "map.yaml:1: skipped: not a Kubernetes object: no apiVersion||" +
		"utf16.yaml:1: skipped: a single value, not a Kubernetes object|"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		// Permissions do not bind root; a file where a folder is named does.
		files := []File{{Name: "x", path: t.TempDir()}}
		if got := describe(Load(files[0], Options{})); got != "x: cannot read: is a directory" {
			t.Error(got)
		}
		return
	}
	tree(t, map[string]string{"d/pod.yaml": pod("a"), "secret.yaml": pod("b")})
	if err := errors.Join(os.Chmod("d", 0), os.Chmod("secret.yaml", 0)); err != nil {
		t.Fatal(err)
	}
	files, problems := Files([]string{"d", "secret.yaml"}, Options{})
	if got := found(files, problems); !slices.Equal(got, []string{
		"secret.yaml",
		"! d: cannot read: permission denied",
	}) {
		t.Error(got)
	}
	if got := describe(Load(files[0], Options{})); got != "secret.yaml: cannot read: permission denied" {
		t.Error(got)
	}
}

func TestEach(t *testing.T) {
	tree(t, map[string]string{
		"a.yaml": pod("a") + "---\n" + pod("b"), "b.yaml": "a: [", "c.yaml": "a: 1",
		"d.yaml": pod("d"),
	})
	files, _ := Files([]string{"."}, Options{})
	for _, workers := range []int{-1, 1, 2, 100} {
		var lock sync.Mutex
		got := make([]string, len(files))
		err := Each(t.Context(), files, Options{}, workers, func(index int, item Item) error {
			lock.Lock()
			defer lock.Unlock()
			got[index] += item.String() + "|"
			return nil
		})
		want := "a.yaml:1: Pod|a.yaml:6: Pod|b.yaml:1: broken YAML: did not find expected node content; is a bracket, [ or {, not closed, here or above?|" +
			"c.yaml:1: skipped: not a Kubernetes object: no apiVersion and no kind|d.yaml:1: Pod|"
		if err != nil || strings.Join(got, "") != want {
			t.Errorf("%d workers: %v\n got %s\nwant %s", workers, err, got, want)
		}
	}
	stop := errors.New("stop")
	visited := 0
	err := Each(t.Context(), files, Options{}, 1, func(int, Item) error { visited++; return stop })
	if !errors.Is(err, stop) || visited != 1 {
		t.Errorf("after an error: %v, %d visits", err, visited)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = Each(ctx, files, Options{}, 2, func(int, Item) error { t.Error("visited after the end"); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
