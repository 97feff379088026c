package policies

import "embed"

// Files has no policies in a browser: the plan has what is evaluated, and they are another 4 MB to load.
//
//go:embed schema
var Files embed.FS
