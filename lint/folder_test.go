package lint_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

const folderNow = 1795262400000000000 // 2026-11-21, noon

func folderEngine(t testing.TB, config map[string]any) *engine.Engine {
	t.Helper()
	e, err := engine.New(context.Background(), engine.Options{Now: folderNow, Config: config})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// parts that documents are drawn from: workloads, what speaks for them, comments, and what cannot be read.
var folderDocuments = []string{
	"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: cart\n  namespace: shop\n  annotations: {headroom.dev/workload-class: latency-sensitive}\n" +
		"spec:\n  template:\n    spec:\n      containers:\n        - name: cart\n          image: eclipse-temurin:21\n" +
		"          command: [java, -jar, a.jar]\n          envFrom: [{configMapRef: {name: flags}}]\n          resources:\n" +
		"            requests: {cpu: \"1\", memory: 1Gi}\n            limits: {cpu: 1500m, memory: 1Gi}\n",
	"apiVersion: batch/v1\nkind: Job\nmetadata: {name: import, namespace: shop}\nspec:\n  template:\n    spec:\n      containers:\n" +
		"        - name: import\n          image: example.com/import:1\n          # headroom:ignore HR302 known\n          resources: {}\n",
	"# headroom:ignore HR001 never there\napiVersion: v1\nkind: Pod\nmetadata: {name: bare}\nspec: {containers: [{name: a, image: a}]}\n",
	"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flags, namespace: shop}\ndata: {JAVA_TOOL_OPTIONS: -Xmx900m}\n",
	"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flags, namespace: shop}\ndata: {JAVA_TOOL_OPTIONS: -Xmx300m}\n",
	"apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, annotations: {headroom.dev/allow-ignore: HR407}}\n",
	"apiVersion: v1\nkind: LimitRange\nmetadata: {name: l, namespace: shop}\nspec: {limits: [{type: Container, default: {cpu: \"1\", memory: 2Gi}}]}\n",
	"apiVersion: v1\nkind: LimitRange\nmetadata: {name: unnamed}\nspec: {limits: [{type: Container, default: {cpu: \"2\", memory: 1Gi}}]}\n",
	"apiVersion: v1\nkind: List\nitems:\n  - {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop}, spec: {containers: [{name: a, image: golang}]}}\n" +
		"  - {apiVersion: v1, kind: Service, metadata: {name: s, namespace: shop}, spec: {selector: {app: cart}}}\n",
	"apiVersion: v1\nkind: Pod\nmetadata: {name: broken\n",
	twiceDocument,
	"apiVersion: v1\nkind: Service\nmetadata: {name: s, name: t}\n",
	"a: b\n",
	"# nothing but a comment\n",
	"",
}

// What a folder says of a file in an editor is what Run says of the same bytes, whatever was edited before, and
// whatever stands beside it.
func TestFolderIsRun(t *testing.T) {
	e := folderEngine(t, nil)
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a.yaml", "b.yaml", "c/d.yml"}
		if err := os.MkdirAll(filepath.Join(dir, "c"), 0o700); err != nil {
			t.Fatal(err)
		}
		drawn := func(label string) string {
			n := rapid.IntRange(0, 5).Draw(t, label)
			var documents []string
			for range n {
				documents = append(documents, rapid.SampledFrom(folderDocuments).Draw(t, label))
			}
			text := strings.Join(documents, rapid.SampledFrom([]string{"---\n", "--- # next\n", "...\n---\n"}).Draw(t, "between"))
			return strings.ReplaceAll(text, "\n", rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "ends"))
		}
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range names {
			write(name, drawn(name))
		}
		folder := lint.NewFolder(e, []string{dir}, source.Options{})
		if _, err := folder.Look(context.Background()); err != nil {
			t.Fatal(err)
		}
		for step := range rapid.IntRange(1, 5).Draw(t, "steps") {
			name := rapid.SampledFrom(names).Draw(t, "edited")
			text := drawn(fmt.Sprint("step ", step))
			folder.Open(filepath.Join(dir, name), []byte(text))
			got, err := folder.Judge(context.Background(), filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			write(name, text)
			same(t, filepath.Join(dir, name), got, runOver(t, e, dir))
		}
	})
}

func runOver(t rapid.TB, e *engine.Engine, dir string) *report.Report {
	found, err := lint.Run(context.Background(), e, lint.Options{Paths: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// same compares what is about one file.
func same(t rapid.TB, file string, got, all *report.Report) {
	of := func(list []engine.Finding) []engine.Finding {
		return slices.DeleteFunc(slices.Clone(list), func(f engine.Finding) bool { return f.File != file })
	}
	for what, pair := range map[string][2][]engine.Finding{
		"findings": {got.Findings, of(all.Findings)}, "exempted": {got.Exempted, of(all.Exempted)},
	} {
		if len(pair[0]) != len(pair[1]) || len(pair[0]) > 0 && !reflect.DeepEqual(pair[0], pair[1]) {
			t.Fatalf("%s of %s: %+v\nlint has %+v", what, file, brief(pair[0]), brief(pair[1]))
		}
	}
	problems := slices.DeleteFunc(slices.Clone(all.Problems), func(p report.Problem) bool { return p.File != file })
	if len(problems) != len(got.Problems) || len(problems) > 0 && !reflect.DeepEqual(problems, got.Problems) {
		t.Fatalf("problems of %s: %+v\nlint has %+v", file, got.Problems, problems)
	}
}

func brief(findings []engine.Finding) []string {
	var all []string
	for i := range findings {
		all = append(all, fmt.Sprintf("%s:%d %s", findings[i].Rule, findings[i].Line, findings[i].Path))
	}
	return all
}

// twiceDocument cannot be edited.
const twiceDocument = "apiVersion: v1\nkind: Pod\nmetadata: {name: twice}\nspec: {containers: [{name: a, image: a, image: golang}]}\n"

// A change that a folder works out takes the finding away, and nothing else but what the reason is for.
func TestFolderExempts(t *testing.T) {
	e := folderEngine(t, nil)
	file := filepath.Join(t.TempDir(), "a.yaml")
	for i, document := range folderDocuments {
		text := "a: b\n---\n" + document
		folder := lint.NewFolder(e, []string{file}, source.Options{})
		folder.Open(file, []byte(text))
		found := judged(t, folder, file)
		for n := range found.Findings {
			f := &found.Findings[n]
			if f.Bound || f.Rule == "HR106" {
				continue
			}
			after, err := folder.Exempt(file, f.Line, f.Rule, "known")
			if document == twiceDocument {
				if err == nil || !strings.Contains(err.Error(), `key "image" is given twice`) {
					t.Errorf("a change of what cannot be edited: %v", err)
				}
				continue
			}
			if err != nil {
				t.Errorf("document %d, %s: %v", i, f.Rule, err)
				continue
			}
			then := lint.NewFolder(e, []string{file}, source.Options{})
			then.Open(file, after)
			now := judged(t, then, file)
			if !slices.ContainsFunc(now.Exempted, func(x engine.Finding) bool { return x.Rule == f.Rule && x.Container == f.Container }) {
				t.Errorf("document %d: %s is not exempted by\n%s", i, f.Rule, after)
			}
		}
	}
}

func judged(t *testing.T, folder *lint.Folder, file string) *report.Report {
	t.Helper()
	found, err := folder.Judge(context.Background(), file)
	if err != nil || found == nil {
		t.Fatalf("%v, %v", found, err)
	}
	return found
}

func TestFolderFixes(t *testing.T) {
	e := folderEngine(t, nil)
	file := filepath.Join(t.TempDir(), "a.yaml")
	folder := lint.NewFolder(e, []string{file}, source.Options{})
	limited := strings.Replace(folderDocuments[0], "envFrom: [{configMapRef: {name: flags}}]", "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx400m}]", 1)
	text := folderDocuments[1] + "---\n" + limited + "---\n" + strings.ReplaceAll(limited, "name: cart", "name: other")
	folder.Open(file, []byte(text))
	found := judged(t, folder, file)
	at := slices.IndexFunc(found.Findings, func(f engine.Finding) bool { return f.Rule == "HR202" })
	if at < 0 {
		t.Fatalf("no HR202: %v", brief(found.Findings))
	}
	one, err := folder.Fix(context.Background(), file, found.Findings[at].Line, "HR202")
	if err != nil {
		t.Fatal(err)
	}
	all, err := folder.Fix(context.Background(), file, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(one), "1500m"); n != 1 {
		t.Errorf("a fix of one object leaves %d limits\n%s", n, one)
	}
	if n := strings.Count(string(all), "1500m"); n != 0 {
		t.Errorf("fixes of all objects leave %d limits\n%s", n, all)
	}
	if !strings.Contains(string(all), "# headroom:ignore HR302 known") {
		t.Errorf("a comment is gone:\n%s", all)
	}
}

// A file of a chart, a patch of a kustomization and what is not there any more are not judged by themselves.
func TestFolderLeavesAlone(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"chart/Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n", "chart/templates/a.yaml": "{{ if }}\n",
		"k/kustomization.yaml": "patches: [{path: patch.yaml}]\n", "k/patch.yaml": folderDocuments[0], "plain.yaml": "a: b\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder := lint.NewFolder(folderEngine(t, nil), []string{dir}, source.Options{})
	if _, err := folder.Look(context.Background()); err != nil {
		t.Fatal(err)
	}
	for name, wanted := range map[string]bool{
		"chart/templates/a.yaml": false, "chart/Chart.yaml": false, "k/patch.yaml": false, "plain.yaml": true, "new.yaml": true, "new.txt": false,
	} {
		file := filepath.Join(dir, name)
		folder.Open(file, []byte("a: b\n"))
		found, err := folder.Judge(context.Background(), file)
		if err != nil || (found != nil) != wanted {
			t.Errorf("%s: %v, %v; wanted %v", name, found != nil, err, wanted)
		}
	}
}

// BenchmarkEdit judges a file of 200 documents after one of them was edited.
func BenchmarkEdit(b *testing.B) {
	e := folderEngine(b, nil)
	file := filepath.Join(b.TempDir(), "a.yaml")
	folder := lint.NewFolder(e, []string{file}, source.Options{})
	var documents []string
	for i := range 200 {
		documents = append(documents, strings.ReplaceAll(folderDocuments[0], "name: cart", fmt.Sprint("name: cart-", i)))
	}
	edit := func(i int) {
		at := i % len(documents)
		documents[at] = strings.Replace(documents[at], "memory: 1Gi", fmt.Sprintf("memory: %dMi", 1024+i), 1)
		folder.Open(file, []byte(strings.Join(documents, "---\n")))
		if found, err := folder.Judge(context.Background(), file); err != nil || len(found.Findings) == 0 {
			b.Fatal(found, err)
		}
	}
	edit(0)
	var took []time.Duration
	b.ResetTimer()
	for i := range b.N {
		began := time.Now()
		edit(i)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
