// Package admission answers the API server: it takes AdmissionReviews apart, asks for a
// decision, and says it in the way that the mode of the namespace wants.
package admission

import (
	"net/http"

	"github.com/go-logr/logr"

	"github.com/headroom-dev/headroom/webhook/decision"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

// Handlers are the webhook's three paths. Mutate changes Pods; Validate judges; and
// ValidateEnforce, for namespaces in enforce mode, also refuses what it could not judge.
type Handlers struct {
	Mutate          http.Handler
	Validate        http.Handler
	ValidateEnforce http.Handler
}

// New makes the handlers.
func New(decider *decision.Decider, around Surroundings, m *metrics.Metrics, log logr.Logger) *Handlers {
	_, _, _, _ = decider, around, m, log
	return &Handlers{}
}
