//go:build integration

package policies_test

import (
	"testing"

	"github.com/open-policy-agent/opa/v1/cover"

	"github.com/headroom-dev/headroom/tests/harness/regotest"
)

// TestCoverage wants every line of the policies evaluated by a test, and each test to pass with OPA's own
// evaluator. Tracing makes the tests several times slower, so it is not part of the unit layer.
func TestCoverage(t *testing.T) {
	covered := cover.New()
	pass(t, regotest.Options{Cover: covered})
	for _, gap := range regotest.Gaps(covered, load(t)) {
		t.Errorf("%s is not covered by a test", gap)
	}
}
