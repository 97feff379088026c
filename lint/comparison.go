package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/policies/engine"
)

// comparison holds a report beside that of before.
type comparison struct {
	options     ChangedOptions
	tree        *changed.Tree
	now, before *report.Report
	changed     *report.Changed

	subjects []*subject
	byFile   map[string][]*subject
	byObject map[string][]*subject
	ranges   map[string][]changed.Range
	// digests are those of before, by object; of one in a file that did not change by object and file.
	digests map[string]map[string]bool
	removed map[string]*subject // of before, by file and object
	outside []string            // files behind links that lead out of the repository
}

// subject is one object of the report.
type subject struct {
	report.Workload
	judged, touched bool
	fresh           int // findings that are new
	row             report.ChangedWorkload
}

func (c *comparison) run() error {
	c.gather()
	if err := c.touch(); err != nil {
		return err
	}
	pairs := c.match()
	c.count(pairs)
	c.problems()
	c.restrict()
	for _, s := range c.subjects {
		if s.touched || s.fresh > 0 || len(s.row.Fixed) > 0 {
			c.changed.Workloads = append(c.changed.Workloads, s.row)
		}
	}
	for _, s := range c.removed {
		c.changed.Workloads = append(c.changed.Workloads, s.row)
	}
	slices.SortStableFunc(c.changed.Workloads, func(a, b report.ChangedWorkload) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line,
			strings.Compare(objectKey(a.Resource), objectKey(b.Resource)))
	})
	c.now.Changed = c.changed
	return nil
}

// objectKey is an object, whatever version of its API is named, and whatever file it is in.
func objectKey(r engine.Resource) string {
	return strings.Join([]string{r.Group(), r.Kind, r.Namespace, r.Name}, "\x00")
}

// gather makes subjects of workloads, and of the other objects that there are findings of.
func (c *comparison) gather() {
	c.byFile, c.byObject = map[string][]*subject{}, map[string][]*subject{}
	c.digests, c.removed = map[string]map[string]bool{}, map[string]*subject{}
	for i := range c.before.Workloads {
		w := &c.before.Workloads[i]
		key := objectKey(w.Resource)
		// What is where it was did not move: an object like it in another file is another.
		if file := c.displayName(w.File); !c.options.rendered(file) && c.options.Change.Unchanged(file) {
			key = inFile(key, c.nameNow(w.File))
		}
		if c.digests[key] == nil {
			c.digests[key] = map[string]bool{}
		}
		c.digests[key][w.Digest] = true
	}
	for i := range c.now.Workloads {
		c.add(&subject{Workload: c.now.Workloads[i], judged: true})
	}
	for _, list := range [][]engine.Finding{c.now.Findings, c.now.Exempted} {
		for i := range list {
			f := &list[i]
			if c.owner(f) == nil {
				c.add(&subject{Workload: report.Workload{Resource: f.Resource, File: f.File, Line: f.Line}})
			}
		}
	}
	for _, list := range c.byFile {
		slices.SortStableFunc(list, func(a, b *subject) int { return a.Line - b.Line })
	}
}

func (c *comparison) add(s *subject) {
	s.row = report.ChangedWorkload{Resource: s.Resource, File: s.File, Line: s.Line, State: report.StateAffected}
	c.subjects = append(c.subjects, s)
	c.byFile[s.File] = append(c.byFile[s.File], s)
	key := objectKey(s.Resource)
	c.byObject[key] = append(c.byObject[key], s)
}

// owner is the object that a finding of now is about; the line tells, when one file holds a
// name twice.
func (c *comparison) owner(f *engine.Finding) *subject {
	var found *subject
	for _, s := range c.byObject[objectKey(f.Resource)] {
		if s.File == f.File && (found == nil || s.Line <= f.Line && s.Line >= found.Line) {
			found = s
		}
	}
	return found
}

// touch finds out which objects the change touches.
func (c *comparison) touch() error {
	c.ranges = map[string][]changed.Range{}
	for file, list := range c.byFile {
		if c.options.rendered(file) {
			for _, s := range list {
				s.touched = s.judged && !c.sameAsBefore(s)
			}
			continue
		}
		if c.options.Change.Outside(file) {
			c.outside = append(c.outside, file)
		}
		ranges, err := c.tree.Lines(file)
		if err != nil {
			return fmt.Errorf("compare %s: %w", file, err)
		}
		c.ranges[file] = ranges
		places, err := placesOf(file, list, ranges, c.options.Source)
		if err != nil {
			return err
		}
		renamed := c.options.Change.NewName(file)
		for i, s := range list {
			same := s.judged && c.sameAsBefore(s)
			onLines := changed.Touches(ranges, places[i].First, places[i].Last)
			s.touched = onLines && (!renamed || !same) || s.judged && !same
		}
	}
	for _, s := range c.subjects {
		if !s.touched {
			continue
		}
		s.row.State = report.StateTouched
		if s.judged && len(c.digestsOf(s)) == 0 {
			s.row.State = report.StateAdded
		}
	}
	return nil
}

// digestsOf are those of an object as it was: in its own file, or in files that changed.
func (c *comparison) digestsOf(s *subject) []map[string]bool {
	key := objectKey(s.Resource)
	return slices.DeleteFunc([]map[string]bool{c.digests[key], c.digests[inFile(key, c.name(s.File))]},
		func(digests map[string]bool) bool { return digests == nil })
}

func inFile(key, file string) string { return key + "\x00" + file }

// sameAsBefore says whether the object was there, and as it is, under whatever file's name.
func (c *comparison) sameAsBefore(s *subject) bool {
	return s.Digest != "" && slices.ContainsFunc(c.digestsOf(s), func(digests map[string]bool) bool { return digests[s.Digest] })
}
