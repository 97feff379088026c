// Package manifest fills in what tells the world of a release: chart, krew, Homebrew,
// Artifact Hub. All of them get version, time and sums from the release itself.
package manifest

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/headroom-dev/headroom/tools/container/image"
	"github.com/headroom-dev/headroom/tools/release/checkout"
	"github.com/headroom-dev/headroom/tools/release/pack"
)

// Home is where people find headroom.
const Home = "https://github.com/headroom-dev/headroom"

// Lines that hold the version, in the chart and in what names its image.
const (
	versioned = `(?m)^(\s*(?:version|appVersion|app\.kubernetes\.io/version): "?)%s("?)$`
	tagged    = `%s:%s([^0-9A-Za-z.-]|$)`
)

// follows says which files follow the chart's version.
func follows(name string) bool {
	return name == checkout.ChartFile || strings.HasPrefix(name, "charts/kustomize/") || strings.HasPrefix(name, "packaging/gitops/")
}

// SetVersion gives another version to the chart, to the kustomizations that are made of it and
// to the examples that name its image. Files that do not change are left out.
func SetVersion(files pack.Files, version string) (pack.Files, error) {
	chart := string(files[checkout.ChartFile].Content)
	found := regexp.MustCompile(`(?m)^version: (\S+)$`).FindStringSubmatch(chart)
	if found == nil {
		return nil, fmt.Errorf("%s has no version", checkout.ChartFile)
	}
	old := regexp.QuoteMeta(found[1])
	lines := regexp.MustCompile(fmt.Sprintf(versioned, old))
	images := regexp.MustCompile(fmt.Sprintf(tagged, regexp.QuoteMeta(image.Repository), old))
	changed := pack.Files{}
	for name, file := range files {
		if !follows(name) {
			continue
		}
		text := lines.ReplaceAllString(string(file.Content), "${1}"+version+"${2}")
		text = images.ReplaceAllString(text, image.Repository+":"+version+"${1}")
		if text != string(file.Content) {
			changed[name] = pack.File{Content: []byte(text), Program: file.Program}
		}
	}
	return changed, nil
}

// relative are links of a README to files of the repository.
var relative = regexp.MustCompile(`\]\(([^):#]+)(#[^)]*)?\)`)

// absolute makes the links of a README point into the repository as it was at the commit, for
// those who read it elsewhere. folder is where the README lies.
func absolute(text []byte, folder, commit string) []byte {
	return relative.ReplaceAllFunc(text, func(link []byte) []byte {
		parts := relative.FindSubmatch(link)
		return fmt.Appendf(nil, "](%s/blob/%s/%s%s)", Home, commit, clean(folder, string(parts[1])), parts[2])
	})
}
