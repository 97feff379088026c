//go:build system

package native

import "testing"

func TestMutations(t *testing.T) { start(t).Mutated(t) }
