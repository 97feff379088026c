// Package jdks finds the Java virtual machines of this computer.
package jdks

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// JDK is one Java virtual machine.
type JDK struct {
	Java    string // the program's path
	Build   string // as java -version prints it, such as 17.0.15+6-Debian-1deb12u1
	Feature int    // the release, such as 17
}

var (
	versionLine = regexp.MustCompile(`version "(?:1\.)?(\d+)`)
	buildLine   = regexp.MustCompile(`\(build ([^)\s]+)\)`)
)

// Find is what install.sh installed, the folders of HEADROOM_JDKS
// (a path list) and the java of PATH, by release. A build that is there twice counts once. The
// error names what is no JVM.
func Find() ([]JDK, error) {
	candidates, err := filepath.Glob(repo.Path(".tools/jdks/*/*/bin/java"))
	if err != nil {
		return nil, err
	}
	for _, home := range filepath.SplitList(os.Getenv("HEADROOM_JDKS")) {
		candidates = append(candidates, filepath.Join(home, "bin", "java"))
	}
	if java, err := exec.LookPath("java"); err == nil {
		candidates = append(candidates, java)
	}
	var found []JDK
	var errs []error
	for _, candidate := range candidates {
		jdk, err := identify(candidate)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s is no JVM: %w", candidate, err))
			continue
		}
		if !slices.ContainsFunc(found, func(j JDK) bool { return j.Build == jdk.Build }) {
			found = append(found, jdk)
		}
	}
	slices.SortStableFunc(found, func(a, b JDK) int {
		return cmp.Or(a.Feature-b.Feature, slices.Compare(numbersIn(a.Build), numbersIn(b.Build)))
	})
	return found, errors.Join(errs...)
}

var digits = regexp.MustCompile(`\d+`)

// numbersIn a build say which of two is the newer.
func numbersIn(build string) []int {
	var all []int
	for _, text := range digits.FindAllString(build, -1) {
		n, _ := strconv.Atoi(text) // out of range is the greatest
		all = append(all, n)
	}
	return all
}

func identify(java string) (JDK, error) {
	path, err := filepath.Abs(java)
	if err != nil {
		return JDK{}, err
	}
	cmd := exec.Command(path, "-version") //nolint:gosec // what the machine calls java
	// Without the variables that a JVM reads its flags from.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/", "LC_ALL=C"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return JDK{}, fmt.Errorf("run java -version: %w: %s", err, out)
	}
	version, build := versionLine.FindSubmatch(out), buildLine.FindSubmatch(out)
	if version == nil || build == nil {
		return JDK{}, fmt.Errorf("read java -version: %s", out)
	}
	feature, err := strconv.Atoi(string(version[1]))
	return JDK{Java: path, Build: string(build[1]), Feature: feature}, err
}

// PerRelease keeps one JDK a release, the newest of each.
func PerRelease(found []JDK) []JDK {
	var kept []JDK
	for i, jdk := range found {
		if i == len(found)-1 || found[i+1].Feature != jdk.Feature {
			kept = append(kept, jdk)
		}
	}
	return kept
}
