package source

// Rendered says whether a file is a chart or a kustomization, which has no text of its own.
func (f File) Rendered() bool { return f.render != nil }

// Stdin says whether a file is standard input.
func (f File) Stdin() bool { return f.path == "" && f.render == nil && f.Skipped == "" }

// Read gives the bytes of one of Files that is not rendered, up to the limit, for Items and
// for callers that rewrite the file.
func Read(file File, opts Options) ([]byte, error) { return read(file, opts) }
