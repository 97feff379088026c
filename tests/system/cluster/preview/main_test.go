//go:build system

// Package preview holds what a preview tells to what the webhook then does, on a real cluster.
package preview

import (
	"os"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

var cluster *plane.Plane

func TestMain(m *testing.M) { os.Exit(plane.Main(m, plane.Options{}, &cluster)) }
