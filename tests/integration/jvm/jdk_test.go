//go:build integration

package jvm_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/jdks"
)

// findJDKs is every JVM of this computer.
func findJDKs(t *testing.T) []jdks.JDK {
	t.Helper()
	found, err := jdks.Find()
	if err != nil {
		t.Error(err)
	}
	return found
}

// requireFeatures fails the test for each feature release of HEADROOM_REQUIRE_JDKS ("8 11 17") that is not there,
// so that a continuous build cannot lose one unnoticed.
func requireFeatures(t *testing.T, found []jdks.JDK) {
	t.Helper()
	for _, wanted := range strings.Fields(os.Getenv("HEADROOM_REQUIRE_JDKS")) {
		if !slices.ContainsFunc(found, func(j jdks.JDK) bool { return strconv.Itoa(j.Feature) == wanted }) {
			t.Errorf("no JDK %s among %d found; run tests/harness/jdks/install.sh", wanted, len(found))
		}
	}
}
