//go:build system

package size

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// row is a workload and what everybody says of it.
type row struct {
	*workload
	vpa, krr, headroom advice
	unsized            string // what headroom gives no value for, and why
}

// comparedClass is that of the container that is compared.
func (w *workload) comparedClass() string {
	if w.containerName != "" {
		return "sidecar"
	}
	return w.class
}

// processors are those of the node in the model.
const processors = 8

// stalled is how long a second's burst is frozen under a limit, by the model of CFS.
func (w *workload) stalled(t *testing.T, limit float64) time.Duration {
	t.Helper()
	result, err := cfs.Run(cfs.ForLimit(int64(limit), cfs.DefaultPeriod), processors, w.burst)
	if err != nil {
		t.Fatal(err)
	}
	return result.Frozen
}

// verdict says what an advice would do: "sound", or what it throttles and whether it kills.
func (w *workload) verdict(t *testing.T, a advice) string {
	t.Helper()
	if !a.given {
		return "no value"
	}
	var bad []string
	if stalled := w.stalled(t, a.cpuLimit); stalled > 0 {
		bad = append(bad, fmt.Sprintf("throttles %d ms", stalled.Milliseconds()))
	}
	if a.memory < w.need {
		bad = append(bad, "kills")
	}
	if len(bad) == 0 && a.cpuLimit == 0 && w.comparedClass() != "latency-sensitive" {
		return "no limit stops a runaway"
	}
	if len(bad) == 0 {
		return "sound"
	}
	return strings.Join(bad, ", ")
}

// words are what an advice gives.
func (a advice) words() string {
	if !a.given {
		return ""
	}
	limit := "no limit"
	if a.cpuLimit > 0 {
		limit = "limit " + number(a.cpuLimit) + "m"
	}
	return fmt.Sprintf("%sm, %s; %sMi", number(a.cpu), limit, number(a.memory))
}

const (
	begin = "<!-- begin: tests/system/cluster/size writes this table, with -update -->\n"
	end   = "<!-- end -->"
)

// compare holds what is found to the table in docs/size.md: verdicts to the word, and values to a tenth, as
// histograms of the recommender have steps of a twentieth.
func compare(t *testing.T, rows []row) {
	t.Helper()
	file := repo.Path("docs/size.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	was, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", file)
	}
	table := tableOf(t, rows)
	t.Logf("\n%s", table)
	if golden.Update() {
		golden.Write(t, file, before+begin+table+end+after)
		return
	}
	if verdicts(was) != verdicts(table) {
		t.Errorf("docs/size.md differs; -update writes it anew:\n%s\nnow\n%s", was, table)
	}
}

// tableOf writes each workload in three lines: what it is, what each gives, and what comes of it.
func tableOf(t *testing.T, rows []row) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n| Workload | needs | VPA | KRR's formula | headroom |\n|---|---|---|---|---|\n")
	var sums [3]advice
	for i := range rows {
		r := &rows[i]
		need := number(r.need) + "Mi: " + r.why
		if r.need >= 1e6 {
			need = r.why
		}
		fmt.Fprintf(&b, "| **%s** (%s): %s | %s |", r.name, r.comparedClass(), r.story, need)
		for j, a := range []advice{r.vpa, r.krr, r.headroom} {
			verdict := r.verdict(t, a)
			if strings.Contains(verdict, "throttles") || strings.Contains(verdict, "kills") {
				verdict = "**" + verdict + "**"
			}
			if j == 2 && r.unsized != "" {
				verdict += " (not sized, and said)"
			}
			fmt.Fprintf(&b, " %s<br>%s |", a.words(), verdict)
			sums[j].cpu, sums[j].memory = sums[j].cpu+a.cpu, sums[j].memory+a.memory
		}
		b.WriteString("\n")
	}
	b.WriteString("| reserved by all of them | |")
	for _, s := range sums {
		fmt.Fprintf(&b, " %.1f cores, %.1f GiB |", s.cpu/1000, s.memory/1024)
	}
	b.WriteString("\n\n")
	return b.String()
}

// verdicts are what of a table does not depend on the steps of a histogram.
func verdicts(table string) string {
	var b strings.Builder
	for line := range strings.Lines(table) {
		for cell := range strings.SplitSeq(line, "|") {
			if _, verdict, ok := strings.Cut(cell, "<br>"); ok {
				b.WriteString(strings.TrimSpace(kind(verdict)) + " ")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// kind is a verdict without its milliseconds.
func kind(verdict string) string {
	var words []string
	for _, word := range strings.Fields(verdict) {
		if strings.Trim(word, "0123456789") != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

func wait(t *testing.T) {
	t.Helper()
	select {
	case <-time.After(2 * time.Second):
	case <-t.Context().Done():
	}
}
