package measure

import "time"

// At makes a source ask at this time.
func At(s Source, now time.Time) { s.(*prometheus).options.Now = func() time.Time { return now } }

// Cut makes a source ask for the window in this many parts from the start.
func Cut(s Source, parts int) { s.(*prometheus).parts = parts }
