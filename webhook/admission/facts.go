package admission

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/policies/engine"
)

// The modes of a namespace, from its label headroom.dev/mode.
const (
	ModeOff     = "off"     // nothing is judged, nothing changed
	ModeAudit   = "audit"   // findings go to the API server's audit log
	ModeWarn    = "warn"    // findings are warnings to who typed the command
	ModeEnforce = "enforce" // findings of severity error refuse the request
)

var modes = []string{ModeOff, ModeAudit, ModeWarn, ModeEnforce}

// Facts are what the cluster says about the place of an object.
type Facts struct {
	Mode     string          // one of the modes above; another is an error
	Mutate   bool            // Pods are fixed (label headroom.dev/mutate)
	Odd      []string        // labels of the Namespace that mean nothing, in words
	Excluded bool            // kube-system, our own namespace and the like: never judged
	Around   *engine.Context // its Namespace, LimitRanges, ResourceQuotas and owners
	// Fingerprint changes whenever Around could change a verdict. It is part of the key
	// of the decision cache: what it leaves out, a cached decision does not see.
	Fingerprint string
}

// Owned is what the surroundings need to know of an object.
type Owned struct {
	Kind   string
	Owners []metav1.OwnerReference
}

// Surroundings tell the facts, from memory: they are asked for every request.
type Surroundings interface {
	Around(ctx context.Context, namespace string, object Owned) (Facts, error)
}
