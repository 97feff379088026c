//go:build !js

package policies

import "embed"

// Files is the policy tree: rego/headroom is the bundle, rego/main and rego/infos the conftest adapter.
// Rule directories carry their tests and example manifests too; see package engine for
// what is loaded. cel holds the fragments of package cel. schema/headroom.schema.json
// describes headroom.yaml, and schema/rules.json has the rules that it may name.
//
//go:embed rego/headroom rego/infos rego/main export/cel/macros export/cel/model export/cel/mutate export/cel/rules schema
var Files embed.FS
