package table

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

// TestAuditWidths keeps what an audit adds within the terminal.
func TestAuditWidths(t *testing.T) {
	r := sample.Audit()
	r.Cluster.Namespaces[0].Name = strings.Repeat("long-", 12)
	r.Workloads[0].Resource.Namespace = r.Cluster.Namespaces[0].Name
	for _, columns := range []int{60, 80, 140} {
		for line := range strings.Lines(written(t, r, Options{Width: columns, Verbose: true})) {
			line = strings.TrimSuffix(line, "\n")
			if terminal.Width(line) > columns && !strings.Contains(line, "long-") {
				t.Errorf("%d columns wide, not %d: %s", terminal.Width(line), columns, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("blanks at the end of %q", line)
			}
		}
	}
}
