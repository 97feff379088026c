// Package suggest says how to put right what a Helm chart or a kustomization renders: the
// object that a linter sees is not the source, so the fix is a snippet of values or a patch.
// What is suggested has been tried: the source was rendered again with it.
package suggest

import "github.com/headroom-dev/headroom/policies/engine"

// Fixed is a rendered object and what it should be.
type Fixed struct {
	Before, After map[string]any
	Applied       []engine.Applied
	Patch         []engine.Operation // against Before
}

// Kinds of snippets.
const (
	KindValues = "values" // of a Helm chart
	KindPatch  = "patch"  // of kustomize
)

// Snippet is YAML to paste.
type Snippet struct {
	Origin string // the chart or kustomization, as the user named it
	Kind   string // KindValues or KindPatch
	Text   string // YAML to paste
	Where  string // in words: the file it belongs into and how to use it
	Covers int    // how many objects it puts right
	Note   string // in words: what it does not do, and why; "" for nothing
}
