package junit

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

func checkHostile(t *testing.T, r *report.Report) {
	t.Helper()
	out := sample.Written(t, Write, r)
	d := xml.NewDecoder(strings.NewReader(out))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Errorf("%v in\n%s", err, out)
			return
		}
	}
	var back testSuites
	if err := xml.Unmarshal([]byte(out), &back); err != nil {
		t.Error(err)
		return
	}
	if back.Errors != 1 || back.Failures < 1 || back.Skipped != len(r.Exempted)+len(r.Known)+len(r.Stale)+len(r.Skipped) {
		t.Errorf("lost some of %+v", back.counts)
	}
	message := terminal.Printable(r.Findings[0].Message)
	for _, s := range back.Suites {
		for _, c := range s.Cases {
			if c.Failure != nil && !strings.Contains(c.Failure.Body, strings.TrimSpace(message)) {
				t.Errorf("failure says %q, not %q", c.Failure.Body, message)
			}
		}
	}
}

func TestGolden(t *testing.T) {
	for name, r := range sample.All() {
		golden.Check(t, "testdata/"+name+".xml", sample.Written(t, Write, r))
	}
}

var hostile = []func(a, b string) *report.Report{sample.HostileReport, sample.HostileAudit}

func TestHostile(t *testing.T) { sample.CheckHostile(t, checkHostile, hostile...) }

func FuzzHostile(f *testing.F) { sample.FuzzHostile(f, checkHostile, hostile...) }
