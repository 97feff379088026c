// Package suggest says how to fix what a Helm chart or a kustomization renders. The object that a
// linter sees is not the source, so the fix is a snippet of values or a kustomize patch. Each snippet
// has been tried: the source was rendered again with it.
//
// Package values searches the values of a chart, package patches the patches of a kustomization, and
// package tree has what both compare: objects, paths and changes.
package suggest

import (
	"github.com/headroom-dev/headroom/lint/suggest/tree"
)

// Fixed is a rendered object and what it should be.
type Fixed = tree.Fixed

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
	Covers int    // how many objects it fixes
	Note   string // in words: what it does not do, and why; "" for nothing
}
