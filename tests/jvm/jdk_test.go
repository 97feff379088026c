package jvm_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A jdk is one Java virtual machine of this computer.
type jdk struct {
	java    string
	build   string // as java -version prints it, such as 17.0.15+6-Debian-1deb12u1
	feature int
}

var (
	versionLine = regexp.MustCompile(`version "(?:1\.)?(\d+)`)
	buildLine   = regexp.MustCompile(`\(build ([^)\s]+)\)`)
)

// findJDKs is what install.sh installed, the folders of HEADROOM_JDKS (a path list) and the java of PATH;
// a build that is there twice counts once.
func findJDKs(t *testing.T) []jdk {
	t.Helper()
	candidates, err := filepath.Glob("../../.tools/jdks/*/*/bin/java")
	if err != nil {
		t.Fatal(err)
	}
	for _, home := range filepath.SplitList(os.Getenv("HEADROOM_JDKS")) {
		candidates = append(candidates, filepath.Join(home, "bin", "java"))
	}
	if java, err := exec.LookPath("java"); err == nil {
		candidates = append(candidates, java)
	}
	found := []jdk{}
	for _, candidate := range candidates {
		machine, err := identify(candidate)
		if err != nil {
			t.Errorf("%s is no JVM: %v", candidate, err)
			continue
		}
		if !slices.ContainsFunc(found, func(j jdk) bool { return j.build == machine.build }) {
			found = append(found, machine)
		}
	}
	slices.SortStableFunc(found, func(a, b jdk) int { return a.feature - b.feature })
	return found
}

func identify(java string) (jdk, error) {
	path, err := filepath.Abs(java)
	if err != nil {
		return jdk{}, err
	}
	cmd := exec.Command(path, "-version")
	cmd.Env = flagSet{}.environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return jdk{}, fmt.Errorf("run java -version: %w: %s", err, out)
	}
	version, build := versionLine.FindSubmatch(out), buildLine.FindSubmatch(out)
	if version == nil || build == nil {
		return jdk{}, fmt.Errorf("read java -version: %s", out)
	}
	feature, err := strconv.Atoi(string(version[1]))
	return jdk{java: path, build: string(build[1]), feature: feature}, err
}

// requireFeatures fails the test for each feature release of HEADROOM_REQUIRE_JDKS ("8 11 17") that is not there,
// so that a continuous build cannot lose one unnoticed.
func requireFeatures(t *testing.T, found []jdk) {
	t.Helper()
	for _, wanted := range strings.Fields(os.Getenv("HEADROOM_REQUIRE_JDKS")) {
		if !slices.ContainsFunc(found, func(j jdk) bool { return strconv.Itoa(j.feature) == wanted }) {
			t.Errorf("no JDK %s among %d found; run tests/jvm/install.sh", wanted, len(found))
		}
	}
}
