package changed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// Change is what lies between a commit and the work tree.
type Change struct {
	Ref  string // as the user named it
	Base string // the commit where the branch left Ref
	Root string // the top of the work tree, free of symbolic links

	dir   string // that paths are seen from, free of symbolic links
	git   git
	files []file
	// now finds what changed by its name in the work tree, then by that at Base.
	now, then map[string]*file
	ignored   map[string]bool // in the paths, and unknown to git
}

// Since compares the work tree around a folder with the commit where HEAD left ref, as a pull
// request does. The paths, as seen from the folder, must be in that work tree.
func Since(ctx context.Context, dir, ref string, paths []string) (*Change, error) {
	real, err := realPath(dir)
	if err != nil {
		return nil, fmt.Errorf("find the repository: %w", err)
	}
	c := &Change{Ref: ref, dir: real, git: git{dir: real}}
	if c.Root, err = c.top(ctx); err != nil {
		return nil, err
	}
	for _, path := range paths {
		if path == "-" {
			return nil, errors.New("--changed-since cannot judge standard input: what it was before is not known; name files")
		}
		if _, ok := c.Name(path); !ok {
			return nil, fmt.Errorf("%s is not in the repository %s: what it was at %s is not known",
				path, filepath.ToSlash(c.Root), ref)
		}
	}
	c.git.dir = c.Root
	if err = c.git.disarm(ctx); err != nil {
		return nil, err
	}
	if c.Base, err = c.base(ctx); err != nil {
		return nil, err
	}
	if err := c.compare(ctx); err != nil {
		return nil, err
	}
	return c, c.strangers(ctx, paths)
}

// top finds the work tree.
func (c *Change) top(ctx context.Context) (string, error) {
	text, err := c.git.output(ctx, "rev-parse", "--show-toplevel")
	var failed failure
	switch {
	case errors.As(err, &failed) && strings.Contains(failed.said, "not a git repository"):
		return "", fmt.Errorf("--changed-since needs a git repository, and %s is in none", filepath.ToSlash(c.dir))
	case errors.As(err, &failed) && strings.Contains(failed.said, "work tree"):
		return "", fmt.Errorf("--changed-since compares files, and %s is in a repository without any (bare)",
			filepath.ToSlash(c.dir))
	case err != nil:
		return "", err
	}
	return realPath(strings.TrimSuffix(string(text), "\n"))
}

var nullID = pattern.Lazy(`^0{7,64}$`)

// base finds the commit at which HEAD left the ref.
func (c *Change) base(ctx context.Context) (string, error) {
	if c.Ref == "" || nullID().MatchString(c.Ref) {
		return "", fmt.Errorf("--changed-since %q names no commit: a new branch has none before it; "+
			"name the branch it goes to, such as origin/main", c.Ref)
	}
	head, err := c.commit(ctx, "HEAD")
	if err != nil {
		return "", c.wrong(err, "the repository has no commit yet")
	}
	with, err := c.commit(ctx, c.Ref)
	if err != nil {
		return "", c.wrong(err, c.unknown(ctx))
	}
	text, err := c.git.output(ctx, "merge-base", with, head)
	if err != nil {
		return "", c.wrong(err, c.unrelated(ctx))
	}
	return strings.TrimSpace(string(text)), nil
}

func (c *Change) commit(ctx context.Context, name string) (string, error) {
	text, err := c.git.output(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	return strings.TrimSpace(string(text)), err
}

// wrong says what an exit of git means; any other error is as it is.
func (c *Change) wrong(err error, means string) error {
	var failed failure
	if !errors.As(err, &failed) {
		return err
	}
	if strings.Contains(failed.said, "dubious ownership") {
		return err // git says what to do
	}
	return fmt.Errorf("--changed-since %s: %s", c.Ref, means)
}

// unknown hints at how the ref gets here: in CI, a checkout often has one commit and one branch.
func (c *Change) unknown(ctx context.Context) string {
	text := "no such branch, tag or commit in this repository"
	remote, branch, ok := strings.Cut(c.Ref, "/")
	if !ok || remote == "refs" {
		remote, branch = "origin", strings.TrimPrefix(c.Ref, "refs/heads/")
	}
	if strings.ContainsAny(c.Ref, "~^@{: ") || strings.HasPrefix(c.Ref, "-") || branch == "HEAD" { // no name that can be fetched
		if c.shallow(ctx) {
			text += shallowHint
		}
		return text
	}
	text += fmt.Sprintf("; fetch it: git fetch %s %s", remote, branch)
	if !ok {
		text += ", and name it " + remote + "/" + branch
	}
	if c.shallow(ctx) {
		text += shallowHint
	}
	return text
}

const shallowHint = ". This is a shallow clone: in GitHub Actions give actions/checkout fetch-depth: 0, " +
	"in GitLab CI set GIT_DEPTH: 0, elsewhere run git fetch --unshallow"

func (c *Change) unrelated(ctx context.Context) string {
	text := "it has no commit in common with HEAD"
	if c.shallow(ctx) {
		text += " here" + shallowHint
	}
	return text
}

func (c *Change) shallow(ctx context.Context) bool {
	text, err := c.git.output(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(string(text)) == "true"
}

// Name gives a path, as the user named it, as it is named below the top of the repository; false
// where it lies outside.
func (c *Change) Name(path string) (string, bool) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, path)
	}
	name, ok := c.below(filepath.Clean(path))
	if ok {
		return name, true
	}
	// An absolute path may lead here by a symbolic link, as /tmp does on a Mac.
	if real, err := realPath(path); err == nil {
		return c.below(real)
	}
	return "", false
}

func (c *Change) below(path string) (string, bool) {
	relative, err := filepath.Rel(c.Root, path)
	if err != nil || !filepath.IsLocal(relative) {
		return "", false
	}
	return filepath.ToSlash(relative), true
}

// disk is where a file stands in the work tree.
func (c *Change) disk(name string) string { return filepath.Join(c.Root, filepath.FromSlash(name)) }

// real is the name of the file that a path leads to in the end.
func (c *Change) real(path string) (string, bool) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, path)
	}
	real, err := realPath(path)
	if err != nil {
		return "", false
	}
	return c.below(real)
}

func realPath(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(real); err != nil {
		return "", err
	}
	return real, nil
}
