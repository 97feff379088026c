package measure

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestQuantities(t *testing.T) {
	for value, want := range map[float64]string{
		0: "1m", 0.0001: "1m", 0.1: "100m", 0.1 + 1e-12: "100m", 0.1001: "101m", 1: "1", 1.2345: "1235m", -1: "", 1e9: "",
	} {
		if got := cores(value); got != want {
			t.Errorf("%v cores are %q, want %q", value, got, want)
		}
	}
	for value, want := range map[float64]string{
		0: "", 1: "1Ki", 1024: "1Ki", 1025: "2Ki", 1 << 20: "1Mi", 1<<20 + 1: "2Mi", 1 << 30: "1Gi",
		1<<30 - 1: "1Gi", 300.5 * (1 << 20): "301Mi", 1 << 60: "",
	} {
		if got := bytes(value); got != want {
			t.Errorf("%v bytes are %q, want %q", value, got, want)
		}
	}
}

// Nothing that a user, or a namespace, is called gets out of its quotes.
func TestMatchers(t *testing.T) {
	for given, want := range map[string]string{
		`cluster="a"`:              `,cluster="a"`,
		` cluster =~ "a|b.*" `:     `,cluster=~"a|b.*"`,
		`cluster!="a\"b\\"`:        `,cluster!="a\"b\\"`,
		`cluster!~""`:              `,cluster!~""`,
		`cluster="a"} or vector(1`: "",
		`cluster="a",job="b"`:      "",
		`cluster='a'`:              "",
		`cluster=a`:                "",
		`1x="a"`:                   "",
		`x=~"("`:                   "",
		`x="\q"`:                   "",
		``:                         "",
	} {
		got, _, err := matchers([]string{given})
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s is %q, %v; want %q", given, got, err, want)
		}
	}
	s := selectors{namespace: `a"} or vector(1) #`, step: time.Minute}
	if got := s.of("m"); !strings.Contains(got, `namespace="a\"} or vector(1) #"`) {
		t.Error(got)
	}
	q := s.among([]string{"a.b|c"}).kills()["killed"].expression(time.Hour)
	if !strings.Contains(q, `pod=~"a\\.b\\|c"`) {
		t.Error(q)
	}
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		options PrometheusOptions
		problem string
	}{
		{PrometheusOptions{URL: "https://p.example/prometheus/", Token: "t"}, ""},
		{PrometheusOptions{URL: "http://localhost:9090", Token: "t"}, ""},
		{PrometheusOptions{URL: "http://[::1]:9090", Token: "t"}, ""},
		{PrometheusOptions{URL: "http://p.example", Token: "t", Insecure: true}, ""},
		{PrometheusOptions{URL: "http://p.example"}, ""},
		{PrometheusOptions{URL: "http://p.example", Token: "t"}, "plain HTTP"},
		{PrometheusOptions{URL: "http://user:hunter2@p.example"}, "plain HTTP"},
		{PrometheusOptions{URL: "p.example:9090"}, "--prometheus takes a URL"},
		{PrometheusOptions{URL: "ftp://user:hunter2@p.example"}, "--prometheus takes a URL"},
		{PrometheusOptions{URL: "https://user:hunter2@p example"}, "--prometheus takes a URL"},
		{PrometheusOptions{URL: "https://p.example", Step: 2 * time.Hour, Window: time.Hour}, "does not fit"},
		{PrometheusOptions{URL: "https://p.example", Step: time.Second}, "more than 11000 steps"},
		{PrometheusOptions{URL: "https://p.example", Step: -time.Second}, "--prometheus-step has to be 1ms or more"},
		{PrometheusOptions{URL: "https://p.example", TokenFile: "/nowhere"}, "no such file"},
		{PrometheusOptions{URL: "https://p.example", CAFile: "unit_test.go"}, "no certificate"},
		{PrometheusOptions{URL: "https://p.example", Headers: map[string]string{"authorization": "hunter2"}}, "in a file"},
		{PrometheusOptions{URL: "https://p.example", Headers: map[string]string{"a b": "hunter2"}}, "HTTP does not allow"},
	} {
		source, err := Prometheus(test.options)
		switch {
		case test.problem == "" && err != nil, test.problem != "" && err == nil:
			t.Errorf("%+v: %v", test.options, err)
		case err != nil && (!strings.Contains(err.Error(), test.problem) || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("%+v: %v; want %s", test.options, err, test.problem)
		case err == nil && !strings.HasSuffix(source.Describe(), ", last 7d"):
			t.Error(source.Describe())
		}
	}
	source, err := Prometheus(PrometheusOptions{URL: "https://user:hunter2@p.example/prometheus/?token=hunter2"})
	if err != nil {
		t.Fatal(err)
	}
	if got := source.Describe(); got != "Prometheus at https://p.example/prometheus, last 7d" {
		t.Error(got)
	}
}

// said is a source that has been asked.
type said struct {
	name string
	use  Use
	err  error
}

func (s said) Describe() string { return s.name }

func (s said) Namespace(context.Context, string, cluster.Owners) (Use, error) { return s.use, s.err }

func TestBoth(t *testing.T) {
	a, b := cluster.Key{Kind: "Deployment", Name: "a"}, cluster.Key{Kind: "Deployment", Name: "b"}
	first := engine.Measured{
		Source: "Prometheus", Window: time.Hour, Samples: 100, Age: time.Second, CPUAverage: "1", CPUPeak: "2",
		Periods: 10, Throttled: 1, ThrottledSeconds: -1, OOMKills: 0, Restarts: -1,
	}
	second := Unknown("VerticalPodAutoscaler")
	second.Window, second.Samples, second.Age = 2*time.Hour, 60, time.Minute
	second.CPUAverage, second.MemoryPeak = "3", "1Gi"

	filled := first
	filled.Source, filled.MemoryPeak = "Prometheus and VerticalPodAutoscaler", "1Gi"
	filled.Window, filled.Samples, filled.Age = 2*time.Hour, 60, time.Minute

	nothing := Unknown("Prometheus")
	nothing.OOMKills = 3
	taken := second
	taken.OOMKills = 3

	source := Both(
		said{"one", Use{a: {"full": first, "none": nothing, "only": first}}, errors.New("first")},
		said{"two", Use{a: {"full": second, "none": second}, b: {"app": second}}, errors.New("second")},
	)
	use, err := source.Namespace(t.Context(), "shop", nil)
	want := Use{a: {"full": filled, "none": taken, "only": first}, b: {"app": second}}
	if !reflect.DeepEqual(use, want) {
		t.Errorf("measured\n%+v, want\n%+v", use, want)
	}
	if err == nil || err.Error() != "first\nsecond" {
		t.Error(err)
	}
	if got := source.Describe(); got != "one; where that knows nothing, two" {
		t.Error(got)
	}

	// Counts that are not known are no reason to doubt those that are.
	second.Samples = -1
	if got := Fill(first, second); got.Samples != 100 {
		t.Errorf("%d samples, want 100", got.Samples)
	}

	use, err = Both(said{err: errors.New("down")}, said{use: Use{b: {"app": second}}}).Namespace(t.Context(), "shop", nil)
	if err == nil || len(use) != 1 {
		t.Errorf("measured %+v, %v", use, err)
	}
}

func TestSteps(t *testing.T) {
	n := &survey{selectors: selectors{step: time.Minute}, window: time.Hour}
	for _, test := range []struct {
		spans []span
		want  int
	}{
		{nil, 0},
		{[]span{{0, 600}}, 10},
		{[]span{{0, 600}, {0, 600}, {300, 600}}, 10},
		{[]span{{1200, 1800}, {0, 600}}, 20},
		{[]span{{0, 600}, {300, 900}}, 15},
		{[]span{{0, 7200}}, 60},
	} {
		if got := n.steps(test.spans); got != test.want {
			t.Errorf("%v are %d steps, want %d", test.spans, got, test.want)
		}
	}
}

func TestClean(t *testing.T) {
	if got := clean("a\x1b[31m\nb\t c\u202e" + strings.Repeat("x", 1000)); len(got) > maxText+10 ||
		!strings.HasPrefix(got, "a [31m b c xxx") {
		t.Error(got)
	}
}

// TestGrown: a quarter of the window after the other is compared, and what grows in one half of it only does not count.
func TestGrown(t *testing.T) {
	s := selectors{namespace: "shop", step: time.Minute}
	got := s.grown(8 * time.Hour)
	m := `container_memory_working_set_bytes{namespace="shop",container!="",container!="POD"}`
	for _, want := range []string{
		"min_over_time(" + m + "[2h])", "min_over_time(" + m + "[2h] offset 2h)", "min_over_time(" + m + "[2h] offset 6h)", "> bool 1.05 *",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	for _, c := range [][3]float64{{1, 2, 3}, {0, 2, 0}, {2, 0, 0}, {-1, 2, 0}} {
		if got := grownInBoth(c[0], c[1]); got != c[2] {
			t.Errorf("%v and %v are %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

func TestSeen(t *testing.T) {
	n := &survey{window: time.Hour}
	for _, c := range []struct {
		cpu, memory []span
		want        time.Duration
	}{
		{nil, nil, 0},
		{[]span{{100, 200}}, nil, 100 * time.Second},
		{[]span{{100, 200}}, []span{{50, 90}, {300, 400}}, 350 * time.Second},
		{[]span{{0, 9000}}, nil, time.Hour},
		{[]span{{5, 5}}, nil, 0},
	} {
		if got := n.seen(append(c.cpu, c.memory...)); got != c.want {
			t.Errorf("%v, %v: %s, want %s", c.cpu, c.memory, got, c.want)
		}
	}
}
