package changed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// git runs the git program in a folder.
type git struct {
	dir string
	// disarmed are variables that take programs away which the configuration names.
	disarmed []string
}

// filters are the settings that name a program which git would run on files that it compares.
const filters = `^filter\..*\.(clean|smudge|process|required)$`

// disarm takes away the filters of every configuration. Names may hold a =, so that they go by variables.
func (g *git) disarm(ctx context.Context) error {
	text, err := g.output(ctx, "config", "--null", "--name-only", "--get-regexp", filters)
	var failed failure
	if errors.As(err, &failed) && failed.code == 1 {
		return nil // there are no filters
	}
	if err != nil {
		return fmt.Errorf("look for programs in git's configuration: %w", err)
	}
	n, _ := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT"))
	for _, name := range names(text) {
		value := ""
		if strings.HasSuffix(name, ".required") {
			value = "false"
		}
		g.disarmed = append(g.disarmed, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, name), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
		n++
	}
	g.disarmed = append(g.disarmed, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n))
	return nil
}

// always are the arguments of every run of git. With them no configuration changes what git prints, and no
// program that the repository's configuration names is run. The tree may be a stranger's, with another
// repository inside.
var always = []string{
	"--no-pager", "--literal-pathspecs", "-c", "core.quotePath=false", "-c", "submodule.recurse=false",
	"-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
	"-c", "core.attributesFile=" + os.DevNull, "-c", "diff.external=", "-c", "advice.graftFileDeprecated=false",
}

func (g git) command(ctx context.Context, arguments ...string) (*exec.Cmd, *tail, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, nil, ErrNoGit
	}
	arguments = append(always[:len(always):len(always)], arguments...)
	//nolint:gosec // a fixed program, no shell, and REF stands after --end-of-options
	c := exec.CommandContext(ctx, program, arguments...)
	c.Dir, c.Env = g.dir, append(environment(os.Environ()), g.disarmed...)
	said := &tail{}
	c.Stderr = said
	return c, said, nil
}

// kept are the variables of git that say how to find a repository, not which one. A hook
// hands down the others, and they would name its repository, index and folders.
var kept = []string{
	"GIT_CONFIG", "GIT_EXEC_PATH=", "GIT_CEILING_DIRECTORIES=", "GIT_DISCOVERY_ACROSS_FILESYSTEM=",
}

func environment(given []string) []string {
	var list []string
	for _, variable := range given {
		if !strings.HasPrefix(variable, "GIT_") || hasAny(variable, kept) {
			list = append(list, variable)
		}
	}
	// A commit is what its name says: refs/replace and grafts, which mirrors fetch, would put another in its place.
	list = append(list, "GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull)
	// Of a partial clone git would fetch what it lacks, by whatever program the repository names for that. An older git
	// knows the second of them alone.
	return append(list, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_ATTR_NOSYSTEM=1",
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}

func hasAny(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// failure is git's own exit, with what it said.
type failure struct {
	code int
	said string
}

func (f failure) Error() string {
	if f.said == "" {
		return fmt.Sprintf("git: exit code %d", f.code)
	}
	return "git: " + f.said
}

// output gives what git prints, up to a bound.
func (g git) output(ctx context.Context, arguments ...string) ([]byte, error) {
	c, said, err := g.command(ctx, arguments...)
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(out, maxListBytes+1))
	if len(text) > maxListBytes {
		_ = c.Process.Kill() // Wait tells
		_ = c.Wait()
		return nil, fmt.Errorf("git lists more than %d MiB of changes", maxListBytes>>20)
	}
	if waited := c.Wait(); err == nil {
		err = waited
	}
	return text, ended(ctx, err, said)
}

// ended words the end of a run of git.
func ended(ctx context.Context, err error, said *tail) error {
	if ctx.Err() != nil {
		return fmt.Errorf("stopped: %w", ctx.Err())
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return failure{exit.ExitCode(), said.line()}
	}
	if err != nil {
		return fmt.Errorf("run git: %w", err)
	}
	return nil
}

// tail keeps the beginning of what git says on its standard error.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	if room := maxSaidBytes - len(t.text); room > 0 {
		t.text = append(t.text, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

// advice is what git adds to what it complains of.
var advice = pattern.Lazy(`(?m)^hint:.*\n?`)

// line is the first thing that git complains of, in one line.
func (t *tail) line() string {
	text := strings.TrimSpace(advice().ReplaceAllString(string(t.text), ""))
	if strings.Contains(text, "lazy fetching disabled") || strings.Contains(text, "promisor remote") {
		return "a partial clone lacks files that are compared, and nothing is fetched here: clone without --filter, " +
			"or run git fetch --refetch --no-filter"
	}
	for _, prefix := range []string{"fatal: ", "error: "} {
		if at := strings.Index(text, prefix); at >= 0 {
			text = text[at+len(prefix):]
			break
		}
	}
	return strings.Join(strings.Fields(text), " ")
}

// names splits a list that git ends with NUL bytes.
func names(text []byte) []string {
	var list []string
	for name := range strings.SplitSeq(string(text), "\x00") {
		if name != "" {
			list = append(list, name)
		}
	}
	return list
}
