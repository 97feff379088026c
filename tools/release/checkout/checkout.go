// Package checkout takes a commit out of the repository, so that a release holds what was
// committed and nothing else, and says which version it is.
package checkout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tools/release/pack"
)

// ChartFile is where the version stands that all others follow.
const ChartFile = "charts/headroom/Chart.yaml"

// Commit is what a release is made of.
type Commit struct {
	Hash  string
	Time  time.Time // of the commit, or SOURCE_DATE_EPOCH
	Files pack.Files
	// Version is the chart's, for a tag; for any other commit it is a pre-release of that.
	Version string
	Next    string // the chart's
	Tagged  bool
	// Clean says that nothing lies in the folder that is not in the commit.
	Clean bool
}

// Tag is the name of the release: the version with a v.
func (c *Commit) Tag() string { return "v" + c.Version }

// Head reads the commit that is checked out in dir.
func Head(ctx context.Context, dir string) (*Commit, error) {
	c := &Commit{}
	hash, err := git(ctx, dir, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	c.Hash = text(hash)
	if c.Time, err = when(ctx, dir); err != nil {
		return nil, err
	}
	archive, err := git(ctx, dir, "archive", "--format=tar", c.Hash)
	if err != nil {
		return nil, err
	}
	if c.Files, err = pack.Untar(bytes.NewReader(archive)); err != nil {
		return nil, err
	}
	changed, err := git(ctx, dir, "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	c.Clean = len(changed) == 0
	tags, err := git(ctx, dir, "tag", "--points-at", c.Hash)
	if err != nil {
		return nil, err
	}
	return c, c.name(strings.Fields(text(tags)))
}

// semantic is a version as SemVer 2 writes it, without build metadata.
var semantic = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z][0-9A-Za-z.-]*)?$`)

// IsVersion says whether a release can have this version.
func IsVersion(text string) bool { return semantic.MatchString(text) }

// name finds the version. The chart's has to be that of the tag: kustomize and `helm install`
// from a checkout read the files as they are.
func (c *Commit) name(tags []string) error {
	var chart struct {
		Version    string `json:"version"`
		AppVersion string `json:"appVersion"`
	}
	if err := yaml.Unmarshal(c.Files[ChartFile].Content, &chart); err != nil {
		return fmt.Errorf("read %s: %w", ChartFile, err)
	}
	if !IsVersion(chart.Version) || chart.AppVersion != chart.Version {
		return fmt.Errorf("%s has version %q and appVersion %q: wanted one semantic version, twice",
			ChartFile, chart.Version, chart.AppVersion)
	}
	c.Next = chart.Version
	c.Version = fmt.Sprintf("%s-dev.g%.7s", chart.Version, c.Hash)
	for _, tag := range tags {
		if !IsVersion(strings.TrimPrefix(tag, "v")) {
			continue
		}
		if tag != "v"+chart.Version {
			return fmt.Errorf("the commit has the tag %s and %s the version %s: `make version VERSION=%s` "+
				"sets it, then commit and tag again", tag, ChartFile, chart.Version, strings.TrimPrefix(tag, "v"))
		}
		c.Version, c.Tagged = chart.Version, true
	}
	return nil
}

// when is the commit's time, or what SOURCE_DATE_EPOCH says:
// https://reproducible-builds.org/docs/source-date-epoch/
func when(ctx context.Context, dir string) (time.Time, error) {
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		out, err := git(ctx, dir, "log", "-1", "--format=%ct")
		if err != nil {
			return time.Time{}, err
		}
		seconds = text(out)
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	// Zip files cannot tell what was before 1980.
	if err != nil || n < 315532800 {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH or the commit's time is %q: "+
			"wanted seconds since 1970, of 1980 or later", seconds)
	}
	return time.Unix(n, 0).UTC(), nil
}

func text(out []byte) string { return strings.TrimSpace(string(out)) }

// These settings override the user's own git settings. Those could change the line ends that `git archive`
// writes, and make `git log` print signatures.
var whoever = []string{
	"-c", "core.autocrlf=false", "-c", "core.eol=lf", "-c", "core.attributesFile=" + os.DevNull,
	"-c", "log.showSignature=false",
}

func git(ctx context.Context, dir string, arguments ...string) ([]byte, error) {
	all := append(slices.Clone(whoever), arguments...)
	command := exec.CommandContext(ctx, "git", all...) //nolint:gosec // our own arguments
	command.Dir = dir
	out, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("git %s: %s", arguments[0], text(failed.Stderr))
	}
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", arguments[0], err)
	}
	return out, nil
}
