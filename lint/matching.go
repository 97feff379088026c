package lint

import (
	"slices"

	"github.com/headroom-dev/headroom/internal/growth"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/policies/engine"
)

// slot is a finding of before, and what became of it.
type slot struct {
	*engine.Finding
	file  string // as it is named now, below the top of the repository
	taken bool
	// to is the object of now that it was about, nil where that is gone.
	to *subject
	// known tells that a baseline has it.
	known bool
}

// pairs are the findings of before, and those of now that were among them.
type pairs struct {
	slots []*slot
	fresh map[*engine.Finding]bool
}

// match looks for each finding of now among those of before: by identity, in the same file
// first, each of before once. One that got worse is new.
func (c *comparison) match() pairs {
	p := pairs{fresh: map[*engine.Finding]bool{}}
	byIdentity := map[string][]*slot{}
	for i := range c.before.Findings {
		f := &c.before.Findings[i]
		s := &slot{Finding: f, file: c.nameNow(f.File)}
		p.slots = append(p.slots, s)
		identity := report.Identity(f)
		byIdentity[identity] = append(byIdentity[identity], s)
	}
	done := map[*engine.Finding]bool{}
	take := func(list []engine.Finding, known bool, fits func(f *engine.Finding, file string, s *slot) bool) {
		for i := range list {
			f := &list[i]
			if done[f] {
				continue
			}
			file := c.name(f.File)
			for _, s := range byIdentity[report.Identity(f)] {
				if !s.taken && fits(f, file, s) {
					s.taken, s.known, s.to, done[f] = true, known, c.owner(f), true
					break
				}
			}
		}
	}
	sameFile := func(f *engine.Finding, file string, s *slot) bool {
		return s.file == file && !growth.Louder(f, s.Severity)
	}
	// An object that is still in its file did not move to another.
	anyFile := func(f *engine.Finding, _ string, s *slot) bool {
		return !growth.Louder(f, s.Severity) && !c.in(s.file, s.Resource)
	}
	for _, fits := range []func(*engine.Finding, string, *slot) bool{sameFile, anyFile} {
		// What a baseline has is the old one of two that are alike.
		take(c.now.Known, true, fits)
		take(c.now.Findings, false, func(f *engine.Finding, file string, s *slot) bool {
			return fits(f, file, s) && !growth.Larger(f, growth.Size(s.Finding))
		})
	}
	for i := range c.now.Findings {
		if f := &c.now.Findings[i]; !done[f] {
			p.fresh[f] = true
		}
	}
	// What got worse, or is exempted now, was not fixed.
	still := func(_ *engine.Finding, file string, s *slot) bool { return s.file == file || !c.in(s.file, s.Resource) }
	take(c.now.Findings, false, func(f *engine.Finding, file string, s *slot) bool {
		if !still(f, file, s) {
			return false
		}
		growth.Tell(f, s.Severity, growth.Size(s.Finding))
		return true
	})
	take(c.now.Exempted, false, still)
	return p
}

// in says whether an object is in a file now.
func (c *comparison) in(file string, resource engine.Resource) bool {
	return slices.ContainsFunc(c.byObject[objectKey(resource)], func(s *subject) bool { return c.name(s.File) == file })
}

// name is a file of now below the top of the repository.
func (c *comparison) name(file string) string {
	if name, ok := c.options.Change.Name(file); ok {
		return name
	}
	return file
}

// nameNow is a file of before, as it is named now.
func (c *comparison) nameNow(file string) string {
	if name, ok := c.tree.Name(file); ok {
		return c.options.Change.Now(name)
	}
	return c.name(file)
}

// count leaves in the report the findings that count, marks them, and fills the rows.
func (c *comparison) count(p pairs) {
	var counting []engine.Finding
	for i := range c.now.Findings {
		f := &c.now.Findings[i]
		s := c.owner(f)
		s.row.Now.Add(f.Severity, 1)
		fresh := p.fresh[f]
		if fresh {
			s.fresh++
		}
		if !fresh && !s.touched {
			c.changed.Elsewhere.Add(f.Severity, 1)
			continue
		}
		c.changed.SetMark(f, report.Mark{
			New: fresh, OnLine: s.touched && f.Line > 0 && changed.Touches(c.ranges[s.File], f.Line, f.Line),
		})
		counting = append(counting, *f)
	}
	unread := map[string]bool{}
	for _, p := range c.now.Problems {
		unread[c.name(p.File)] = true
	}
	for _, s := range p.slots {
		c.settle(s, unread)
	}
	c.now.Findings = counting
}

// settle counts a finding of before where it belongs.
func (c *comparison) settle(s *slot, unread map[string]bool) {
	if s.known {
		return
	}
	if s.to == nil {
		if s.to = c.heir(s); s.to == nil {
			if unread[s.file] {
				return // whether the finding is gone is not known
			}
			s.to = c.gone(s)
		}
		if s.to.row.State != report.StateRemoved {
			fixed := *s.Finding
			fixed.File = c.displayName(fixed.File)
			s.to.row.Fixed = append(s.to.row.Fixed, fixed)
		}
	}
	s.to.row.Before.Add(s.Severity, 1)
}

// heir is the object of now that a finding of before was about.
func (c *comparison) heir(s *slot) *subject {
	list := c.byObject[objectKey(s.Resource)]
	for _, candidate := range list {
		if c.name(candidate.File) == s.file {
			return candidate
		}
	}
	// It moved, if it is in a file that is new.
	for _, candidate := range list {
		if c.options.rendered(candidate.File) || c.options.Change.NewName(candidate.File) {
			return candidate
		}
	}
	return nil
}

// gone is an object that is no longer there, or of which nothing is to be said any more.
func (c *comparison) gone(s *slot) *subject {
	key := s.file + "\x00" + objectKey(s.Resource)
	if found := c.removed[key]; found != nil {
		return found
	}
	found := &subject{row: report.ChangedWorkload{
		Resource: s.Resource, File: c.displayName(s.File), Line: s.Line, State: report.StateRemoved,
	}}
	if c.digests[objectKey(s.Resource)] == nil { // no workload: it may be there, and sound
		found.row.State = report.StateTouched
	}
	c.removed[key] = found
	return found
}
