// Package schema has the schemas for editors, which are written by make generate.
package schema

import _ "embed"

// Annotations is the schema of headroom's annotations, Config that of headroom.yaml.
var (
	//go:embed annotations.schema.json
	Annotations []byte
	//go:embed headroom.schema.json
	Config []byte
)
