package changed

import (
	"path"
)

// Lines says which lines of a file, as the linter names it, are not as they were. What git
// ignores, and what is in a submodule that moved on, counts as changed from top to bottom.
func (t *Tree) Lines(name string) ([]Range, error) {
	c := t.change
	real, ok := c.real(name)
	if !ok {
		return nil, nil
	}
	for at := real; at != "."; at = path.Dir(at) {
		f := c.now[at]
		switch {
		case c.ignored[at]:
			return []Range{whole}, nil
		case f == nil:
		case f.submodule || at != real: // a submodule, or a repository of its own that git does not know
			return []Range{whole}, nil
		default:
			return t.lines(f)
		}
	}
	// The link that leads there may be what changed.
	if named, ok := c.Name(name); ok && named != real && c.now[named] != nil {
		return []Range{whole}, nil
	}
	return nil, nil
}

// Touched says whether a file, as the linter names it, or what a link of that name leads to, is not as it was.
func (c *Change) Touched(name string) bool {
	named, ok := c.Name(name)
	real, found := c.real(name)
	return ok && c.now[named] != nil || found && c.now[real] != nil
}

// TouchedBelow says whether something below a folder, as the linter names it, is not as it was.
func (c *Change) TouchedBelow(folder string) bool {
	for i := range c.files {
		f := &c.files[i]
		if c.isBelow(f.now, []string{folder}) || c.isBelow(f.then, []string{folder}) {
			return true
		}
	}
	return false
}

// NewName says whether a file, as the linter names it, was not there under that name. All of its
// lines may be new to git, which only guesses where they came from.
func (c *Change) NewName(name string) bool {
	real, ok := c.real(name)
	if !ok {
		return false
	}
	f := c.now[real]
	return f != nil && f.then != real || c.isIgnored(real)
}

func (c *Change) isIgnored(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if c.ignored[name] {
			return true
		}
	}
	return false
}

// Touches says whether some of the ranges have lines among those from first to last, or lines
// were taken away between two of them.
func Touches(ranges []Range, first, last int) bool {
	for _, r := range ranges {
		if r.Last < r.First {
			if first <= r.Last && r.First <= last {
				return true
			}
			continue
		}
		if r.First <= last && first <= r.Last {
			return true
		}
	}
	return false
}
