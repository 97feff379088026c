// Package admission answers the API server: it takes AdmissionReviews apart, asks for a
// decision, and says it in the way that the mode of the namespace wants.
package admission

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/go-logr/logr"
	controlleradmission "sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// Handlers are the webhook's three paths. Mutate changes Pods; Validate judges; and
// ValidateEnforce, for namespaces in enforce mode, also refuses what it could not judge.
type Handlers struct {
	Mutate          Handler
	Validate        Handler
	ValidateEnforce Handler
}

// Handler answers reviews: over HTTP with the decoder of this package, and as controller-runtime's handler with another.
type Handler interface {
	http.Handler
	controlleradmission.Handler
}

// New makes the handlers.
func New(decider *decision.Decider, around Surroundings, m *metrics.Metrics, log logr.Logger) *Handlers {
	return newHandlers(decider, around, m, log)
}

// decider is the part of a decision.Decider that the handlers use.
type decider interface {
	Validate(context.Context, decision.Request) (decision.Verdict, error)
	Mutate(context.Context, decision.Request) (decision.Mutation, error)
}

func newHandlers(decide decider, around Surroundings, m *metrics.Metrics, log logr.Logger) *Handlers {
	if m == nil {
		m = metrics.New(nil)
	}
	shared := &parts{decide: decide, around: around, metrics: m, log: log}
	return &Handlers{
		Mutate:          &handler{parts: shared, operation: metrics.Mutate},
		Validate:        &handler{parts: shared, operation: metrics.Validate},
		ValidateEnforce: &handler{parts: shared, operation: metrics.Validate, closed: true},
	}
}

// parts are what the three paths have in common.
type parts struct {
	decide  decider
	around  Surroundings
	metrics *metrics.Metrics
	log     logr.Logger
	held    atomic.Int64 // bytes of bodies in memory
}

// handler is one path.
type handler struct {
	*parts
	operation string
	closed    bool // what could not be judged is refused
}
