// Package policies holds the Rego that decides. Nothing here decides anything in Go.
package policies

import "embed"

// Files is the policy tree: rego/headroom is the bundle, rego/main and rego/infos the conftest adapter.
// Rule directories carry their tests and example manifests too; see package engine for
// what is loaded. cel holds the fragments of package cel. schema/headroom.schema.json
// describes headroom.yaml, and schema/rules.json has the rules that it may name.
//
//go:embed rego/headroom rego/infos rego/main export/cel/macros export/cel/model export/cel/mutate export/cel/rules schema
var Files embed.FS

// Plan is the plan that OPA's compiler makes of the policies, which package plan evaluates. It is
// generated, and names the policies that it was made of.
//
//go:embed policies.plan
var Plan string
