package sentences

import (
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/words"
)

// Cores is a number of cores.
func Cores(n float64) string {
	if words.Plain(n) == "1" {
		return "1 core"
	}
	return words.Plain(n) + " cores"
}

// Pains are what a workload suffers, in a few words each.
func Pains(h report.Harm) []string {
	var list []string
	if h.Kills > 0 {
		list = append(list, words.Count(h.Kills, "OOM kill"))
	}
	if h.Cores() > 0 {
		list = append(list, Cores(h.Throttled)+" throttled")
	}
	switch {
	case h.Left <= 0:
		list = append(list, "no memory headroom")
	case h.Left < report.EnoughLeft:
		list = append(list, words.Percent(h.Left, 1)+" memory headroom")
	}
	return list
}

// State is what a cluster tells of a workload: "3 replicas, 2 OOM kills, 1.4 cores throttled".
func State(g *report.Group) string {
	var parts []string
	if g.Replicas > 0 {
		parts = append(parts, words.Count(g.Replicas, "replica"))
	}
	for i := range g.Containers {
		if g.Containers[i].Detail != nil { // without, the findings say it themselves
			parts = append(parts, Pains(g.Harm())...)
			break
		}
	}
	return strings.Join(parts, ", ")
}
