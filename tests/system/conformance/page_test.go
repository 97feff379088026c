//go:build system

package conformance

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
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
	file := filepath.Join(root, "docs", "conformance.md")
	if *update {
		if err := os.WriteFile(file, []byte(measured), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) == measured {
		return
	}
	was, is := strings.SplitAfter(string(written), "\n"), strings.SplitAfter(measured, "\n")
	for i := range max(len(was), len(is)) {
		if i >= len(was) || i >= len(is) || was[i] != is[i] {
			t.Errorf("docs/conformance.md is not what was measured (`make conformance` writes it), from line %d on:\n"+
				"written:  %smeasured: %s", i+1, lineAt(was, i), lineAt(is, i))
			return
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return strings.TrimSuffix(lines[i], "\n") + "\n"
	}
	return "nothing\n"
}
