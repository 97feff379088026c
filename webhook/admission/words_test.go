package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

func TestClean(t *testing.T) {
	for _, tc := range []struct {
		text  string
		limit int
		want  string
	}{
		{"", 0, ""},
		{"eleven char", 11, "eleven char"},
		{"eleven chars", 11, "eleven…"},
		{"aaaaa bbbbbbbbbb", 11, "aaaaa bbbb…"}, // a word that begins before the middle is not given up
		{"aaaaaa bbbbbbbbb", 11, "aaaaaa…"},
		{"aaaaaaaa, (bbbbbb", 12, "aaaaaaaa…"},
		{"a\tb\n\x1b\u202ec\xffd", 20, "a b ��c�d"},
		{"üüüü", 4, "üüüü"},
		{"üüüüü", 4, "üüü…"},
	} {
		if got := clean(tc.text, tc.limit); got != tc.want {
			t.Errorf("%q to %d: %q, not %q", tc.text, tc.limit, got, tc.want)
		}
	}
}

func TestWarning(t *testing.T) {
	x, w := func(n int) string { return strings.Repeat("x", n) }, func(n int) string { return strings.Repeat("w", n) }
	head, want := "[HR1] container app: ", "; want: "
	room := maxWarning - len(head)
	for _, tc := range []struct {
		name    string
		f       engine.Finding
		inPods  bool
		warning string
	}{
		{"of a workload", engine.Finding{Rule: "HR1", Message: "It is."}, false, "[HR1] It is"},
		{
			"with what is wanted",
			engine.Finding{Rule: "HR1", Container: "app", Message: "It is.", Expected: "b; c"},
			true,
			head + "It is; want: b; c (fixed in the Pods)",
		},
		{
			"as long as can be",
			engine.Finding{Rule: "HR1", Container: "app", Message: x(room - len(want+"b; c")), Expected: "b; c"},
			false,
			head + x(room-len(want+"b; c")) + want + "b; c",
		},
		{
			"one character more: without the reasons",
			engine.Finding{Rule: "HR1", Container: "app", Message: x(room - len(want+"b; c") + 1), Expected: "b; c"},
			false,
			head + x(room-len(want+"b; c")+1) + want + "b",
		},
		{
			"without what is always said",
			engine.Finding{Rule: "HR1", Container: "app", Message: "It is. " + x(500) + ".", Why: x(500) + ".", Expected: "b; c"},
			false,
			head + "It is; want: b; c",
		},
		{
			"a long message",
			engine.Finding{Rule: "HR1", Container: "app", Message: x(500), Expected: "b"},
			false,
			head + x(room-len(want+"b")-1) + "…" + want + "b",
		},
		{
			"a short message and much that is wanted",
			engine.Finding{Rule: "HR1", Container: "app", Message: x(10), Expected: w(500)},
			false,
			head + x(10) + want + w(room-10-len(want)-1) + "…",
		},
		{
			"much of both",
			engine.Finding{Rule: "HR1", Container: "app", Message: x(500), Expected: w(500)},
			false,
			head + x(minMessage-1) + "…" + want + w(room-minMessage-len(want)-1) + "…",
		},
	} {
		if got := warning(&cause{Finding: tc.f}, tc.inPods); got != tc.warning {
			t.Errorf("%s:\n%s\nnot\n%s", tc.name, got, tc.warning)
		}
	}
}

// found are so many findings, named after their place.
func found(n int) []engine.Finding {
	var list []engine.Finding
	for i := range n {
		list = append(list, engine.Finding{Rule: fmt.Sprint("HR", i), Severity: engine.SeverityError, Container: "c", Message: "m"})
	}
	return list
}

func TestListsEnd(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 ", 1: "1 [HR0] container c: m", 5: "5 [HR4] container c: m",
		6: "6 1 more: headroom lint", 9: "6 4 more: headroom lint",
	} {
		lines := warnings(found(n), true)
		last := ""
		if len(lines) > 0 {
			last = lines[len(lines)-1]
		}
		if got := fmt.Sprint(len(lines), " ", last); got != want {
			t.Errorf("%d: %q, not %q", n, got, want)
		}
	}
	fixable := []engine.Finding{{Rule: "HR1", Message: "m", Fixable: true}, {Rule: "HR2", Message: "m"}}
	if got := warnings(fixable, true); !slices.Equal(got, []string{"[HR1] m (fixed in the Pods)", "[HR2] m"}) {
		t.Errorf("%q", got)
	}
	for n, want := range map[int]string{1: "HR0", 1000: "HR999", 2000: "and 840 more"} {
		text := listed(found(n), func(f engine.Finding) string { return f.Rule })
		words := strings.Split(text, ", ")
		if last := words[len(words)-1]; last != want || len(text) > maxList {
			t.Errorf("%d: %d bytes and %q", n, len(text), last)
		}
	}
}

func TestCauses(t *testing.T) {
	of := func(rule, group, container, severity, harm string) engine.Finding {
		return engine.Finding{Rule: rule, Group: group, Container: container, Severity: severity, Harm: harm, Message: rule + " is"}
	}
	for name, c := range map[string]struct {
		findings []engine.Finding
		want     []string
	}{
		"what follows is named": {
			[]engine.Finding{
				of("HR402", "HR402", "app", "error", "throttled"), of("HR403", "HR402", "app", "warning", "throttled"),
				of("HR404", "HR403", "app", "warning", "throttled"), of("HR403", "HR403", "side", "warning", "throttled"),
			},
			[]string{"[HR402, with HR403, HR404] container app: HR402 is", "[HR403] container side: HR403 is"},
		},
		"without its cause it is named for itself": {
			[]engine.Finding{of("HR403", "HR402", "app", "warning", "throttled")}, []string{"[HR403] container app: HR403 is"},
		},
		"the worst first": {
			[]engine.Finding{
				of("HR407", "HR407", "app", "warning", "style"), of("HR303", "HR303", "app", "warning", "OOMKilled"),
				of("HR202", "HR202", "app", "error", "throttled"),
			},
			[]string{"[HR202] container app: HR202 is", "[HR303] container app: HR303 is", "[HR407] container app: HR407 is"},
		},
		"the same of several containers": {
			[]engine.Finding{of("HR101", "HR101", "a", "warning", "style"), of("HR101", "HR101", "b", "warning", "style"), of("HR101", "HR101", "", "warning", "style")},
			[]string{"[HR101] HR101 is", "[HR101] containers a, b: HR101 is"},
		},
		"infos are not for here": {
			[]engine.Finding{of("HR402", "HR402", "app", "error", "throttled"), of("HR403", "HR402", "app", "info", "throttled"), of("HR413", "HR413", "app", "info", "style")},
			[]string{"[HR402] container app: HR402 is"},
		},
	} {
		if got := warnings(c.findings, false); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	var many []engine.Finding
	for i := range 5 {
		many = append(many, of("HR101", "HR101", fmt.Sprint("c", i), "warning", "style"))
	}
	if got := warnings(many, false); !slices.Equal(got, []string{"[HR101] 5 containers: HR101 is"}) {
		t.Errorf("%q", got)
	}
}

func TestAuditAnnotations(t *testing.T) {
	findings := []engine.Finding{{Rule: "HR1", Severity: "error", Container: "app", Message: "m."}, {Rule: "HR2", Severity: "info", Message: "n"}}
	skip := []engine.Skip{{What: "a", Reason: "b"}, {What: "c", Reason: "d"}}
	const both = "HR1 error app, HR2 info"
	for _, tc := range []struct {
		name               string
		mode               string
		findings, refusing []engine.Finding
		skipped            []engine.Skip
		exempted           []engine.Finding
		want               map[string]string
	}{
		{"nothing", ModeAudit, nil, nil, nil, nil, map[string]string{"mode": "audit"}},
		{
			"findings to be warned of", ModeWarn, findings, findings[:1], nil, nil,
			map[string]string{"mode": "warn", "findings": both, "would-refuse": "HR1 app"},
		},
		{
			"findings for the log alone", ModeAudit, findings, findings[1:], skip[:1], nil,
			map[string]string{
				"mode": "audit", "findings": both, "would-refuse": "HR2", "skipped": "a: b",
				"detail": "[HR1] container app: m",
			},
		},
		{"what is skipped", ModeEnforce, nil, nil, skip, nil, map[string]string{"mode": "enforce", "skipped": "a: b"}},
		{
			"what is exempted", ModeEnforce, nil, nil, nil,
			[]engine.Finding{
				{Rule: "HR1", Container: "app", Suppressed: &engine.Suppression{Reason: "known\nto us", Source: "annotation"}},
				{Rule: "HR2", Suppressed: &engine.Suppression{Reason: strings.Repeat("x", 300), Source: "config"}},
			},
			map[string]string{
				"mode":     "enforce",
				"exempted": "HR1 app (annotation: known to us), HR2 (config: " + strings.Repeat("x", 199) + "…)",
			},
		},
	} {
		s := &subject{review: &review{kind: "Deployment"}, facts: Facts{Mode: tc.mode, Mutate: true}}
		if got := auditOf(s, tc.findings, tc.refusing, tc.exempted, tc.skipped); !maps.Equal(got, tc.want) {
			t.Errorf("%s: %q, not %q", tc.name, got, tc.want)
		}
	}
}

// What a workload exempts itself from is said where errors are refused.
func TestExemptionsAreSaid(t *testing.T) {
	excused := func(rule, severity, source string) engine.Finding {
		return engine.Finding{
			Rule: rule, Severity: severity, Container: "app",
			Suppressed: &engine.Suppression{Reason: "known", Source: source},
		}
	}
	list := []engine.Finding{
		excused("HR1", "error", "annotation"), excused("HR2", "warning", "annotation"), excused("HR3", "info", "annotation"),
		excused("HR4", "error", "config"),
	}
	want := []string{
		"[HR1] container app: exempted by ignore.headroom.dev: known",
		"[HR2] container app: exempted by ignore.headroom.dev: known",
	}
	if got := exemptions(list); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	many := exemptions(slices.Repeat(list[:1], 7))
	if len(many) != maxWarnings+1 || many[maxWarnings] != "2 more exempted: headroom lint" {
		t.Errorf("%q", many)
	}
}

func TestLarger(t *testing.T) {
	size := func(v float64) *engine.Size { return &engine.Size{Value: v} }
	for _, tc := range []struct {
		now, before *engine.Size
		want        bool
	}{
		{nil, nil, false},
		{nil, size(1), false},
		{size(1), nil, true},
		{size(1), size(1), false},
		{size(1), size(2), false},
		{size(2), size(1), true},
	} {
		if got := larger(tc.now, tc.before); got != tc.want {
			t.Errorf("%v after %v: %v", tc.now, tc.before, got)
		}
	}
}

func TestField(t *testing.T) {
	for _, tc := range []struct{ container, path, want string }{
		{"app", "/spec/template/spec/containers/0/resources/limits/cpu", "resources.limits.cpu"},
		{"app", "/spec/initContainers/12/name", "name"},
		{"app", "/spec/containers/0", "spec.containers.0"},
		{"app", "/spec/containers/0/containers/1/a", "containers.1.a"},
		{"app", "/metadata/annotations/a~1b~0c", "metadata.annotations.a/b~c"},
		{"", "/spec/containers/0/name", "spec.containers.0.name"},
		{"", "", ""},
	} {
		if got := field(engine.Finding{Container: tc.container, Path: tc.path}); got != tc.want {
			t.Errorf("%s %s: %q, not %q", tc.container, tc.path, got, tc.want)
		}
	}
}

func TestChangesInWords(t *testing.T) {
	at := "/spec/containers/0/resources/limits/cpu"
	for _, tc := range []struct {
		applied engine.Applied
		want    string
	}{
		{engine.Applied{Container: "app", Path: at, Old: "2"}, "removed limits.cpu 2"},
		{engine.Applied{Container: "app", Path: at, New: "1"}, "set limits.cpu to 1"},
		{engine.Applied{Container: "app", Path: at, Old: "2", New: "1"}, "set limits.cpu from 2 to 1"},
		{engine.Applied{Container: "app", Path: at, Added: "-Xmx1g"}, "added -Xmx1g to JAVA_TOOL_OPTIONS"},
		{engine.Applied{Container: "app", Path: at, Added: "A=-1"}, "added A=-1"},
	} {
		if got := change(tc.applied); got != tc.want {
			t.Errorf("%+v: %q, not %q", tc.applied, got, tc.want)
		}
	}
	before := []engine.Finding{
		{Rule: "HR2", Container: "app", Message: "of another rule"},
		{Rule: "HR1", Container: "side", Message: "of another container"},
		{Rule: "HR1", Container: "app", Message: "because"},
		{Rule: "HR1", Container: "app", Message: "later"},
	}
	applied := []engine.Applied{
		{Rule: "HR1", Container: "app", Path: "/a", Old: "1"},
		{Rule: "HR3", Container: "app", Path: "/b", New: "2"},
		{Rule: "HR1", Container: "app", Path: "/c", Added: "A=1"},
	}
	want := []string{"[HR1] container app: removed a 1, added A=1; why: because", "[HR3] container app: set b to 2"}
	if got := changed(applied, before); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if got := rulesOf(applied); !slices.Equal(got, []string{"HR1", "HR3"}) {
		t.Errorf("%q", got)
	}
	for n, want := range map[int]string{5: "[HR4] set a to 1", 6: "and more; the Pod's annotation headroom.dev/applied lists all changes"} {
		var many []engine.Applied
		for i := range n {
			many = append(many, engine.Applied{Rule: fmt.Sprint("HR", i), Path: "/a", New: "1"})
		}
		if got := changed(many, nil); len(got) != n || got[n-1] != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
