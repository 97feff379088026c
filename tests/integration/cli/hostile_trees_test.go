//go:build integration

package cli

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/search"
)

// mostMemory is what any tree of 20 MB may take of a runner, in KiB as the kernel counts.
const mostMemory = 400 << 10

const megabyte = 1 << 20

// repeat gives so many texts, one after the other; %d is the number of each.
func repeat(n int, each string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(each, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

func podWith(rest string) string {
	return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec: {containers: [{name: a, image: x" + rest + "}]}\n"
}

func shopChart(values, template string) map[string]string {
	return map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "charts/shop/Chart.yaml": strings.Replace(chartOf, "web", "shop", 1),
		"charts/shop/values.yaml": values, "charts/shop/templates/a.yaml": template,
	}
}

// released is a tree with a release of its chart.
func released(helm string) map[string]string {
	files := shopChart("a: 1\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
	files["app.yaml"] = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n" +
		"spec: {source: {path: charts/shop, helm: {" + helm + "}}}\n"
	return files
}

// hostileTrees are trees that a stranger made to take memory.
func hostileTrees() map[string]map[string]string {
	long, stars := strings.Repeat("x", megabyte), strings.Repeat("*b, ", 1500)
	one := func(text string) map[string]string { return map[string]string{"a.yaml": text} }
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 40; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9))
	}
	config := "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"
	built := func(rest string) map[string]string {
		return map[string]string{"kustomization.yaml": rest, "big": strings.Repeat("x", 4*megabyte), "a.yaml": sound}
	}
	output := map[string]string{}
	for i := range 8 {
		for name, text := range shopChart("{}\n", `{{ range $i := until 400 }}
---
apiVersion: v1
kind: Pod
metadata: {name: p{{ $i }}}
spec: {containers: [{name: a, image: "{{ repeat 15000 "x" }}"}]}
{{ end }}`) {
			output[strings.Replace(name, "charts/shop", fmt.Sprintf("charts/c%d", i), 1)] = text
		}
	}
	configMaps := map[string]string{"p.yaml": strings.ReplaceAll(podWith(", envFrom: [{configMapRef: {name: c1}}]"), "%d", "0")}
	for i := range 2 {
		configMaps[fmt.Sprintf("c%d.yaml", i)] = repeat(600,
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\ndata: {"+repeat(1000, "k%d: v, ")+"}\n")
	}
	script := "'" + strings.Repeat(`"`, 780_000) + "'"
	return map[string]map[string]string{
		"a parameter of a high index": released(`parameters: [` + repeat(200, `{name: "a[65536].b%d[65536]", value: "1"}, `) + `]`),
		"aliases in values as text":   released(`values: "b: &b ` + long + `\nc: [` + stars + `]\n"`),
		"aliases in values":           released("valuesObject: {b: &b " + long + ", c: [" + stars + "]}"),
		"aliases in arguments": one("apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {x: &b " + long + "}}\n" +
			"spec: {containers: [{name: a, args: [" + stars + "]}]}\n"),
		"aliases of aliases":    one(bomb),
		"aliases in a chart":    shopChart("b: &b "+long+"\nc: ["+stars+"]\n", "a: {{ toYaml .Values.c }}"),
		"aliases in patches":    built("x: &b " + long + "\npatchesStrategicMerge: [" + strings.Repeat(stars, 60) + "]\n"),
		"aliases in the config": {"a.yaml": sound, "headroom.yaml": config + "x: &b " + long[:500_000] + "\nignore: [" + stars + "]\n"},
		"Pods":                  one(repeat(15_000, podWith(""))),
		"containers":            one("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n" + repeat(15_000, "  - {name: c%d, image: 'eclipse-temurin:17', command: [java, -Xmx1g]}\n")),
		"Pods in a List":        one("apiVersion: v1\nkind: List\nitems:\n" + repeat(60_000, "- {apiVersion: v1, kind: Pod, metadata: {name: p%d}, spec: {containers: [{name: a}]}}\n")),
		"ConfigMaps":            configMaps,
		"scripts":               one(strings.ReplaceAll(podWith(", command: [sh, -c, "+script+"]"), "%d", "0")),
		"commas":                one("apiVersion: v1\nkind: Pod\nspec: {x: [" + strings.Repeat("1,", 3_900_000) + "]}\n"),
		"labels":                one("apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {" + repeat(450_000, "k%d: v, ") + "}}\nspec: {containers: [{name: a}]}\n"),
		"brackets":              one("a: " + strings.Repeat("[", 8_000_000)),
		"JSON of numbers":       {"a.json": `{"apiVersion":"v1","kind":"Pod","spec":{"x":[` + strings.Repeat("1,", 500_000) + `1]}}`},
		"a loop in a template":  shopChart("{}\n", "{{ range until 2000000000 }}x{{ end }}"),
		"what charts render":    output,
		"values of a size":      shopChart("a: "+strings.Repeat("x", 7*megabyte)+"\n", "{{ range until 3 }}\n---\nkind: A\na: {{ $.Values.a }}\n{{ end }}"),
		"one file many times":   built("resources: [a.yaml]\nconfigMapGenerator: [{name: a, files: [" + repeat(400, "k%d=big, ") + "]}]\n"),
	}
}

// treesToChange are trees that are dear to those who write: manifests to fix, words to draft rules of.
func treesToChange() map[string]map[string]string {
	fixable := strings.Replace("---\n"+limited, "name: cart", "name: cart%d", 1)
	lines := strings.Replace(limited, "metadata: {name: cart}", "metadata: {name: cart, annotations: {x: \"a\n"+repeat(200_000, "  b%d\n")+"\"}}", 1)
	items := strings.TrimSuffix(repeat(1500, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a%d"},"spec":{"template":{"metadata":`+
		`{"annotations":{"headroom.dev/workload-class":"latency-sensitive"}},"spec":{"containers":[{"name":"app","resources":`+
		`{"requests":{"cpu":"1","memory":"1Gi"},"limits":{"cpu":"2","memory":"1Gi"}}}]}}}},`), ",")
	services := repeat(20_000, "---\napiVersion: v1\nkind: Service\nmetadata: {name: s%d}\nspec: {selector: {app: a}}\n")
	lock := "apiVersion: headroom.dev/v1alpha1\nkind: ImageLock\nheadroom: {image_lock: {references: {" +
		repeat(100_000, "'a/b%d:1': 'sha256:"+strings.Repeat("0", 64)+"', ") + "}, images: {}}}\n"
	return map[string]map[string]string{
		"Deployments to fix":    {"a.yaml": repeat(1500, fixable)},
		"a long file to fix":    {"a.yaml": lines},
		"one line to fix":       {"a.json": `{"apiVersion":"v1","kind":"List","items":[` + items + `]}`},
		"images":                {"a.yaml": repeat(15_000, strings.Replace(podWith(""), "image: x", "image: 'registry.example/x%d:1'", 1))},
		"a lock of many images": {"a.yaml": sound, "headroom-images.yaml": lock},
		"Services of all":       {"a.yaml": services + repeat(300, fixable)},
	}
}

// mostOfAll is how the commands are asked that read trees.
var mostOfAll = map[string][]string{
	"lint": {"lint", ".", "--no-progress", "-o", "json"}, "fix": {"fix", "."}, "init": {"init"},
	"images lock": {"images", "lock", ".", "--offline"},
}

// built are the same of a tree with a kustomization, for those that build it.
var built = map[string][]string{
	"lint": {"lint", ".", "--kustomize", ".", "--no-progress"}, "fix": {"fix", "--kustomize", "."},
	"images lock": {"images", "lock", "--kustomize", ".", "--offline"}, "init": {"init"},
}

func allTrees() map[string]map[string]string {
	trees := hostileTrees()
	maps.Copy(trees, treesToChange())
	return trees
}

// Whatever the tree is: the memory is bounded, and what is refused is named. A day has one command for each tree, and
// `make search` all of them.
func TestHostileTrees(t *testing.T) {
	var table strings.Builder
	commands := []string{"lint", "fix", "init", "images lock"}
	turn := int(search.Seed(t, 0) % uint64(len(commands))) //nolint:gosec // less than four
	for i, name := range slices.Sorted(maps.Keys(allTrees())) {
		fmt.Fprintf(&table, "\n%-30s", name)
		for k, command := range commands {
			if !search.Whole() && (i+turn)%len(commands) != k {
				fmt.Fprintf(&table, " %11s", "")
				continue
			}
			t.Run(command+" of "+name, func(t *testing.T) {
				arguments := mostOfAll[command]
				files := allTrees()[name]
				if _, ok := files["kustomization.yaml"]; ok {
					arguments = built[command]
				}
				dir := write(t, files)
				files = nil
				found := peak(t, dir, arguments)
				t.Log("exit code and MiB:", found)
				fmt.Fprintf(&table, " %11s", found)
			})
		}
	}
	t.Logf("exit code and MiB of lint, fix, init, images lock:%s", table.String())
}

// peak runs a command, and looks at how it ends and what memory it took. What the kernel tells of a process begins with
// what the one had that started it, so that this one gives back what it can.
func peak(t *testing.T, dir string, arguments []string) string {
	t.Helper()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Log("peaks are at least this process's own:", err)
	}
	command := exec.CommandContext(t.Context(), binary, arguments...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if command.ProcessState == nil {
		t.Fatal(err)
	}
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	code := command.ProcessState.ExitCode()
	if usage.Maxrss > mostMemory {
		t.Errorf("%d MiB", usage.Maxrss>>10)
	}
	if code < 0 || code > 2 || code == 2 && len(out) == 0 {
		t.Errorf("exit code %d, %s", code, out[:min(len(out), 500)])
	}
	return fmt.Sprintf("%d, %d", code, usage.Maxrss>>10)
}
