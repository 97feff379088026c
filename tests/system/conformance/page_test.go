//go:build system

package conformance

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/repo"
	"github.com/headroom-dev/headroom/tests/system/conformance/compare"
)

//go:embed page.md
var pageText string

// page is docs/conformance.md, which the measured tables are a part of.
func page(result *compare.Result, rules []engine.Rule, gaps []compare.Gap, spent costs) string {
	parts := strings.NewReplacer(
		"{{cases}}", fmt.Sprint(result.Cases),
		"{{table}}", result.Table(rules, spent.rules, func(r engine.Rule) string {
			return fmt.Sprintf("[%s](rules/%s.md) %s", r.ID, r.ID, r.Slug)
		}),
		"{{left out}}", result.LeftOut(),
		"{{gaps}}", compare.Known(gaps),
		"{{limit}}", fmt.Sprint(spent.limit),
		"{{total}}", fmt.Sprint(spent.total),
		"{{costs}}", compare.Costs(spent.model),
	)
	return parts.Replace(pageText)
}

// checkPage holds docs/conformance.md to what was measured, or writes it.
func checkPage(t *testing.T, measured string) {
	t.Helper()
	golden.Check(t, repo.Path("docs", "conformance.md"), measured)
}
