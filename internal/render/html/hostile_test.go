package html

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

func TestHostileAudit(t *testing.T) {
	for i, a := range sample.Hostile {
		for j := range 4 { // each with itself and a few others: the page is large
			checkAudit(t, a, sample.Hostile[(i+7*j)%len(sample.Hostile)])
		}
	}
}

func FuzzAudit(f *testing.F) {
	for i, a := range sample.Hostile {
		f.Add(a, sample.Hostile[(i+1)%len(sample.Hostile)])
	}
	f.Fuzz(func(t *testing.T, a, b string) { checkAudit(t, a, b) })
}

func checkAudit(t *testing.T, a, b string) {
	t.Helper()
	r := sample.HostileAudit(a, b)
	r.Rules = []report.Rule{{ID: a, Slug: b, Title: a, HelpURI: b}, {ID: b, Slug: a, HelpURI: "https://" + a}}
	checkPage(t, sample.Written(t, Write, r))
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}

// checkPage finds our scripts and no other, and data that can be read; tests/integration/browser looks at the rest.
func checkPage(t *testing.T, out string) {
	t.Helper()
	if n := strings.Count(out, "<script"); n != 2 || strings.Count(out, "</script") != 2 {
		t.Errorf("%d scripts", n)
	}
	for _, tag := range []string{"<img", "<iframe", "<!--", "javascript:alert"} {
		if strings.Contains(strings.ToLower(out), tag) {
			t.Errorf("%s is on the page", tag)
		}
	}
	_, text, found := strings.Cut(out, `id="data">`)
	if !found {
		t.Fatal("no data")
	}
	var data pageData
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&data); err != nil && err != io.EOF {
		t.Errorf("the data cannot be read: %v", err)
	}
	if len(data.Workloads) != 1 || len(data.Workloads[0].Findings) != 2 {
		t.Errorf("lost some of %+v", data.Workloads)
	}
}
