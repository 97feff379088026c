package engine

import (
	"context"
	"testing"
)

func TestFixOfNothingWrong(t *testing.T) {
	e := newEngine(t)
	for _, text := range anyJSON {
		object, ok := decodeJSON(t, text).(map[string]any)
		if !ok {
			continue
		}
		fixed, err := e.Fix(context.Background(), Review{Manifest: object})
		if err != nil || len(fixed.Patch) > 0 {
			t.Errorf("%s: %+v, %v", text, fixed.Patch, err)
		}
	}
}
