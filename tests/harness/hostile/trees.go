// Package hostile makes trees that a stranger wrote to take the memory or the time of a machine that lints them.
package hostile

import (
	"fmt"
	"maps"
	"strings"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

const megabyte = 1 << 20

const chartOf = "apiVersion: v2\nname: a\nversion: 1.0.0\n"

// Trees are all of them, by name: files by their path.
func Trees() map[string]map[string]string {
	trees := OfMemory()
	maps.Copy(trees, toJoin())
	maps.Copy(trees, toWait())
	return trees
}

// OfMemory are those that take memory. The others take minutes.
func OfMemory() map[string]map[string]string {
	trees := toRead()
	maps.Copy(trees, toChange())
	return trees
}

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
		".git/HEAD": "ref: refs/heads/main\n", "charts/shop/Chart.yaml": chartOf,
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

// toRead are trees that take memory where they are read.
func toRead() map[string]map[string]string {
	long, stars := strings.Repeat("x", megabyte), strings.Repeat("*b, ", 1500)
	one := func(text string) map[string]string { return map[string]string{"a.yaml": text} }
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 40; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9))
	}
	config := "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"
	built := func(rest string) map[string]string {
		return map[string]string{"kustomization.yaml": rest, "big": strings.Repeat("x", 4*megabyte), "a.yaml": program.Sound}
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
		"aliases in the config": {"a.yaml": program.Sound, "headroom.yaml": config + "x: &b " + long[:500_000] + "\nignore: [" + stars + "]\n"},
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

// toChange are trees that are dear to those who write: manifests to fix, words to draft rules of.
func toChange() map[string]map[string]string {
	fixable := strings.Replace("---\n"+program.Limited, "name: cart", "name: cart%d", 1)
	lines := strings.Replace(program.Limited, "metadata: {name: cart}", "metadata: {name: cart, annotations: {x: \"a\n"+repeat(200_000, "  b%d\n")+"\"}}", 1)
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
		"a long line to fix":    {"a.json": `{"x":"` + strings.Repeat("x", 3*megabyte) + `","apiVersion":"v1","kind":"List","items":[` + items + `]}`},
		"images":                {"a.yaml": repeat(15_000, strings.Replace(podWith(""), "image: x", "image: 'registry.example/x%d:1'", 1))},
		"a lock of many images": {"a.yaml": program.Sound, "headroom-images.yaml": lock},
		"Services of all":       {"a.yaml": services + repeat(300, fixable)},
	}
}
