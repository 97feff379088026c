package watch

import (
	"sync/atomic"

	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/internal/serve"
	"github.com/headroom-dev/headroom/policies/engine"
)

// rulebook is what is judged with: it is swapped whole.
type rulebook struct {
	engine *engine.Engine
	// generation grows with every config that is put in force.
	generation uint64
	// dated says that the config holds exemptions that end.
	dated bool
}

// rules keep the rulebook in force.
type rules struct {
	serve.Rules
	current atomic.Pointer[rulebook]
	changed atomic.Pointer[func()] // told of a new rulebook
}

// newRules follow the files of the options; without a config that of the command is in force.
func newRules(o *Options, m *metrics.Metrics) *rules {
	r := &rules{Rules: serve.Rules{
		ConfigFile: o.ConfigFile, LockFile: o.ImageLockFile, Options: o.Engine, Metrics: m.Metrics,
	}}
	r.InForce = func(e *engine.Engine, config map[string]any) {
		next := &rulebook{engine: e, dated: serve.Exempts(config, "until")}
		if before := r.current.Load(); before != nil {
			next.generation = before.generation + 1
		}
		r.current.Store(next)
		if tell := r.changed.Load(); tell != nil {
			(*tell)()
		}
	}
	return r
}
