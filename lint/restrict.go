package lint

import (
	"fmt"
	"slices"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// maxNotes is how many notes a person reads.
const maxNotes = 5

// displayName is a file of before as the user would name it.
func (c *comparison) displayName(file string) string {
	name, ok := c.tree.Name(file)
	if !ok {
		return file
	}
	return c.options.Change.Shown(name)
}

// problems leaves out what could not be read then as now, and notes what could not be compared.
func (c *comparison) problems() {
	type problem struct{ file, message string }
	were := map[problem]bool{}
	notes := 0
	for _, p := range c.before.Problems {
		if _, laid := c.tree.Name(p.File); !laid {
			were[problem{c.name(p.File), p.Message}] = true
			continue // it is as it was
		}
		message := c.tree.Unlaid(p.Message)
		were[problem{c.nameNow(p.File), message}] = true
		if notes++; notes <= maxNotes {
			c.changed.Notes = append(c.changed.Notes, fmt.Sprintf(
				"could not be read as it was at %s, so that its findings count as new: %s: %s",
				c.changed.Ref, c.displayName(p.File), message))
		}
	}
	if notes > maxNotes {
		c.changed.Notes = append(c.changed.Notes, fmt.Sprintf("and %d more could not be read", notes-maxNotes))
	}
	for _, name := range c.options.Change.Submodules() {
		c.changed.Notes = append(c.changed.Notes, fmt.Sprintf(
			"a submodule moved on, %s: all of it is judged, since what it was is in another repository",
			c.options.Change.Shown(name)))
	}
	if n := len(c.outside); n > 0 {
		c.changed.Notes = append(c.changed.Notes, fmt.Sprintf(
			"%d of the files are outside of the repository, behind a link, and taken to be as they were: %s first",
			n, slices.Min(c.outside)))
	}
	c.now.Problems = slices.DeleteFunc(c.now.Problems, func(p report.Problem) bool {
		ranges, err := c.tree.Lines(p.File)
		old := were[problem{c.name(p.File), p.Message}] && err == nil && len(ranges) == 0
		if old {
			c.changed.Unread++
		}
		return old
	})
}

// restrict leaves in the report what is about what counts.
func (c *comparison) restrict() {
	r := c.now
	touched := func(resource engine.Resource, file string) bool {
		return slices.ContainsFunc(c.byObject[objectKey(resource)], func(s *subject) bool {
			return (s.touched || s.fresh > 0) && s.File == file
		})
	}
	r.Exempted = slices.DeleteFunc(r.Exempted, func(f engine.Finding) bool { return !c.owner(&f).touched })
	r.Skipped = slices.DeleteFunc(r.Skipped, func(s report.Skip) bool {
		if c.options.rendered(s.File) {
			return false
		}
		ranges, err := c.tree.Lines(s.File)
		return err == nil && len(ranges) == 0 && !c.options.Change.TouchedBelow(s.File)
	})
	if r.Preview != nil {
		r.Preview.Items = slices.DeleteFunc(r.Preview.Items, func(i report.PreviewItem) bool {
			return !touched(i.Resource, i.File)
		})
	}
	r.Workloads = nil
	files := map[string]bool{}
	r.Summary.Workloads, r.Summary.Containers, r.Summary.NotKubernetes = 0, 0, 0
	for _, s := range c.subjects {
		if !s.touched && s.fresh == 0 {
			continue
		}
		files[s.File] = true
		if s.judged {
			r.Workloads = append(r.Workloads, s.Workload)
			r.Summary.Workloads++
			r.Summary.Containers += len(s.Containers)
		}
	}
	r.Summary.Files = len(files)
	if len(r.Paths) > 0 { // what else is there to fix is not the change's
		r.Paths = nil
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Fixable && !slices.Contains(r.Paths, f.File) {
				r.Paths = append(r.Paths, f.File)
			}
		}
	}
	r.Count()
}
