package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/webhook/admission"
)

// Labels of a Namespace.
const (
	labelMode   = domain + "/mode"
	labelMutate = domain + "/mutate"
)

// maxChains bounds the owners that are remembered per Namespace. Above it they are worked
// out anew, which costs some microseconds.
const maxChains = 128

// maxChain bounds one of them, in bytes: the kind of an owner that is not there is whatever
// a tenant has written, as long as an object may be.
const maxChain = 4 << 10

// surroundings are what holds in one Namespace until something in it changes.
//
// Of a ResourceQuota only the spec is in them. How much of it is used changes with every Pod.
// Replicas of one template would each be a new question, and the answer would be about a moment
// that has passed. The quota itself is enforced by the API server, after the webhooks, on the Pod
// as it is then.
type surroundings struct {
	mode   string
	mutate bool
	odd    []string // labels that mean nothing
	name   string
	lists  map[string][]map[string]any
	about  []byte // the lists, encoded

	mu     sync.RWMutex
	chains map[string]chain
}

// chain is the context with one chain of owners.
type chain struct {
	around      *engine.Context
	fingerprint string
}

// survey gathers what holds in a Namespace.
func (c *Cluster) survey(ctx context.Context, namespace *metav1.PartialObjectMetadata) (*surroundings, error) {
	ranges, err := c.list(ctx, kindLimitRange, namespace.Name)
	if err != nil {
		return nil, fmt.Errorf("list LimitRanges of namespace %s: %w", namespace.Name, err)
	}
	quotas, err := c.list(ctx, kindResourceQuota, namespace.Name)
	if err != nil {
		return nil, fmt.Errorf("list ResourceQuotas of namespace %s: %w", namespace.Name, err)
	}
	metadata := map[string]any{"name": namespace.Name, "annotations": namespace.Annotations}
	s := &surroundings{
		mode:   c.mode(namespace),
		mutate: c.mutate(namespace),
		name:   namespace.Name,
		lists: map[string][]map[string]any{
			"namespaces":      {{"metadata": metadata}},
			"limit_ranges":    ranges,
			"resource_quotas": quotas,
		},
		chains: map[string]chain{},
	}
	s.odd = s.oddLabels(namespace.Labels)
	if s.about, err = json.Marshal(s.lists); err != nil {
		return nil, fmt.Errorf("encode what is in namespace %s: %w", namespace.Name, err)
	}
	return s, nil
}

// facts puts the owners of an object into the context.
func (s *surroundings) facts(owners []owner) (admission.Facts, error) {
	key, err := json.Marshal(owners)
	if err != nil {
		return admission.Facts{}, fmt.Errorf("encode owners: %w", err)
	}
	s.mu.RLock()
	known, ok := s.chains[string(key)]
	s.mu.RUnlock()
	if !ok {
		if known, err = s.with(owners, key); err != nil {
			return admission.Facts{}, err
		}
	}
	return admission.Facts{Mode: s.mode, Mutate: s.mutate, Odd: s.odd, Around: known.around, Fingerprint: known.fingerprint}, nil
}

func (s *surroundings) with(owners []owner, key []byte) (chain, error) {
	lists := map[string][]map[string]any{"owners": {}}
	for name, list := range s.lists {
		lists[name] = list
	}
	for _, o := range owners {
		lists["owners"] = append(lists["owners"], map[string]any{"kind": o.Kind, "annotations": o.Annotations})
	}
	around, err := engine.NewContext(s.name, lists)
	if err != nil {
		return chain{}, err
	}
	// The encoded lists end where the owners begin: JSON says so itself.
	sum := sha256.Sum256(append(append([]byte{}, s.about...), key...))
	c := chain{around: around, fingerprint: hex.EncodeToString(sum[:])}
	if len(key) > maxChain {
		return c, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.chains) >= maxChains {
		clear(s.chains)
	}
	s.chains[string(key)] = c
	return c, nil
}

// oddLabels say which labels mean nothing, and what holds in their place.
func (s *surroundings) oddLabels(labels map[string]string) []string {
	var odd []string
	if value := labels[labelMode]; value != "" && value != s.mode {
		odd = append(odd, fmt.Sprintf("the label %s=%s of namespace %s means nothing: it is off, audit, warn or enforce; %s holds",
			labelMode, value, s.name, s.mode))
	}
	if value := labels[labelMutate]; value != "" && value != "enabled" && value != "disabled" {
		holds := map[bool]string{true: "enabled", false: "disabled"}[s.mutate]
		odd = append(odd, fmt.Sprintf("the label %s=%s of namespace %s means nothing: it is enabled or disabled; %s holds",
			labelMutate, value, s.name, holds))
	}
	return odd
}

// mode is what the label says, the default where it is missing or means nothing.
func (c *Cluster) mode(namespace *metav1.PartialObjectMetadata) string {
	switch value := namespace.Labels[labelMode]; value {
	case admission.ModeOff, admission.ModeAudit, admission.ModeWarn, admission.ModeEnforce:
		return value
	case "":
	default:
		c.meansNothing(namespace.Name, labelMode, value, c.options.DefaultMode)
	}
	return c.options.DefaultMode
}

func (c *Cluster) mutate(namespace *metav1.PartialObjectMetadata) bool {
	switch value := namespace.Labels[labelMutate]; value {
	case "enabled":
		return true
	case "disabled":
		return false
	case "":
	default:
		c.meansNothing(namespace.Name, labelMutate, value, c.options.DefaultMutate)
	}
	return c.options.DefaultMutate
}

// meansNothing logs a label that says nothing known, when its value changes.
func (c *Cluster) meansNothing(namespace, label, value string, instead any) {
	if last, _ := c.unknown.Swap([2]string{namespace, label}, value); last != value {
		c.options.Log.Info("label has no known value, the default holds",
			"namespace", namespace, "label", label, "value", value, "default", instead)
	}
}
