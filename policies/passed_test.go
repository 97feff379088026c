//go:build !integration

package policies_test

import (
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/regotest"
)

// TestRego runs every Rego test. In the integration layer TestCoverage does.
func TestRego(t *testing.T) { pass(t, load(t), regotest.Options{}) }
