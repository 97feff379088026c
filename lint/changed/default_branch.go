package changed

import (
	"context"
	"strings"
)

// DefaultBranch is the branch that pull requests of a repository go to, as origin/main: origin's HEAD where a clone
// knows it.
func DefaultBranch(ctx context.Context, dir string) string {
	text, err := git{dir: dir}.output(ctx, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
	if name := strings.TrimSpace(string(text)); err == nil && name != "" {
		return name
	}
	return "origin/main"
}
