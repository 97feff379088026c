// Package defaults has the policies as they are without a config.
package defaults

import (
	"context"
	"sync"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

var ready = sync.OnceValues(func() (*engine.Engine, error) {
	return engine.New(context.Background(), engine.Options{})
})

// Engine evaluates them; all tests of a package share it.
func Engine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := ready()
	if err != nil {
		t.Fatal(err)
	}
	return e
}
