package sentences

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// of is a finding in a container of a workload that has its name; a harm that ends in a sign is
// certain.
func of(rule, severity, harm, name string) engine.Finding {
	return engine.Finding{
		Rule: rule, Severity: severity, Harm: strings.TrimSuffix(harm, "!"), Certain: strings.HasSuffix(harm, "!"), Group: rule,
		File: "shop/a.yaml", Line: 7, Container: name, Resource: engine.Resource{Kind: "Deployment", Name: name},
		Message: "m", Why: "w", Expected: "of " + name,
	}
}

func TestAnswer(t *testing.T) {
	whole := of("HR003", "error", "start!", "")
	whole.Resource.Name = "other"
	for want, findings := range map[string][]engine.Finding{
		"": {of("HR407", "info", "style", "a")},
		"1 container will not start": {
			of("HR411", "error", "start!", "a"),
		},
		// Two faults of one workload are one workload.
		"1 workload will not start": {of("HR001", "error", "start!", ""), of("HR001", "error", "start!", "")},
		// What is said of no container is said of the workload.
		"1 container and 2 workloads will not start, 1 container can be throttled": {
			of("HR409", "error", "start!", "a"), of("HR003", "error", "start!", ""), whole, of("HR210", "warning", "throttled", "a"),
		},
		"1 container will be OOMKilled, 2 can be OOMKilled, 1 can be throttled": {
			of("HR402", "warning", "throttled", "a"), of("HR303", "warning", "OOMKilled", "b"), of("HR303", "error", "OOMKilled", "d"),
			of("HR303", "warning", "OOMKilled", "a"), of("HR304", "error", "OOMKilled!", "a"),
		},
		"2 containers have less memory reserved than they may use, 1 gets too little CPU on a busy node, " +
			"1 costs more than needed; 1 other finding, class not set on 2 workloads": {
			of("HR301", "warning", "evicted", "a"), of("HR302", "error", "evicted!", "b"), of("HR201", "warning", "starved", "a"),
			of("HR406", "warning", "cost", "a"), of("HR103", "warning", "style", "a"), of("HR101", "warning", "style", "a"),
			of("HR101", "warning", "style", "b"),
		},
		"Class not set on 1 workload": {of("HR101", "warning", "style", "a")},
		"1 finding":                   {of("HR103", "warning", "style", "a")},
		"2 findings":                  {of("HR103", "warning", "style", "a"), of("HR103", "warning", "unheard", "b")},
		// What is certain of a rule is not where the config made it a warning.
		"1 container can be OOMKilled": {of("HR304", "warning", "OOMKilled!", "a")},
		// One file may hold the same name twice, and a container two of the same.
		"2 containers will be OOMKilled": {of("HR304", "error", "OOMKilled!", "a"), of("HR304", "error", "OOMKilled!", "a")},
	} {
		if got := Answer(report.Entries(&report.Report{Findings: findings})); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// What has no name is a container all the same where its field is in one, and two of one name are two.
func TestAnswerOfContainersWithoutName(t *testing.T) {
	in := func(rule, harm, container, path string) engine.Finding {
		f := of(rule, "warning", harm, container)
		f.Resource.Name, f.Path = "a", path
		return f
	}
	for want, findings := range map[string][]engine.Finding{
		"1 container has less memory reserved than it may use, 1 gets too little CPU on a busy node": {
			in("HR302", "evicted", "", "/spec/containers/0/resources/requests/memory"),
			in("HR201", "starved", "", "/spec/containers/0/resources/requests/cpu"),
		},
		"4 containers have less memory reserved than they may use": {
			in("HR302", "evicted", "", "/spec/template/spec/containers/0/resources/requests/memory"),
			in("HR302", "evicted", "", "/spec/template/spec/initContainers/0/resources/requests/memory"),
			in("HR302", "evicted", "b", "/spec/template/spec/containers/1/resources/requests/memory"),
			in("HR302", "evicted", "b", "/spec/template/spec/containers/2/resources/requests/memory"),
		},
		// One of them is told of an annotation.
		"1 container can be throttled": {
			in("HR210", "throttled", "b", "/spec/containers/1/resources"), in("HR402", "throttled", "b", "/metadata/annotations/a"),
		},
		// A whole workload is not named beside its container.
		"1 container can be OOMKilled": {in("HR303", "OOMKilled", "a", "/spec/containers/0/env/0"), in("HR209", "OOMKilled", "", "/spec")},
		"1 workload can be throttled":  {in("HR210", "throttled", "", "/spec/resources/limits/cpu")},
		"1 workload may not start":     {in("HR003", "start", "", "/spec/containers/0")},
	} {
		if got := Answer(report.Entries(&report.Report{Findings: findings})); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestOutcomes: each harm but style has words.
func TestOutcomes(t *testing.T) {
	for _, harm := range engine.Harms {
		if _, known := outcomes[harm]; !known && harm != "style" {
			t.Errorf("no words for %s", harm)
		}
	}
}

func TestAlso(t *testing.T) {
	at := func(f engine.Finding, file string, line int) engine.Finding {
		f.File, f.Line = file, line
		return f
	}
	asking := func(f engine.Finding, expected string) engine.Finding {
		f.Expected = expected
		return f
	}
	first := asking(of("HR302", "warning", "evicted", "api"), "1Gi")
	var many []engine.Finding
	for range 12 {
		many = append(many, first)
	}
	for name, c := range map[string]struct {
		findings []engine.Finding
		room     int
		want     string
	}{
		"alone":         {findings: []engine.Finding{first}},
		"the same file": {findings: []engine.Finding{first, asking(of("HR302", "warning", "evicted", "web"), "1Gi")}, want: "web:7"},
		"its own value": {
			findings: []engine.Finding{first, asking(of("HR302", "warning", "evicted", "web"), "2Gi")}, want: "web:7 (2Gi)",
		},
		"its own name in the advice": {
			findings: []engine.Finding{of("HR302", "warning", "evicted", "api"), of("HR302", "warning", "evicted", "web")}, want: "web:7",
		},
		"long advice": {
			findings: []engine.Finding{first, asking(of("HR302", "warning", "evicted", "web"), strings.Repeat("so ", 40))},
			want:     "web:7 (other advice)",
		},
		"a file beside it": {findings: []engine.Finding{first, at(first, "shop/b.yaml", 9)}, want: "api b.yaml:9"},
		"a file elsewhere": {findings: []engine.Finding{first, at(first, "b/a.yaml", 0)}, want: "api b/a.yaml"},
		"a cluster":        {findings: []engine.Finding{at(first, "", 0), at(first, "", 0)}, want: "Deployment api, api"},
		"many":             {findings: many, want: "api:7, api:7, api:7, api:7, api:7, api:7, api:7, api:7 and 3 more!"},
		"little room":      {findings: many, room: 26, want: "api:7, api:7 and 9 more!"},
		"no room":          {findings: many, room: 1, want: "11 more!"},
	} {
		entries := report.Entries(&report.Report{Findings: c.findings})
		if len(entries) != 1 {
			t.Fatalf("%s: %d entries", name, len(entries))
		}
		got := Also(entries[0], "!", func(text string) bool { return c.room == 0 || len(text) <= c.room })
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}

// TestSuggestions: what a class might be is counted, with the first of them.
func TestSuggestions(t *testing.T) {
	var list []engine.Finding
	for _, name := range []string{"a", "b", "c", "d"} {
		f := of("HR101", "warning", "style", name)
		f.Resource.Name = name
		list = append(list, f)
	}
	const wanted = "annotation headroom.dev/workload-class, or classes in headroom.yaml"
	if got := Wanted(report.Entries(&report.Report{Findings: list})[0]); got != wanted {
		t.Errorf("got %s", got)
	}
	suggested := func(class string) map[string]any {
		return map[string]any{"suggested_class": class, "evidence": "Service x selects it"}
	}
	list[1].Figures, list[2].Figures, list[3].Figures = suggested("batch"), suggested("latency-sensitive"), suggested("batch")
	second := list[3]
	second.Container = "beside"
	e := report.Entries(&report.Report{Findings: append(list, second)})[0]
	if got, want := Wanted(e), wanted+": `headroom init` suggests batch for 2, latency-sensitive for 1 (b: Service x selects it)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Message(e), "Class not set on 4 workloads: CPU limits were not checked."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Wanted(report.Entries(&report.Report{Findings: list[:1]})[0]); got != list[0].Expected {
		t.Errorf("got %s", got)
	}
}

// TestCostInAll counts each workload once.
func TestCostInAll(t *testing.T) {
	costly := func(workload, container string, bytes any) engine.Finding {
		f := of("HR302", "warning", "evicted", container)
		f.Resource.Name, f.Message, f.Expected = workload, "same", "requests.memory: 1Gi"
		f.Figures = map[string]any{"more_bytes": bytes}
		return f
	}
	one, two := costly("a", "app", 1<<30), costly("a", "log", 1<<30)
	if got := Wanted(report.Entries(&report.Report{Findings: []engine.Finding{one, two}})[0]); got != one.Expected {
		t.Errorf("got %s", got)
	}
	three := costly("b", "app", json.Number("536870912"))
	got := Wanted(report.Entries(&report.Report{Findings: []engine.Finding{one, two, three}})[0])
	if want := "requests.memory: 1Gi; in all 1.5 GiB more reserved for 2 workloads; lower limits reserve less"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSubject(t *testing.T) {
	cart := engine.Resource{Kind: "Deployment", Namespace: "shop", Name: "cart"}
	twin := engine.Resource{Kind: "CronJob", Namespace: "shop", Name: "cart"}
	for want, c := range map[string]struct {
		f      engine.Finding
		beside []engine.Resource
	}{
		"shop-api/api":              {f: engine.Finding{File: "a", Container: "api", Resource: engine.Resource{Name: "shop-api"}}},
		"shop/cart/istio-proxy":     {f: engine.Finding{File: "a", Container: "istio-proxy", Resource: cart}},
		"shop/cart":                 {f: engine.Finding{File: "a", Container: "cart", Resource: cart}, beside: []engine.Resource{cart}},
		"CronJob shop/cart":         {f: engine.Finding{File: "a", Container: "cart", Resource: twin}, beside: []engine.Resource{cart}},
		"CronJob shop/cart/report":  {f: engine.Finding{File: "a", Container: "report", Resource: twin}, beside: []engine.Resource{cart}},
		"api":                       {f: engine.Finding{File: "a", Container: "api"}},
		"Deployment shop/cart":      {f: engine.Finding{File: "a", Resource: cart}},
		"Deployment shop/cart, api": {f: engine.Finding{Container: "api", Resource: cart}},
	} {
		c.f.Severity = "error"
		r := &report.Report{Findings: []engine.Finding{c.f}}
		for _, object := range c.beside {
			r.Workloads = append(r.Workloads, report.Workload{Resource: object})
		}
		if got := Subject(report.Entries(r)[0], &c.f); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
