//go:build integration

package suggest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest"
)

// shape is one way in which charts let a user set something: what stands in values.yaml for
// a container, and what stands in its template. NAME is the container's.
type shape struct{ values, shared, template string }

var resourceShapes = []shape{
	{
		values:   "resources: {requests: REQUESTS, limits: LIMITS}",
		template: "resources: {{- toYaml .Values.NAME.resources | nindent 12 }}",
	},
	{
		values:   "resources: {requests: REQUESTS, limits: LIMITS}",
		template: "{{- with .Values.NAME.resources }}\nresources:\n  {{- toYaml . | nindent 12 }}\n{{- end }}",
	},
	{
		values: "requests: REQUESTS\nlimits: LIMITS",
		template: "resources:\n  requests: {{- toYaml .Values.NAME.requests | nindent 14 }}\n" +
			"  limits: {{- toYaml .Values.NAME.limits | nindent 14 }}",
	},
	{
		shared:   "resources: {requests: REQUESTS, limits: LIMITS}",
		template: "resources: {{- toYaml .Values.resources | nindent 12 }}",
	},
	{template: "resources: {requests: REQUESTS, limits: LIMITS}"},
	{
		values: "cpuLimit: 2\nmemoryRequest: 1Gi\nmemoryLimit: 2Gi",
		template: "resources:\n  requests: {cpu: 1, memory: {{ .Values.NAME.memoryRequest }}}\n" +
			"  limits:\n    {{- if .Values.NAME.cpuLimit }}\n    cpu: {{ .Values.NAME.cpuLimit }}\n    {{- end }}\n" +
			"    memory: {{ .Values.NAME.memoryLimit }}",
	},
}

var variableShapes = []shape{
	{values: "extraEnv: []", template: "{{- with .Values.NAME.extraEnv }}\nenv: {{- toYaml . | nindent 12 }}\n{{- end }}"},
	{
		values:   "env: [{name: REGION, value: eu}, {name: JAVA_TOOL_OPTIONS, value: -Xss512k}]",
		template: "env: {{- toYaml .Values.NAME.env | nindent 12 }}",
	},
	{
		values: "env: {REGION: eu}",
		template: "env:\n  {{- range $name, $value := .Values.NAME.env }}\n  - name: {{ $name }}\n" +
			"    value: {{ $value | quote }}\n  {{- end }}",
	},
	{
		values:   "jvmOpts: \"\"",
		template: "env:\n  - name: JAVA_TOOL_OPTIONS\n    value: {{ printf \"-Xss512k %s\" .Values.NAME.jvmOpts | quote }}",
	},
	{
		values:   "javaOpts: -Xss512k",
		template: "env:\n  - name: JAVA_TOOL_OPTIONS\n    value: {{ .Values.NAME.javaOpts | quote }}",
	},
	{shared: "commonEnv: []", template: "{{- with .Values.commonEnv }}\nenv: {{- toYaml . | nindent 12 }}\n{{- end }}"},
	{template: "env:\n  - name: REGION\n    value: eu"},
	{template: ""},
}

// Charts put together at random: whatever they let a user set, what is suggested puts all
// of it right and nothing else.
func TestChartsAtRandom(t *testing.T) {
	kinds, dropped := map[string]int{}, 0
	for seed := range uint64(24) {
		random := rand.New(rand.NewPCG(seed, 7))
		from := grownChart(t, random)
		before := objectsOf(t, source.RenderHelm(from, source.Options{}))
		objects, changed := fixesOf(t, before)
		if len(objects) == 0 {
			continue
		}
		snippets, err := suggest.Helm(context.Background(), from, objects)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, s := range snippets {
			kinds[s.Kind]++
			if s.Kind == suggest.KindValues {
				dropped += follow(t, s.Text)
				from.Values = append(from.Values, write(t, filepath.Join(from.Path, "headroom.yaml"), s.Text))
			}
		}
		after := source.RenderHelm(from, source.Options{})
		if n := len(snippets) - 1; snippets[n].Kind == suggest.KindPatch {
			after = built(t, after, snippets[n].Text)
		}
		settled(t, before, objectsOf(t, after), changed)
		if t.Failed() {
			text, _ := os.ReadFile(filepath.Join(from.Path, "values.yaml"))
			t.Fatalf("seed %d: %+v\n%s", seed, snippets, text)
		}
	}
	if kinds[suggest.KindValues] < 15 || kinds[suggest.KindPatch] < 8 || dropped < 2 {
		t.Errorf("%v, %d: the charts are not what they were", kinds, dropped)
	}
}

// follow takes out of the user's files what a snippet says has to go from there.
func follow(t *testing.T, snippet string) (taken int) {
	t.Helper()
	for _, line := range strings.Split(snippet, "\n") {
		var key, file string
		if _, err := fmt.Sscanf(line, "# take %s out of %s", &key, &file); err != nil {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var values map[string]any
		if err := yaml.Unmarshal(text, &values); err != nil {
			t.Fatal(err)
		}
		here, keys := values, strings.Split(key, ".")
		for _, key := range keys[:len(keys)-1] {
			here = here[key].(map[string]any)
		}
		delete(here, keys[len(keys)-1])
		write(t, file, asJSON(t, values))
		taken++
	}
	return taken
}

// grownChart writes a chart of three workloads.
func grownChart(t *testing.T, random *rand.Rand) source.HelmChart {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "Chart.yaml"), "apiVersion: v2\nname: grown\nversion: 1.0.0\n")
	if err := os.Mkdir(filepath.Join(dir, "templates"), 0o700); err != nil {
		t.Fatal(err)
	}
	limits := []string{`{cpu: "2", memory: 2Gi}`, `{memory: 2Gi}`, `{memory: 1Gi}`}
	requests := []string{`{cpu: "1", memory: 1Gi}`, `{cpu: 500m, memory: 512Mi}`}
	filled := func(text, name string) string {
		return strings.NewReplacer(
			"NAME", name, "REQUESTS", requests[random.IntN(len(requests))], "LIMITS", limits[random.IntN(len(limits))],
		).Replace(text)
	}
	values, shared := "", map[string]string{}
	for _, name := range []string{"api", "web", "worker"} {
		values += name + ":\n  replicas: 1\n"
		body := ""
		for _, shapes := range [][]shape{resourceShapes, variableShapes} {
			s := shapes[random.IntN(len(shapes))]
			values += indented(filled(s.values, name), 2)
			body += indented(filled(s.template, name), 10)
			if key, _, _ := strings.Cut(s.shared, ":"); key != "" && shared[key] == "" {
				shared[key] = filled(s.shared, name)
			}
		}
		class := []string{"latency-sensitive", "batch"}[random.IntN(2)]
		head := fmt.Sprintf(workloadTemplate, name, name, name, class, name)
		write(t, filepath.Join(dir, "templates", name+".yaml"), head+body)
	}
	for _, text := range shared {
		values += text + "\n"
	}
	write(t, filepath.Join(dir, "values.yaml"), values)
	from := source.HelmChart{Path: dir, ReleaseName: "grown"}
	if random.IntN(3) > 0 {
		// What the chart's own values may not have: a null would not remove it.
		text := "api:\n  resources: {limits: {cpu: 3}}\n  limits: {cpu: 3}\n"
		from.Values = []string{write(t, filepath.Join(dir, "user.yaml"), text)}
	}
	return from
}

const workloadTemplate = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-%s
spec:
  selector:
    matchLabels: {app: %s}
  template:
    metadata:
      labels: {app: %s}
      annotations: {headroom.dev/workload-class: %s}
    spec:
      containers:
        - name: %s
          image: eclipse-temurin:21
          command: [sh, -c, exec java -jar /app.jar]
`

func indented(text string, by int) string {
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Repeat(" ", by) + line
	}
	return strings.Join(lines, "\n") + "\n"
}

// built is what kustomize makes of objects with a snippet, in this process.
func built(t *testing.T, items []source.Item, snippet string) []source.Item {
	t.Helper()
	dir := t.TempDir()
	text := "resources:\n"
	for i, key := range sorted(objectsOf(t, items)) {
		name := fmt.Sprintf("%d.json", i)
		write(t, filepath.Join(dir, name), asJSON(t, objectsOf(t, items)[key]))
		text += "  - " + name + "\n"
	}
	write(t, filepath.Join(dir, "kustomization.yaml"), text+snippet)
	return source.RenderKustomize(dir, source.Options{})
}
