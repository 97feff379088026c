package changed

import (
	"context"
	"fmt"
	"strings"
)

// Modes of what git keeps.
const (
	modeNone      = "000000"
	modeLink      = "120000"
	modeSubmodule = "160000"
)

// file is one file that is not as it was.
type file struct {
	now, then string // its names; "" where it is not there
	mode      string // at Base
	blob      string // its content at Base
	submodule bool
	link      bool // then or now
}

// compare asks git which files are not as they were at Base, and which it does not know.
func (c *Change) compare(ctx context.Context) error {
	// What changed in a submodule and is not committed there, git would look for with the submodule's own configuration.
	text, err := c.git.output(ctx, "diff", "--raw", "-z", "--no-abbrev", "--no-ext-diff", "--no-textconv",
		"--find-renames", "--no-relative", "--ignore-submodules=dirty", "--end-of-options", c.Base, "--")
	if err != nil {
		return fmt.Errorf("compare with %s: %w", c.Ref, err)
	}
	if c.files, err = parseRaw(names(text)); err != nil {
		return err
	}
	text, err = c.git.output(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return fmt.Errorf("list what is not in git yet: %w", err)
	}
	for _, name := range names(text) {
		c.files = append(c.files, file{now: strings.TrimSuffix(name, "/"), mode: modeNone})
	}
	c.now, c.then = map[string]*file{}, map[string]*file{}
	for i := range c.files {
		f := &c.files[i]
		if f.now != "" {
			c.now[f.now] = f
		}
		if f.then != "" {
			c.then[f.then] = f
		}
	}
	return nil
}

// parseRaw reads what git diff --raw -z prints: ":mode mode id id status", a name, and for a
// rename another one.
func parseRaw(fields []string) ([]file, error) {
	var files []file
	for len(fields) > 0 {
		meta := strings.Fields(strings.TrimPrefix(fields[0], ":"))
		if len(meta) != 5 || meta[4] == "" || len(fields) < 2 {
			return nil, fmt.Errorf("git diff --raw printed %q, which is not known", fields[0])
		}
		f := file{mode: meta[0], blob: meta[2], submodule: meta[0] == modeSubmodule || meta[1] == modeSubmodule}
		f.link = meta[0] == modeLink || meta[1] == modeLink
		status, name := meta[4][0], fields[1]
		fields = fields[2:]
		switch status {
		case 'A':
			f.now = name
		case 'D':
			f.then = name
		case 'R', 'C':
			if len(fields) == 0 {
				return nil, fmt.Errorf("git diff --raw printed no new name for %q", name)
			}
			f.now, fields = fields[0], fields[1:]
			if status == 'R' {
				f.then = name
			}
		case 'U': // not merged yet: what stands in the way is told by the other entry
			continue
		default:
			f.now, f.then = name, name
		}
		files = append(files, f)
	}
	return files, nil
}

// strangers notes the files below the paths that git ignores: their content before the change is not known.
func (c *Change) strangers(ctx context.Context, paths []string) error {
	c.ignored = map[string]bool{}
	if len(paths) == 0 {
		return nil
	}
	arguments := []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--"}
	for _, path := range paths {
		name, _ := c.Name(path) // Since has asked
		arguments = append(arguments, name)
	}
	text, err := c.git.output(ctx, arguments...)
	if err != nil {
		return fmt.Errorf("list what git ignores: %w", err)
	}
	for _, name := range names(text) {
		c.ignored[strings.TrimSuffix(name, "/")] = true
	}
	return nil
}

// Submodules are those that are not as they were: what changed in them is in another repository.
func (c *Change) Submodules() []string {
	var list []string
	for i := range c.files {
		if f := &c.files[i]; f.submodule {
			list = append(list, max(f.now, f.then))
		}
	}
	return list
}

// Files counts what changed.
func (c *Change) Files() int { return len(c.files) }

// Before is the name that a file had; the same where it was not renamed.
func (c *Change) Before(name string) string {
	if f := c.now[name]; f != nil && f.then != "" {
		return f.then
	}
	return name
}

// Now is the name that a file of before has; the same where it was not renamed or is gone.
func (c *Change) Now(name string) string {
	if f := c.then[name]; f != nil && f.now != "" {
		return f.now
	}
	return name
}
