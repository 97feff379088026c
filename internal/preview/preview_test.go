package preview

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// manifest has one certain error, HR202, which is fixable, and runs a native program.
const manifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  namespace: shop
  annotations: {headroom.dev/workload-class: latency-sensitive}
spec:
  template:
    metadata:
      annotations: {runtime.headroom.dev/app: native}
    spec:
      containers:
        - name: app
          resources:
            limits: {cpu: "2", memory: 1Gi}
`

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

func of(t *testing.T, text, mode string, mutate bool, around ...string) (report.PreviewItem, bool) {
	t.Helper()
	e := defaults.Engine(t)
	lists := map[string][]map[string]any{}
	for _, one := range around {
		o := parsed(t, one)
		list := map[any]string{"LimitRange": "limit_ranges", "ConfigMap": "config_maps"}[o["kind"]]
		lists[list] = append(lists[list], o)
	}
	c, err := engine.NewContext("", lists)
	if err != nil {
		t.Fatal(err)
	}
	given := parsed(t, text)
	item, any, err := Of(t.Context(), e, engine.Review{Manifest: given, Around: c}, mode, mutate)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(given, parsed(t, text)) {
		t.Error("the manifest was changed")
	}
	return item, any
}

func rules(findings []engine.Finding) string {
	var list []string
	for _, f := range findings {
		list = append(list, f.Rule+" "+f.Path)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

const limitPath = "/spec/template/spec/containers/0/resources/limits/cpu"

// elsewhere is a finding that a class is not where the Pods would have it; they still have it.
const elsewhere = "HR103 /spec/template/metadata/annotations/headroom.dev~1workload-class"

func TestModes(t *testing.T) {
	for _, c := range []struct {
		mode            string
		mutate          bool
		refused, warned string
		changed         []string
	}{
		{Enforce, false, "HR202 " + limitPath, elsewhere, nil},
		{Enforce, true, "", elsewhere + ", HR202 " + limitPath, []string{"HR202 /spec/containers/0/resources/limits/cpu"}},
		{Warn, false, "", elsewhere + ", HR202 " + limitPath, nil},
		{Warn, true, "", elsewhere + ", HR202 " + limitPath, []string{"HR202 /spec/containers/0/resources/limits/cpu"}},
	} {
		item, _ := of(t, manifest, c.mode, c.mutate)
		var changed []string
		for _, a := range item.Changed {
			changed = append(changed, a.Rule+" "+a.Path)
		}
		if rules(item.Refused) != c.refused || rules(item.Warned) != c.warned || !slices.Equal(changed, c.changed) {
			t.Errorf("%s, mutate %t: refused %s, warned %s, changed %q", c.mode, c.mutate, rules(item.Refused), rules(item.Warned), changed)
		}
		if r := item.Resource; r.Kind != "Deployment" || r.Namespace != "shop" || r.Name != "cart" {
			t.Error(r)
		}
	}
}

// What the webhook is not asked about has no preview; what is sound neither.
func TestNothing(t *testing.T) {
	for name, text := range map[string]string{
		"a Service":           "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n",
		"a Windows Pod":       strings.Replace(manifest, "      containers:", "      os: {name: windows}\n      containers:", 1),
		"a mirror Pod":        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {kubernetes.io/config.mirror: x}}\nspec: {containers: [{name: a}]}\n",
		"sound":               strings.Replace(strings.Replace(manifest, "{runtime", "{headroom.dev/workload-class: latency-sensitive, runtime", 1), `cpu: "2", memory: 1Gi}`, `memory: 1Gi}`+"\n            requests: {cpu: 100m, memory: 1Gi}", 1),
		"a CRD with template": "apiVersion: example.com/v1\nkind: Rollout\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a}]}}}\n",
	} {
		if item, any := of(t, text, Enforce, false); any {
			t.Errorf("%s: refused %s, warned %s", name, rules(item.Refused), rules(item.Warned))
		}
	}
}

// A ReplicaSet is let in for its Deployment's sake; its Pods are judged all the same.
func TestPodsAlone(t *testing.T) {
	owned := strings.Replace(manifest, "kind: Deployment", "kind: ReplicaSet", 1)
	owned = strings.Replace(owned, "  namespace: shop\n", `  namespace: shop
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: cart, uid: u, controller: true}]
`, 1)
	// Of the Deployment only its kind is known here, so the class goes on the template.
	owned = strings.Replace(owned, "{runtime", "{headroom.dev/workload-class: latency-sensitive, runtime", 1)
	item, _ := of(t, owned, Enforce, false)
	if rules(item.Refused) != "HR202 "+limitPath || len(item.Warned) > 0 || item.Refused[0].Resource.Kind != "ReplicaSet" {
		t.Error(rules(item.Refused), item.Refused)
	}
}

// Without a class, only certain findings refuse a workload. Infos are not shown.
func TestOnlyWhatIsCertain(t *testing.T) {
	unsaid := strings.Replace(manifest, "  annotations: {headroom.dev/workload-class: latency-sensitive}\n", "", 1)
	unsaid = strings.Replace(unsaid, "limits: {cpu", "requests: {memory: 512Mi}\n            limits: {cpu", 1)
	item, _ := of(t, unsaid, Enforce, false)
	if len(item.Refused) > 0 || !strings.Contains(rules(item.Warned), "HR302") || !strings.Contains(rules(item.Warned), "HR101") {
		t.Errorf("refused %s, warned %s", rules(item.Refused), rules(item.Warned))
	}
	killed := strings.Replace(unsaid, "app: native", "app: jvm", 1)
	killed = strings.Replace(killed, "- name: app\n", "- name: app\n          command: [java, -Xmx2g, -jar, a.jar]\n", 1)
	item, _ = of(t, killed, Enforce, false)
	if rules(item.Refused) != "HR304 /spec/template/spec/containers/0/command" {
		t.Errorf("refused %s", rules(item.Refused))
	}
	for _, f := range item.Warned {
		if f.Severity == engine.SeverityInfo {
			t.Errorf("warned of %s, an info", f.Rule)
		}
	}
}

// Admission knows no ConfigMap: a heap that only one of them sets is not known to it.
func TestConfigMaps(t *testing.T) {
	text := strings.Replace(manifest, "runtime.headroom.dev/app: native", "runtime.headroom.dev/app: jvm", 1)
	text = strings.Replace(text, "        - name: app\n", `        - name: app
          command: [java, -jar, a.jar]
          envFrom: [{configMapRef: {name: flags}}]
`, 1)
	item, _ := of(t, text, Warn, false, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flags, namespace: shop}\ndata: {JAVA_TOOL_OPTIONS: -Xmx2g}\n")
	if list := rules(item.Warned); strings.Contains(list, "HR304") || !strings.Contains(list, "HR202") {
		t.Error(list)
	}
}

func TestAdmitted(t *testing.T) {
	pod := parsed(t, `
metadata: {annotations: {a: b}}
spec:
  containers:
  - {name: one, resources: {limits: {cpu: "1"}}}
  - {name: two}
  - {name: odd, resources: none}
  initContainers:
  - {name: init, resources: {requests: {memory: 1Gi}}}
`)
	before, err := json.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	limits := parsed(t, `
spec:
  limits:
  - {type: Pod, max: {cpu: "8"}}
  - {type: Container, default: {cpu: "2"}, defaultRequest: {cpu: 100m}, max: {memory: 2Gi}, min: {ephemeral-storage: 1Gi}}
`)
	got := admitted(pod, []map[string]any{limits})
	want := parsed(t, `
metadata:
  annotations:
    a: b
    kubernetes.io/limit-ranger: "LimitRanger plugin set: ephemeral-storage, memory request for container one; memory limit for container one;
      cpu, ephemeral-storage, memory request for container two; cpu, memory limit for container two;
      cpu, ephemeral-storage request for init container init; cpu, memory limit for init container init"
spec:
  containers:
  - {name: one, resources: {limits: {cpu: "1", memory: 2Gi}, requests: {cpu: "1", memory: 2Gi, ephemeral-storage: 1Gi}}}
  - {name: two, resources: {limits: {cpu: "2", memory: 2Gi}, requests: {cpu: 100m, memory: 2Gi, ephemeral-storage: 1Gi}}}
  - {name: odd, resources: none}
  initContainers:
  - {name: init, resources: {limits: {cpu: "2", memory: 2Gi}, requests: {cpu: 100m, memory: 1Gi, ephemeral-storage: 1Gi}}}
`)
	if !reflect.DeepEqual(got, want) {
		is, _ := json.MarshalIndent(got, "", " ")
		t.Errorf("%s", is)
	}
	if after, _ := json.Marshal(pod); string(after) != string(before) {
		t.Error("the Pod that was given is another one now")
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		name, labels      string
		switched, mutates bool
	}{
		{"shop", "", true, false},
		{"shop", "headroom.dev/mode: 'off'", false, false},
		{"shop", "headroom.dev/mode: warn, headroom.dev/mutate: enabled", true, true},
		{"shop", "headroom.dev/mutate: disabled", true, false},
		{"kube-system", "headroom.dev/mode: enforce", false, false},
	} {
		l := LabelsOf(parsed(t, "metadata: {labels: {"+c.labels+"}}"))
		if l.Switched(c.name) != c.switched || l.Mutates() != c.mutates {
			t.Errorf("%s {%s}: %t %t", c.name, c.labels, l.Switched(c.name), l.Mutates())
		}
	}
	if !LabelsOf(nil).Switched("shop") {
		t.Error("an unlabelled namespace is left out")
	}
}

// Operators' kinds are judged where they are written; what carries no Pods has no preview.
func TestKindsOfOperators(t *testing.T) {
	rollout := strings.NewReplacer("apps/v1", "argoproj.io/v1alpha1", "Deployment", "Rollout").Replace(manifest)
	item, any := of(t, rollout, Enforce, false)
	if !any || item.Resource.Kind != "Rollout" || !strings.Contains(rules(item.Refused), "HR202") {
		t.Errorf("%+v", item)
	}
	if item, _ := of(t, rollout, Enforce, true); strings.Contains(rules(item.Refused), "HR202") {
		t.Errorf("what is fixed in its Pods refuses it: %+v", item)
	}
	for _, other := range []string{
		strings.Replace(rollout, "argoproj.io", "example.com", 1),
		"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nspec: {workloadRef: {name: a}}\n",
		"apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n",
	} {
		if item, any := of(t, other, Enforce, false); any {
			t.Errorf("%s\n%+v", other, item)
		}
	}
}
