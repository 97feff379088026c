// Package policies holds the Rego that decides. Nothing here decides anything in Go.
package policies

import _ "embed" // for Plan

// Plan is the plan that OPA's compiler makes of the policies, which package plan evaluates. It is
// generated, and names the policies that it was made of.
//
//go:embed policies.plan
var Plan string
