package explain

// namedKind is a kind of workload that a person named.
type namedKind struct{ Kind string }

// KindNamed knows none in a browser, where no workload is chosen by name.
func KindNamed(string) (namedKind, bool) { return namedKind{}, false }
