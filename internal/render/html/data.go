package html

import (
	"math"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// The data of the page. Texts stand once, in Texts, and are numbers elsewhere: ten thousand
// workloads say much the same. Keys are short for the same reason.
type (
	pageData struct {
		Audit     bool                `json:"audit"`
		Infos     bool                `json:"infos,omitempty"` // are shown as warnings are
		Mode      string              `json:"mode"`            // of the preview, "" without one
		Texts     []string            `json:"texts"`
		Rules     map[string][]string `json:"rules"` // by ID: slug, title, link
		Sections  []pageSection       `json:"sections"`
		Workloads []pageWorkload      `json:"workloads"`
		Exempted  []pageFinding       `json:"exempted"`
		Skipped   [][2]int            `json:"skipped"` // what, reason
	}
	pageSection struct {
		Name  string   `json:"name"`
		Score int      `json:"score"`
		Cells []string `json:"cells"` // the numbers of its row, as the table shows them
		// Mode is what the labels of a namespace say, Beside what in it decides resources.
		Mode   string `json:"mode,omitempty"`
		Beside string `json:"beside,omitempty"`
	}
	pageWorkload struct {
		Kind       int             `json:"k"`
		Namespace  int             `json:"ns"`
		Name       int             `json:"n"`
		File       int             `json:"f,omitempty"`
		Line       int             `json:"l,omitempty"`
		Replicas   int             `json:"r,omitempty"`
		Kills      int             `json:"kills,omitempty"`
		Throttled  float64         `json:"thr,omitempty"`
		Left       float64         `json:"left"`
		Containers []pageContainer `json:"c,omitempty"`
		Findings   []pageFinding   `json:"x,omitempty"`
		Exempted   int             `json:"ex,omitempty"`
		Preview    *pagePreview    `json:"p,omitempty"`
	}
	pageContainer struct {
		Name     int            `json:"n"`
		Class    int            `json:"cl"`
		Why      int            `json:"w,omitempty"`
		CPU      *pageCPU       `json:"cpu,omitempty"`
		Memory   *pageMemory    `json:"mem,omitempty"`
		Budget   *pageBudget    `json:"b,omitempty"`
		Measured []pageMeasured `json:"m,omitempty"`
	}
	// pageCPU is in millicores, 0 if not set; wanted is -1 if nothing is asked for.
	pageCPU struct {
		Request       int64 `json:"req"`
		Limit         int64 `json:"lim"`
		Average       int64 `json:"avg"`
		Peak          int64 `json:"peak"`
		WantedRequest int64 `json:"wreq"`
		WantedLimit   int64 `json:"wlim"`
	}
	// pageMemory is in MiB; 0 means not set.
	pageMemory struct {
		Request float64 `json:"req"`
		Limit   float64 `json:"lim"`
		Peak    float64 `json:"peak"`
	}
	pageBudget struct {
		Limit    float64    `json:"lim"`
		Total    float64    `json:"tot"`
		Complete bool       `json:"ok,omitempty"`
		Terms    []pageTerm `json:"t"`
	}
	pageTerm struct {
		Name    int     `json:"n"`
		MiB     float64 `json:"v"`
		Source  int     `json:"s"`
		Assumed bool    `json:"a,omitempty"`
	}
	// pageMeasured is one line of what was measured: what it is, and how much.
	pageMeasured [2]int
	pageFinding  struct {
		Rule     string `json:"r"`
		Severity string `json:"s"`
		Spots    []int  `json:"c,omitempty"` // containers
		Message  int    `json:"m"`
		Expected int    `json:"e,omitempty"`
		Fixable  bool   `json:"fix,omitempty"`
		Line     int    `json:"l,omitempty"`
		Object   int    `json:"o,omitempty"`   // of exempted ones: what they are about
		Reason   int    `json:"why,omitempty"` // of exempted ones
	}
	pagePreview struct {
		Refused []pageNamed  `json:"r,omitempty"`
		Warned  []pageNamed  `json:"w,omitempty"`
		Changed []pageChange `json:"c,omitempty"`
	}
	// pageNamed is a finding that is told of elsewhere.
	pageNamed struct {
		Rule      string `json:"r"`
		Container int    `json:"c,omitempty"`
	}
	pageChange struct {
		Rule      string `json:"r"`
		Container int    `json:"c,omitempty"`
		Path      int    `json:"p"`
		Old       int    `json:"o,omitempty"`
		New       int    `json:"n,omitempty"`
	}
)

// texts numbers strings; 0 is "".
type texts struct {
	list  []string
	index map[string]int
}

func (t *texts) of(s string) int {
	s = terminal.Printable(s)
	n, known := t.index[s]
	if !known {
		n = len(t.list)
		t.list, t.index[s] = append(t.list, s), n
	}
	return n
}

func mib(bytes int64) float64 { return report.Tenth(float64(bytes) / (1 << 20)) }

func (t *texts) workload(g *report.Group, preview *report.PreviewItem) pageWorkload {
	h := g.Harm()
	w := pageWorkload{
		Kind: t.of(g.Resource.Kind), Namespace: t.of(g.Resource.Namespace), Name: t.of(g.Resource.Name),
		File: t.of(g.File), Line: g.Line, Replicas: g.Replicas, Exempted: g.Exempted,
		Kills: h.Kills, Throttled: math.Round(h.Throttled*100) / 100, Left: math.Floor(h.Left*1000) / 1000,
	}
	for i := range g.Containers {
		w.Containers = append(w.Containers, t.container(g, &g.Containers[i]))
	}
	for i := range g.Items {
		f := t.finding(&g.Items[i].Finding)
		f.Spots = nil
		for _, s := range g.Items[i].Spots {
			f.Spots = append(f.Spots, t.of(s.Container))
		}
		w.Findings = append(w.Findings, f)
	}
	if preview != nil {
		w.Preview = t.preview(preview)
	}
	return w
}

func (t *texts) finding(f *engine.Finding) pageFinding {
	return pageFinding{
		Rule: terminal.Printable(f.Rule), Severity: terminal.Printable(f.Severity), Spots: []int{t.of(f.Container)}, Line: f.Line,
		Message: t.of(f.Message), Expected: t.of(priced(f)), Fixable: f.Fixable,
	}
}

// priced is what is wanted, with its price.
func priced(f *engine.Finding) string {
	if f.Price == "" {
		return f.Expected
	}
	return f.Expected + " (price: " + f.Price + ")"
}

func (t *texts) preview(item *report.PreviewItem) *pagePreview {
	p := &pagePreview{}
	for i := range item.Refused {
		p.Refused = append(p.Refused, pageNamed{terminal.Printable(item.Refused[i].Rule), t.of(item.Refused[i].Container)})
	}
	for i := range item.Warned {
		p.Warned = append(p.Warned, pageNamed{terminal.Printable(item.Warned[i].Rule), t.of(item.Warned[i].Container)})
	}
	for _, c := range item.Changed {
		p.Changed = append(p.Changed, pageChange{
			Rule: terminal.Printable(c.Rule), Container: t.of(c.Container), Path: t.of(c.Path), Old: t.of(c.Old),
			New: t.of(c.New + c.Added),
		})
	}
	return p
}

func (t *texts) container(g *report.Group, c *report.Container) pageContainer {
	out := pageContainer{Name: t.of(c.Name), Class: t.of(c.ClassName()), Why: t.of(c.Why())}
	if d := c.Detail; d != nil {
		out.CPU = &pageCPU{
			d.CPU.Request, d.CPU.Limit, d.CPU.Average, d.CPU.Peak,
			int64(d.CPU.WantedRequest), int64(d.CPU.WantedLimit),
		}
		out.Memory = &pageMemory{mib(d.Memory.Request), mib(d.Memory.Limit), mib(d.Memory.Peak)}
	}
	if b := g.Budget(c); b != nil {
		out.Budget = &pageBudget{Limit: report.Tenth(b.LimitMiB), Total: report.Tenth(b.TotalMiB), Complete: b.Complete}
		for _, term := range b.Terms {
			out.Budget.Terms = append(out.Budget.Terms, pageTerm{
				t.of(term.Name), report.Tenth(term.MiB), t.of(term.Source), term.Assumed,
			})
		}
	}
	if c.Measured != nil {
		for _, line := range sentences.Measured(c) {
			out.Measured = append(out.Measured, pageMeasured{t.of(line[0]), t.of(line[1])})
		}
	}
	return out
}
