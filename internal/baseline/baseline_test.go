package baseline

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// found makes a finding of "severity rule name/container size", where the size may be missing.
func found(text string) engine.Finding {
	var f engine.Finding
	var subject string
	if _, err := fmt.Sscan(text, &f.Severity, &f.Rule, &subject); err != nil {
		panic(err)
	}
	f.Resource.Name, f.Container, _ = strings.Cut(subject, "/")
	if fields := strings.Fields(text); len(fields) > 3 {
		f.Size = &engine.Size{Unit: "%"}
		if _, err := fmt.Sscan(fields[3], &f.Size.Value); err != nil {
			panic(err)
		}
	}
	f.Message = "It is."
	f.Resource.APIVersion, f.Resource.Kind = "apps/v1", "Deployment"
	return f
}

// report has findings, and workloads that have none.
func reported(findings []string, sound ...string) *report.Report {
	r := &report.Report{}
	for _, text := range findings {
		r.Findings = append(r.Findings, found(text))
	}
	for _, name := range sound {
		r.Workloads = append(r.Workloads, report.Workload{Resource: engine.Resource{
			APIVersion: "apps/v1", Kind: "Deployment", Name: name,
		}})
	}
	return r
}

func named(findings []engine.Finding) []string {
	var list []string
	for _, f := range findings {
		list = append(list, f.Severity+" "+f.Rule+" "+f.Resource.Name+"/"+f.Container)
	}
	return list
}

func TestApply(t *testing.T) {
	scope := Scope{"path:deploy"}
	for _, c := range []struct {
		name         string
		before, now  []string
		sound        []string
		scope        Scope
		fresh, stale []string
	}{
		{
			name: "the same", before: []string{"error HR202 cart/app"}, now: []string{"error HR202 cart/app"},
		},
		{
			name: "another container, rule, workload", before: []string{"error HR202 cart/app"},
			now:   []string{"error HR202 cart/app", "error HR202 cart/proxy", "error HR301 cart/app", "error HR202 shop/app"},
			fresh: []string{"error HR202 cart/proxy", "error HR301 cart/app", "error HR202 shop/app"},
		},
		{
			name: "a second of the same key", before: []string{"error HR202 cart/app"},
			now:   []string{"error HR202 cart/app", "error HR202 cart/app"},
			fresh: []string{"error HR202 cart/app"},
		},
		{
			name: "one of two is gone", before: []string{"error HR202 cart/app", "error HR202 cart/app"},
			now: []string{"error HR202 cart/app"}, stale: []string{"1 error HR202 cart/app"},
		},
		{
			name: "more severe", before: []string{"warning HR409 cart/app"}, now: []string{"error HR409 cart/app"},
			fresh: []string{"error HR409 cart/app"},
		},
		{
			name: "less severe", before: []string{"error HR409 cart/app"}, now: []string{"warning HR409 cart/app"},
		},
		{
			name: "the error's entry is not for the warning", before: []string{"error HR409 cart/app"},
			now:   []string{"warning HR409 cart/app", "error HR409 cart/app"},
			fresh: []string{"warning HR409 cart/app"},
		},
		{
			name: "fixed", before: []string{"error HR202 cart/app"}, sound: []string{"cart"},
			stale: []string{"1 error HR202 cart/app"},
		},
		{name: "not read", before: []string{"error HR202 cart/app"}, scope: Scope{"path:deploy/shop"}},
		{name: "gone", before: []string{"error HR202 cart/app"}, scope: Scope{"path:."}, stale: []string{"1 error HR202 cart/app"}},
	} {
		b := Renew(nil, reported(c.before), scope)
		if c.scope == nil {
			c.scope = Scope{"path:elsewhere"}
		}
		r := reported(c.now, c.sound...)
		b.Apply(r, c.scope)
		if got := named(r.Findings); !slices.Equal(got, c.fresh) {
			t.Errorf("%s: new are %q, want %q", c.name, got, c.fresh)
		}
		if want := len(c.now) - len(c.fresh); len(r.Known) != want || r.Summary.Known != want {
			t.Errorf("%s: %d known, want %d", c.name, len(r.Known), want)
		}
		var stale []string
		for _, s := range r.Stale {
			stale = append(stale, fmt.Sprintf("%d %s %s %s/%s", s.Count, s.Severity, s.Rule, s.Name, s.Container))
		}
		if !slices.Equal(stale, c.stale) {
			t.Errorf("%s: stale are %q, want %q", c.name, stale, c.stale)
		}
	}
}

// What got worse is told again, and says how.
func TestWorse(t *testing.T) {
	for name, c := range map[string]struct{ before, now, told []string }{
		"grown":                    {[]string{"error HR304 cart/app 75"}, []string{"error HR304 cart/app 90"}, []string{"Got worse: 75 → 90 %. It is."}},
		"grown a little":           {[]string{"error HR304 cart/app 75"}, []string{"error HR304 cart/app 78"}, nil},
		"shrunk":                   {[]string{"error HR304 cart/app 90"}, []string{"error HR304 cart/app 75"}, nil},
		"more severe":              {[]string{"warning HR303 cart/app 75"}, []string{"error HR303 cart/app 75"}, []string{"Got worse: warning → error. It is."}},
		"more severe, and grown":   {[]string{"warning HR303 cart/app 75"}, []string{"error HR303 cart/app 99"}, []string{"Got worse: warning → error, 75 → 99 %. It is."}},
		"less severe, but grown":   {[]string{"error HR303 cart/app 75"}, []string{"warning HR303 cart/app 99"}, []string{"Got worse: 75 → 99 %. It is."}},
		"an old file has no sizes": {[]string{"error HR304 cart/app"}, []string{"error HR304 cart/app 90"}, nil},
		"no size any more":         {[]string{"error HR304 cart/app 75"}, []string{"error HR304 cart/app"}, nil},
		"one of two":               {[]string{"error HR202 cart/app 75", "error HR202 cart/app 10"}, []string{"error HR202 cart/app 10", "error HR202 cart/app 90"}, []string{"Got worse: 75 → 90 %. It is."}},
		"the lesser of two":        {[]string{"error HR202 cart/app 75", "error HR202 cart/app 10"}, []string{"error HR202 cart/app 70", "error HR202 cart/app 75"}, []string{"Got worse: 10 → 70 %. It is."}},
		"a third":                  {[]string{"error HR202 cart/app 75", "error HR202 cart/app 10"}, []string{"error HR202 cart/app 10", "error HR202 cart/app 75", "error HR202 cart/app 90"}, []string{"It is."}},
	} {
		b := Renew(nil, reported(c.before), Scope{"path:deploy"})
		r := reported(c.now)
		b.Apply(r, Scope{"path:deploy"})
		var told []string
		for _, f := range r.Findings {
			told = append(told, f.Message)
		}
		if !slices.Equal(told, c.told) || len(r.Stale) > 0 || len(r.Known) != len(c.now)-len(c.told) {
			t.Errorf("%s: %q, %d known, stale %v", name, told, len(r.Known), r.Stale)
		}
	}
}

// A baseline of a report holds for that report, in whatever order and however often what it finds
// comes, and after it has been written to a file.
func TestABaselineHoldsForWhatItWasMadeOf(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 500 {
		var findings []string
		for range random.IntN(30) {
			text := fmt.Sprintf("%s HR%d w%d/c%d", severities[random.IntN(3)], 201+random.IntN(3), random.IntN(2), random.IntN(2))
			if random.IntN(3) > 0 {
				text += fmt.Sprintf(" %g", []float64{0, 0.1, 74.9, 75, 78.7, 1e6}[random.IntN(6)])
			}
			for range 1 + random.IntN(3) {
				findings = append(findings, text)
			}
		}
		scope := Scope{"path:deploy"}
		written, err := Encode("known.yaml", Renew(nil, reported(findings), scope))
		if err != nil {
			t.Fatal(err)
		}
		random.Shuffle(len(findings), func(i, j int) { findings[i], findings[j] = findings[j], findings[i] })
		b, err := Parse("known.yaml", written)
		if err != nil {
			t.Fatal(err)
		}
		r := reported(findings)
		if b.Apply(r, scope); len(r.Findings) > 0 || len(r.Stale) > 0 || len(r.Known) != len(findings) {
			t.Fatalf("round %d: %q are new, %v stale, of %q\n%s", round, named(r.Findings), r.Stale, findings, written)
		}
		again, err := Encode("known.yaml", Renew(b, reported(findings), scope))
		if err != nil || string(again) != string(written) {
			t.Fatalf("round %d: written in another order, it differs: %v\n%s\n%s", round, err, written, again)
		}
	}
}

// An entry may count more than there is, and costs nothing for it.
func TestALargeCount(t *testing.T) {
	b := &Baseline{Entries: []Entry{{Key: KeyOf(found("error HR202 cart/app")), Severity: "error", Count: 1 << 40, Sizes: []float64{10}}}}
	r := reported([]string{"error HR202 cart/app 500", "error HR202 cart/app 10"})
	if b.Apply(r, Scope{"path:deploy"}); len(r.Findings) > 0 || len(r.Known) != 2 {
		t.Errorf("%q are new", named(r.Findings))
	}
}

// Neither the API version nor the file and line of a finding are part of its key.
func TestKey(t *testing.T) {
	old, moved := found("error HR202 cart/app"), found("error HR202 cart/app")
	old.Resource.APIVersion, moved.Resource.APIVersion = "apps/v1beta2", "apps/v1"
	old.File, old.Line, moved.File, moved.Line = "a.yaml", 1, "b.yaml", 70
	if KeyOf(old) != KeyOf(moved) {
		t.Error("moved or written for another version, it is another finding")
	}
	core := found("error HR202 cart/app")
	core.Resource.APIVersion = "v1"
	if KeyOf(core).Workload.Group != "" || KeyOf(old) == KeyOf(core) {
		t.Error("groups are not told apart")
	}
}

// A problem could hide a workload: what was not seen is not gone.
func TestProblems(t *testing.T) {
	scope := Scope{"path:deploy"}
	b := Renew(nil, reported([]string{"error HR202 cart/app"}), scope)
	r := reported(nil)
	r.Problems = []report.Problem{{File: "deploy/cart.yaml", Message: "is not valid YAML"}}
	if b.Apply(r, scope); len(r.Stale) > 0 {
		t.Error(r.Stale)
	}
}

func TestRenew(t *testing.T) {
	scope := Scope{"path:deploy"}
	b := Renew(nil, reported([]string{"error HR202 cart/app", "error HR301 shop/app", "warning HR409 web/app"}), scope)
	for i := range b.Entries {
		b.Entries[i].Reason = "because of " + b.Entries[i].Workload.Name
	}
	part := Renew(b, reported([]string{"error HR202 cart/app", "error HR201 cart/app"}), Scope{"path:deploy/cart"})
	whole := Renew(b, reported([]string{"error HR202 cart/app", "error HR409 web/app"}), scope)
	for _, c := range []struct {
		name string
		b    *Baseline
		want []string
	}{
		{"a part", part, []string{"HR201 cart ", "HR202 cart because of cart", "HR301 shop because of shop", "HR409 web because of web"}},
		{"all", whole, []string{"HR202 cart because of cart", "HR409 web because of web"}},
	} {
		var got []string
		for _, e := range c.b.Entries {
			got = append(got, e.Rule+" "+e.Workload.Name+" "+e.Reason)
		}
		if !slices.Equal(got, c.want) || !slices.Equal(c.b.Covers, scope) {
			t.Errorf("%s: %q of %q, want %q", c.name, got, c.b.Covers, c.want)
		}
	}
}

func TestIncludes(t *testing.T) {
	for _, c := range []struct {
		mine, other Scope
		want        bool
	}{
		{Scope{"path:deploy"}, Scope{"path:deploy"}, true},
		{Scope{"path:."}, Scope{"path:deploy/a", "path:b"}, true},
		{Scope{"path:deploy"}, Scope{"path:deploy/a.yaml"}, true},
		{Scope{"path:.."}, Scope{"path:../deploy"}, true},
		{Scope{"path:deploy"}, Scope{"path:deployments"}, false},
		{Scope{"path:deploy/a"}, Scope{"path:deploy"}, false},
		{Scope{"path:."}, Scope{"path:../deploy"}, false},
		{Scope{"path:."}, Scope{"helm-chart:shop"}, false},
		{Scope{"path:deploy"}, Scope{"path:deploy", "helm-chart:shop"}, false},
		{Scope{"path:-"}, Scope{"path:-"}, false},
		{Scope{"cluster"}, Scope{"namespace:shop"}, true},
		{Scope{"namespace:shop"}, Scope{"cluster"}, false},
		{Scope{"cluster"}, Scope{"path:deploy"}, false},
		{Scope{"path:."}, nil, false},
	} {
		if got := c.mine.Includes(c.other); got != c.want {
			t.Errorf("%q includes %q: %t", c.mine, c.other, got)
		}
	}
}

func TestPaths(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	got := Paths("ci/known.yaml", []string{"deploy/", "-"}, []string{"charts/shop"}, []string{"./overlays/a"})
	want := Scope{"path:../deploy", "path:-", "helm-chart:../charts/shop", "kustomize:../overlays/a"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
