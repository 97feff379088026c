package render

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/render/table"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

// TestManyNamespaces ends lists that grow with the cluster.
func TestManyNamespaces(t *testing.T) {
	r := sample.Audit()
	for i := range 100 {
		w := r.Workloads[2]
		w.Resource.Namespace = strings.Repeat("n", i+1)
		r.Workloads = append(r.Workloads, w)
	}
	if out := rendered(t, "table", r, table.Options{}); !strings.Contains(out, "and 82 more, none with a lower score") {
		t.Error(out)
	}
	if out := rendered(t, "markdown", r, table.Options{}); !strings.Contains(out, "and 72 more, none with a lower score") {
		t.Error(out)
	}
}

func TestChartsThatNobodyRendered(t *testing.T) {
	for want, charts := range map[string][]string{
		"not judged: shop, a Helm chart; --helm-chart shop renders it":          {"shop"},
		"not judged: a and b, Helm charts; --helm-chart renders one":            {"a", "b"},
		"not judged: a, b, c and 2 more, Helm charts; --helm-chart renders one": {"a", "b", "c", "d", "e"},
		"not judged: x y, a Helm chart; --helm-chart x y renders it":            {"x\ny"},
	} {
		r := &report.Report{Skipped: []report.Skip{{File: "patch.yaml", What: "file", Reason: "a patch"}}}
		for _, name := range charts {
			r.Skipped = append(r.Skipped, report.Skip{File: name, What: report.SkippedChart, Reason: "a Helm chart"})
		}
		if got := sentences.ChartLines(r); len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
		for _, format := range []string{"table", "github", "markdown", "html"} {
			var out bytes.Buffer
			if err := Write(&out, format, r, table.Options{}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.ToLower(out.String()), "not judged") {
				t.Errorf("%s says nothing of %q:\n%s", format, charts, out.String())
			}
		}
	}
	if got := sentences.ChartLines(&report.Report{Skipped: []report.Skip{{File: "a", What: "file"}}}); got != nil {
		t.Errorf("got %q", got)
	}
}

// TestComparedWithACommit shortens the hash that CI names, and does not say it twice.
func TestComparedWithACommit(t *testing.T) {
	r := sample.Changed()
	r.Changed.Ref = r.Changed.Base
	for _, format := range []string{"markdown", "table"} {
		out := rendered(t, format, r, table.Options{})
		if strings.Contains(out, r.Changed.Ref) || strings.Contains(out, "(3e01797c9)") || !strings.Contains(out, "3e01797c9") {
			t.Errorf("%s: %s", format, out)
		}
	}
}

func rendered(t testing.TB, format string, r *report.Report, o table.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSameBytes(t *testing.T) {
	for _, format := range Formats() {
		first := rendered(t, format, sample.Report(), table.Options{Color: true, Verbose: true})
		for range 20 {
			if again := rendered(t, format, sample.Report(), table.Options{Color: true, Verbose: true}); again != first {
				t.Fatalf("%s differs between two runs", format)
			}
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	err := Write(&bytes.Buffer{}, "yaml", &report.Report{}, table.Options{})
	if err == nil || !strings.Contains(err.Error(), `"yaml" is not one of table, json`) {
		t.Errorf("got %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestWriteError(t *testing.T) {
	for _, format := range Formats() {
		if err := Write(brokenPipe{}, format, sample.Report(), table.Options{}); err == nil {
			t.Errorf("%s: no error though nothing could be written", format)
		}
	}
}

// TestNothingNew: where a baseline keeps findings, what is said is that none is new.
func TestNothingNew(t *testing.T) {
	r := sample.Sound()
	r.Known = []engine.Finding{{Rule: "HR303"}}
	r.Count()
	for format, want := range map[string]string{
		"table": "No new findings in 2 workloads, 3 containers in 2 files", "markdown": "no new findings in 2 workloads",
		"github": "no new findings in 2 workloads", "html": "No new findings in 3 containers",
	} {
		if out := rendered(t, format, r, table.Options{}); !strings.Contains(out, want) {
			t.Errorf("%s does not say %q:\n%.2000s", format, want, out)
		}
	}
}

// A runner of CI reads the log, and obeys what stands in it: only the format that is made for it may have commands.
func TestNoRunnerObeysAManifest(t *testing.T) {
	for _, hostile := range []string{"::stop-commands::x", "a ::error::b", "##[error]a", "##vso[task.complete]a", "a\n::x::y", "\x1b[2J", "\u00a0::stop-commands::x", "a\u3000::error::b"} {
		for _, r := range []*report.Report{
			sample.HostileReport(hostile, "a"), sample.HostileReport("a", hostile), sample.HostileAudit(hostile, hostile),
			sample.HostileChange(hostile, hostile),
		} {
			for _, format := range Formats() {
				for _, width := range []int{0, 20, 100} {
					var out bytes.Buffer
					if err := Write(&out, format, r, table.Options{Width: width}); err != nil {
						t.Fatal(err)
					}
					for line := range strings.Lines(out.String()) {
						begins := strings.HasPrefix(strings.TrimSpace(line), "::") && format != "github"
						if begins || bracketed.MatchString(line) || strings.ContainsRune(line, '\x1b') {
							t.Errorf("%s of %q: %q", format, hostile, line)
						}
					}
				}
			}
		}
	}
}

var bracketed = regexp.MustCompile(`##[A-Za-z]*\[`)
