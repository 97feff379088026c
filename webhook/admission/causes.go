package admission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// cause is what a person has to know of once: a finding, the other containers of which the same is
// said, and the findings that it speaks for.
type cause struct {
	engine.Finding
	containers []string
	with       []string // their rules
}

// spoken is what tells one finding from another that a person reads.
type spoken struct {
	rule, severity, message, expected string
	fixable, workload                 bool
}

func spokenOf(f *engine.Finding) spoken {
	return spoken{f.Rule, f.Severity, f.Message, f.Expected, f.Fixable, f.Container == ""}
}

type spot struct{ rule, container string }

// maxChain bounds how far a finding is followed to its cause.
const maxChain = 5

// causes are the findings less those that follow from another one of them, the worst first.
func causes(findings []engine.Finding) []*cause {
	first := map[spot]*engine.Finding{}
	for i := range findings {
		at := spot{findings[i].Rule, findings[i].Container}
		if first[at] == nil {
			first[at] = &findings[i]
		}
	}
	list, at := []*cause{}, map[spoken]*cause{}
	for i := range findings {
		f := &findings[i]
		lead := f
		// What a finding follows from may itself follow from another.
		for range maxChain {
			next := first[spot{lead.Group, lead.Container}]
			if next == nil || next.Rule == lead.Rule {
				break
			}
			lead = next
		}
		c := at[spokenOf(lead)]
		if c == nil {
			c = &cause{Finding: *lead}
			at[spokenOf(lead)] = c
			list = append(list, c)
		}
		if !slices.Contains(c.containers, lead.Container) {
			c.containers = append(c.containers, lead.Container)
		}
		if f.Rule != lead.Rule && !slices.Contains(c.with, f.Rule) {
			c.with = append(c.with, f.Rule)
		}
	}
	slices.SortStableFunc(list, func(a, b *cause) int { return worstFirst(a.Finding, b.Finding) })
	return list
}

// rules names the cause and what comes with it: `HR402, with HR403, HR404`.
func (c *cause) rules() string {
	if len(c.with) == 0 {
		return c.Rule
	}
	return c.Rule + ", with " + strings.Join(c.with, ", ")
}

// maxContainers are named in one line.
const maxContainers = 4

// where names the containers; a workload has no name of its own here, as the message comes in
// answer to a command that named it.
func (c *cause) where() string {
	switch n := len(c.containers); {
	case c.Container == "":
		return ""
	case n < 2:
		return where(c.Container)
	case n > maxContainers:
		return words.Count(n, "container") + ": "
	}
	return "containers " + clean(strings.Join(c.containers, ", "), 2*maxWord) + ": "
}

// worstFirst puts the most severe first, then what does most harm, one container after the other.
func worstFirst(a, b engine.Finding) int {
	return cmp.Or(
		cmp.Compare(rank(a.Severity), rank(b.Severity)),
		cmp.Compare(slices.Index(engine.Harms, a.Harm), slices.Index(engine.Harms, b.Harm)),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Container, b.Container),
	)
}

func rank(severity string) int {
	return slices.Index([]string{engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo}, severity)
}
