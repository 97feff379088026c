package scenario

// Keys are those of a file.
func Keys() []string {
	return []string{
		"apiVersion", "kind", "title", "note", "layer", "processors", "limit", "period", "burst", "loads", "busy",
	}
}

// LoadKeys are those of a load.
func LoadKeys() []string {
	return []string{"name", "start", "threads", "work", "total", "every", "times"}
}

// BusyKeys are those of busy.
func BusyKeys() []string {
	return []string{"threads", "duration", "seeds", "slice", "tick", "jitter", "aligned", "rewrite", "remedy"}
}
