package main

import (
	"bytes"

	"github.com/headroom-dev/headroom/internal/explain"
)

// explanationWriter writes an explanation.
func explanationWriter(r *explain.Report) formatWriter {
	return func(w *bytes.Buffer, format string, colored bool, columns int) error {
		return explain.Write(w, format, r, colored, columns)
	}
}
