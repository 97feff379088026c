//go:build integration

// Package mutate_test holds the mutations in CEL to the fixes of the Rego. Run by the API server's own
// patcher, in process, they make of a Pod what the engine makes of it, or leave more alone.
package mutate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/headroom-dev/headroom/policies/export/cel"
)

// mutator is one policy, compiled as the API server compiles it.
type mutator struct {
	name    string
	patcher patch.Patcher
	cost    *metered
	context func(context.Context) context.Context
}

var declared = plugincel.OptionalVariableDeclarations{HasPatchTypes: true}

// metered notes what an evaluation cost.
type metered struct {
	plugincel.MutatingEvaluator

	most int64
}

// ForInput evaluates.
func (m *metered) ForInput(ctx context.Context, a *admission.VersionedAttributes, r *request, o plugincel.OptionalVariableBindings, ns *corev1.Namespace, budget int64) (plugincel.EvaluationResult, int64, error) {
	result, left, err := m.MutatingEvaluator.ForInput(ctx, a, r, o, ns, budget)
	m.most = max(m.most, budget-left)
	return result, left, err
}

func compiled(set *cel.Set) ([]mutator, error) {
	var list []mutator
	for _, m := range set.Mutations {
		compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
		if err != nil {
			return nil, fmt.Errorf("make a CEL compiler: %w", err)
		}
		for _, v := range cel.Needs(set.Model, m.Expression) {
			result := compiler.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression},
				plugincel.OptionalVariableDeclarations{}, environment.StoredExpressions)
			if result.Error != nil {
				return nil, fmt.Errorf("%s: variables.%s: %w", m.Name, v.Name, result.Error)
			}
		}
		evaluator := compiler.CompileMutatingEvaluator(&patch.JSONPatchCondition{Expression: m.Expression}, declared, environment.StoredExpressions)
		if err := errors.Join(evaluator.CompilationErrors()...); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		cost := &metered{MutatingEvaluator: evaluator}
		list = append(list, mutator{m.Name, patch.NewJSONPatcher(cost), cost, func(ctx context.Context) context.Context { return compiler.CreateContext(ctx) }})
	}
	return list, nil
}

var interfaces = admission.NewObjectInterfacesFromScheme(newScheme())

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := corev1.AddToScheme(s); err != nil {
		panic(err) // its types are its own
	}
	return s
}

var podKind = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// run gives the Pod after one policy.
func (m mutator) run(ctx context.Context, pod, namespace map[string]any) (map[string]any, error) {
	u := &unstructured.Unstructured{Object: pod}
	out, err := m.runOn(ctx, u, namespace)
	if err != nil {
		return nil, err
	}
	after, ok := out.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("%s made a %T", m.name, out)
	}
	return after.Object, nil
}

func (m mutator) runOn(ctx context.Context, object runtime.Object, namespace map[string]any) (runtime.Object, error) {
	resource := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	attributes := admission.NewAttributesRecord(object, nil, podKind, "shop", "a", resource, "", admission.Create, nil, false, nil)
	versioned := &admission.VersionedAttributes{Attributes: attributes, VersionedObject: admission.NewLazyObject(object), VersionedKind: podKind}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
	if namespace != nil {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(namespace, ns); err != nil {
			return nil, fmt.Errorf("read the Namespace: %w", err)
		}
	}
	out, err := m.patcher.Patch(m.context(ctx), patch.Request{
		MatchedResource: resource, VersionedAttributes: versioned, ObjectInterfaces: interfaces, Namespace: ns,
	}, celconfig.RuntimeCELCostBudget)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.name, err)
	}
	return out, nil
}

const appliedKey = "headroom.dev/applied"

// split takes the record of what was done away from a Pod: the Pod without it, and its entries.
func split(pod map[string]any) (bare map[string]any, entries map[string]bool, err error) {
	text, err := json.Marshal(pod)
	if err != nil {
		return nil, nil, fmt.Errorf("write a Pod: %w", err)
	}
	if err := json.Unmarshal(text, &bare); err != nil {
		return nil, nil, fmt.Errorf("read a Pod: %w", err)
	}
	entries = map[string]bool{}
	metadata, _ := bare["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	record, ok := annotations[appliedKey].(string)
	if !ok {
		return bare, entries, nil
	}
	delete(annotations, appliedKey)
	if len(annotations) == 0 {
		delete(metadata, "annotations")
	}
	var list []json.RawMessage
	if !json.Valid([]byte(record)) {
		return bare, entries, nil // not ours
	}
	if err := json.Unmarshal([]byte(record), &list); err != nil {
		return nil, nil, fmt.Errorf("the record %q: %w", record, err)
	}
	for _, entry := range list {
		entries[string(entry)] = true
	}
	return bare, entries, nil
}

func sorted(set map[string]bool) string {
	var list []string
	for entry := range maps.Keys(set) {
		list = append(list, entry)
	}
	return strings.Join(list, "\n")
}
