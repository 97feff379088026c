package source

// Rendered says whether a file is a chart or a kustomization, which has no text of its own.
func (f File) Rendered() bool { return f.render != nil }

// Stdin says whether a file is standard input.
func (f File) Stdin() bool { return f.path == "" && f.render == nil && f.Skipped == "" }
