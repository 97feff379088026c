// Package source turns what a user names (files, folders, standard input, Helm
// charts, kustomizations) into Kubernetes objects that know on which line each
// of their fields stands.
//
// Files expands names into a sorted list, Load reads and parses one entry of
// it, and Each does so with a bounded number of workers. Parse is the same for
// bytes that are already in memory.
//
// # Values
//
// An Object holds what kubectl and conftest would make of the text. Both read YAML through
// sigs.k8s.io/yaml, which is YAML 1.1 as go.yaml.in/yaml/v2 knows it (yes and on are true, 0777 is
// 511), followed by a trip through JSON. The one difference is that numbers stay json.Number and
// lose no precision. The tests compare the two on manifests and on fuzzed input. A merge key is
// applied where it stands, so it overrides the keys above it and not those below, because that is
// what v2 does.
//
// # Documents
//
// A document that cannot be read becomes a Problem and the others are parsed
// all the same. A document that is no Kubernetes object (no apiVersion and
// kind) carries the reason in Item.Skipped. A List stays one document. Of a key that
// is given twice the last value holds, as for kubectl, and the Problem stands beside the
// Document. What stands behind a document's end is refused, although kubectl ignores it.
//
// # Lines
//
// Lines count from 1 in the text as the user sees it. For what an alias or a
// merge key brings in, the line is where the text really stands. For rendered
// charts and kustomizations it is the line in the rendered output, because
// their sources have no line for what a template made.
//
// # Bounds
//
// The size of a file, its documents and their values, the depth of nesting and what aliases expand
// to are all bounded. So a hostile file costs an error and not the memory of the machine.
package source
