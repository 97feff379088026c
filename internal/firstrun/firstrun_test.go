package firstrun_test

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/firstrun"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

func missing(namespace, name, class string, sure bool, labels map[string]any) engine.Finding {
	figures := map[string]any{"labels": labels}
	if class != "" {
		figures["suggested_class"], figures["evidence"], figures["sure"] = class, "Service "+name+" selects it", sure
	}
	return engine.Finding{
		Rule:     "HR101",
		Resource: engine.Resource{APIVersion: "apps/v1", Kind: "Deployment", Namespace: namespace, Name: name},
		Figures:  figures,
	}
}

func app(name string) map[string]any { return map[string]any{"app": name} }

const latency, batch = "latency-sensitive", "batch"

func rows(findings ...engine.Finding) []string {
	var all []string
	for _, row := range firstrun.Look(&report.Report{Findings: findings}).Rows {
		lead := ""
		if !row.Sure {
			lead = "# "
		}
		all = append(all, lead+row.String())
	}
	return all
}

func TestRows(t *testing.T) {
	for name, tc := range map[string]struct {
		findings []engine.Finding
		want     string
	}{
		"none": {nil, ""},
		"a namespace of one class": {
			[]engine.Finding{missing("shop", "a", latency, true, app("a")), missing("shop", "b", latency, true, app("b"))},
			`{class: latency-sensitive, namespace: "shop"}`,
		},
		"labels and a namespace that are patterns": {
			[]engine.Finding{missing("shop", "a", latency, true, app("*")), missing("*", "b", latency, true, app("b"))}, "",
		},
		"a namespace of one workload": {
			[]engine.Finding{missing("shop", "a", latency, true, app("a"))},
			`{class: latency-sensitive, namespace: "shop", labels: {"app": "a"}}`,
		},
		"a namespace of two classes, the weak as a comment": {
			[]engine.Finding{missing("shop", "a", batch, false, app("a")), missing("shop", "b", latency, true, app("b"))},
			`{class: latency-sensitive, namespace: "shop", labels: {"app": "b"}}` + "\n" +
				`# {class: batch, namespace: "shop", labels: {"app": "a"}}`,
		},
		"the default namespace says nothing": {
			[]engine.Finding{missing("default", "a", latency, true, app("a")), missing("default", "b", latency, true, app("b"))},
			`{class: latency-sensitive, labels: {"app": "a"}}` + "\n" + `{class: latency-sensitive, labels: {"app": "b"}}`,
		},
		"no labels to name it by": {[]engine.Finding{missing("", "a", batch, false, nil)}, ""},
		"labels that two have": {
			[]engine.Finding{missing("", "a", latency, true, app("a")), missing("", "b", latency, true, app("a"))},
			`{class: latency-sensitive, labels: {"app": "a"}}`,
		},
		"a test's Pod with the labels of the service": {
			[]engine.Finding{missing("", "a-test", latency, false, app("a")), missing("", "a", latency, true, app("a"))},
			`{class: latency-sensitive, labels: {"app": "a"}}`,
		},
		"a chart in the default namespace and manifests in none": {
			[]engine.Finding{missing("default", "a", latency, true, app("a")), missing("", "a", latency, true, app("a"))},
			`{class: latency-sensitive, labels: {"app": "a"}}`,
		},
		"labels of two classes": {
			[]engine.Finding{missing("", "a", latency, true, app("a")), missing("", "b", "", false, app("a"))}, "",
		},
		"no labels": {[]engine.Finding{missing("", "a", latency, true, nil)}, ""},
	} {
		if got := strings.Join(rows(tc.findings...), "\n"); got != tc.want {
			t.Errorf("%s:\n%s\nnot\n%s", name, got, tc.want)
		}
	}
}

// What is written is read again, whatever stands in the manifests.
func TestConfigIsRead(t *testing.T) {
	hostile := "a: b # }\n\"'\x1b[0m"
	found := firstrun.Look(&report.Report{
		Findings: []engine.Finding{
			missing("", hostile, latency, true, app(hostile)), missing("", "weak", batch, false, app("weak")),
			missing("", hostile+"2", "", false, nil),
		},
		Workloads: []report.Workload{besides("a"), besides("b"), besides("c")},
	})
	text := found.Config()
	if _, err := settings.Parse("headroom.yaml", text); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var config struct {
		Classes []struct {
			Class  string
			Labels map[string]string
		}
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	if len(config.Classes) != 1 || config.Classes[0].Labels["app"] != hostile {
		t.Errorf("%v\n%s", config, text)
	}
	if !strings.Contains(string(text), "# sidecars: {names: [proxy]}") || strings.Contains(string(text), "\x1b") {
		t.Errorf("%s", text)
	}
	if !strings.Contains(string(text), "#   Deployment a: b # }") {
		t.Errorf("%s", text)
	}
	if empty := firstrun.Look(&report.Report{}).Config(); !strings.HasSuffix(string(empty), "classes: []\n") {
		t.Errorf("%s", empty)
	}
}

// In a cluster, the default namespace is one like any other.
func TestRowsOfACluster(t *testing.T) {
	found := firstrun.Look(&report.Report{
		Cluster:  &report.Cluster{},
		Findings: []engine.Finding{missing("default", "a", latency, true, app("a")), missing("default", "b", batch, false, nil)},
	})
	if len(found.Rows) != 1 || found.Rows[0].Namespace != "default" || found.Live() != 1 {
		t.Errorf("%v", found.Rows)
	}
	if len(found.Unclear) != 1 || found.Unclear[0].String() != "Deployment default/b: batch? (Service b selects it)" {
		t.Errorf("%v", found.Unclear)
	}
}

func besides(name string) report.Workload {
	return report.Workload{Containers: []report.Container{
		{Name: name, Class: "unclassified"}, {Name: "proxy", Class: "unclassified"}, {Name: "istio-proxy", Class: "sidecar"},
	}}
}

// Names of a stranger are read back as they are, and neither a terminal nor a runner of CI obeys what is printed.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{
		"\u009b2J", "\x1b[2J", "\x7f", "\u202eexe", "\ufeffa", "\u00a0::error::x", "\u2028::error::x", "##[error]x", "####", "\U000e0041",
		"\ufffe", `a\"b`, "日本 ü", "a\r\n- b",
	} {
		printed := strings.Join(rows(missing(name, "a", latency, true, app(name))), "\n")
		if printed != terminal.Printable(printed) {
			t.Errorf("%q is printed as %q", name, printed)
		}
		var row struct {
			Namespace string
			Labels    map[string]string
		}
		if err := yaml.Unmarshal([]byte(printed), &row); err != nil || row.Namespace != name || row.Labels["app"] != name {
			t.Errorf("%q is read as %q: %v", name, row, err)
		}
	}
}
