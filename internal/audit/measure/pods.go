package measure

import (
	"maps"
	"slices"
)

// pods are names of Pods.
type pods map[string]bool

// podsOf are the Pods of any of the answers.
func podsOf(answers ...values) pods {
	found := pods{}
	for _, answer := range answers {
		maps.Copy(found, answer.where(func(series, float64) bool { return true }))
	}
	return found
}

// where are the Pods with a container whose value is as wanted.
func (v values) where(wanted func(of series, value float64) bool) pods {
	found := pods{}
	for of, value := range v {
		if wanted(of, value) {
			found[of.pod] = true
		}
	}
	return found
}

func (p pods) with(more pods) pods {
	all := maps.Clone(p)
	maps.Copy(all, more)
	return all
}

func (p pods) without(some pods) pods {
	left := pods{}
	for name := range p {
		if !some[name] {
			left[name] = true
		}
	}
	return left
}

// maxNames bounds the names of Pods in one query, in bytes, and most their number. Of more alternatives
// Prometheus makes a slow regular expression instead of a list.
const (
	maxNames = 16 << 10
	most     = 200
)

// parts are the names, as many at a time as go into one query.
func (p pods) parts() [][]string {
	var parts [][]string
	size := 0
	for _, name := range slices.Sorted(maps.Keys(p)) {
		last := len(parts) - 1
		if last < 0 || len(parts[last]) == most || size+len(name) > maxNames {
			parts, size = append(parts, nil), 0
			last++
		}
		parts[last] = append(parts[last], name)
		size += len(name) + 1
	}
	return parts
}

// calm are the Pods of which no container was ever restarted, and which are still there.
func calm(restarts values) pods {
	return podsOf(restarts).without(above(restarts))
}

// absent are the Pods with a container that has ended: it has values, but no current one.
func absent(now values, others ...values) pods {
	found := pods{}
	for _, other := range others {
		maps.Copy(found, other.where(func(of series, _ float64) bool { _, there := now[of]; return !there }))
	}
	return found
}

// above are the Pods with a container whose value is above 0.
func above(count values) pods {
	return count.where(func(_ series, value float64) bool { return value > 0 })
}

// brief are the Pods of which a container has few steps.
func brief(steps values) pods {
	return steps.where(func(_ series, count float64) bool { return count < short })
}

// slight is a share of throttled periods. Up to it the time of throttling is not queried: no rule finds anything there.
const slight = 0.01

func throttled(count, periods values) pods {
	return count.where(func(of series, value float64) bool { return value > slight*periods[of] })
}
