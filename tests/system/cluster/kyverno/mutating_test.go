//go:build system

package kyverno

import "testing"

func TestMutations(t *testing.T) { start(t, "overlays/mutate").Mutated(t) }
