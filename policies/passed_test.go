//go:build !integration

package policies_test

import (
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/regotest"
)

// TestRego runs every Rego test. In the integration layer TestCoverage does, with OPA's evaluator.
func TestRego(t *testing.T) { pass(t, regotest.Options{}) }
