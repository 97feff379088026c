//go:build integration

package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/hostile"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

// mostMemory is what any tree of 20 MB may take of a runner, in bytes.
const mostMemory = 400 << 20

// Whatever the tree is: the memory is bounded, and what is refused is named. A day has one command for each tree that
// takes memory. `make search` has all commands and all trees.
func TestHostileTrees(t *testing.T) {
	var table strings.Builder
	commands := hostile.Commands()
	turn := int(search.Seed(t, 0) % uint64(len(commands)))
	trees := hostile.OfMemory()
	if search.Whole() {
		trees = hostile.Trees()
	}
	for i, name := range slices.Sorted(maps.Keys(trees)) {
		fmt.Fprintf(&table, "\n%-30s", name)
		for k, command := range commands {
			if !search.Whole() && (i+turn)%len(commands) != k {
				fmt.Fprintf(&table, " %11s", "")
				continue
			}
			t.Run(command+" of "+name, func(t *testing.T) {
				found := peak(t, command, name)
				t.Log("exit code and MiB:", found)
				fmt.Fprintf(&table, " %11s", found)
			})
		}
	}
	t.Logf("exit code and MiB of %v:%s", commands, table.String())
}

// peak runs a command, and looks at how it ends and what memory it took, with the process that renders for it.
func peak(t *testing.T, command, tree string) string {
	t.Helper()
	found, err := hostile.Judge(t.Context(), binary, command, tree, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if found.Peak > mostMemory {
		t.Errorf("%d MiB", found.Peak>>20)
	}
	if found.Code < 0 || found.Code > 2 || found.Code == 2 && found.Size == 0 {
		t.Errorf("exit code %d, %s", found.Code, found.Said)
	}
	return fmt.Sprintf("%d, %d", found.Code, found.Peak>>20)
}
