// Package changed asks git what a pull request touches, and lays out the files as they were
// before it.
//
// A change is what a pull request shows: the difference between the work tree, committed or not,
// and the commit at which the branch left another one. The git program is run for it; nothing is
// fetched, and nothing in the repository is written.
package changed

import "errors"

// Range is a run of lines, counted from 1. A Range whose Last is before its First has no lines:
// it is where lines were taken away, between Last and First.
type Range struct{ First, Last int }

// Bounds of what is read; a repository of a hundred thousand changed files stays below them.
const (
	maxListBytes = 64 << 20  // of one list that git prints
	maxBlobBytes = 64 << 20  // of one file as it was
	maxTreeBytes = 512 << 20 // of all files as they were
	maxSaidBytes = 4 << 10   // of what git says when it fails
)

// ErrNoGit is given where there is no git program.
var ErrNoGit = errors.New("--changed-since runs the git program, and there is none in PATH")
