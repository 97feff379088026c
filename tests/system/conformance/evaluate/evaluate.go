// Package evaluate runs the CEL policies in the API server's own evaluator, without an API
// server: to see what an expression gives, and what it costs.
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/headroom-dev/headroom/policies/export/cel"
)

// Limit is what one expression, or one variable, may cost.
const Limit = celconfig.PerCallLimit

// Verdict is what one rule said of one object.
type Verdict struct {
	Rule       string
	Containers []string // "" is the workload
	Message    string
	Err        error
}

// Evaluator holds a compiled set.
type Evaluator struct {
	set      *cel.Set
	compiler *plugincel.CompositedCompiler
	rules    plugincel.ConditionEvaluator
	texts    plugincel.ConditionEvaluator
	// Compiled is how long each variable took. Kyverno's command line compiles a policy anew
	// for each resource.
	Compiled map[string]time.Duration
	once     sync.Once
	each     plugincel.ConditionEvaluator // looks at one variable after the other
}

var options = plugincel.OptionalVariableDeclarations{}

// New compiles a set.
func New(set *cel.Set) (*Evaluator, error) {
	compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return nil, fmt.Errorf("make a CEL compiler: %w", err)
	}
	e := &Evaluator{set: set, compiler: compiler, Compiled: map[string]time.Duration{}}
	if err := e.declare(needed(set)...); err != nil {
		return nil, err
	}
	var conditions, texts []plugincel.ExpressionAccessor
	for _, rule := range set.Rules {
		v := rule.Variable()
		if err := e.declare(v); err != nil {
			return nil, err
		}
		conditions = append(conditions, &validating.ValidationCondition{Expression: "variables." + v.Name + ".size() == 0"})
		texts = append(texts, &text{rule.Message()})
	}
	e.rules = compiler.CompileCondition(conditions, options, environment.StoredExpressions)
	e.texts = compiler.CompileCondition(texts, options, environment.StoredExpressions)
	return e, errors.Join(errorsOf(e.rules.CompilationErrors()), errorsOf(e.texts.CompilationErrors()))
}

func errorsOf(list []error) error { return errors.Join(list...) }

func (e *Evaluator) declare(variables ...cel.Variable) error {
	for _, v := range variables {
		started := time.Now()
		result := e.compiler.CompileAndStoreVariable(&validating.Variable{Name: v.Name, Expression: v.Expression}, options,
			environment.StoredExpressions)
		if result.Error != nil {
			return fmt.Errorf("variables.%s: %w", v.Name, result.Error)
		}
		e.Compiled[v.Name] = time.Since(started)
	}
	return nil
}

// Judge gives the verdict of every rule that found something or failed.
func (e *Evaluator) Judge(ctx context.Context, object, namespace map[string]any) ([]Verdict, error) {
	found, err := e.run(ctx, e.rules, object, namespace)
	if err != nil {
		return nil, err
	}
	var texts []plugincel.EvaluationResult
	var verdicts []Verdict
	for i, result := range found {
		v := Verdict{Rule: e.set.Rules[i].ID, Err: result.Error}
		if result.Error == nil {
			if result.EvalResult.Value() == true {
				continue
			}
			if texts == nil {
				if texts, err = e.run(ctx, e.texts, object, namespace); err != nil {
					return nil, err
				}
			}
			if v.Err = texts[i].Error; v.Err == nil {
				v.Message, _ = texts[i].EvalResult.Value().(string)
				v.Containers = Containers(v.Message)
			}
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

// Cost is what each variable, rules' included, costs for an object when those before it are known.
func (e *Evaluator) Cost(ctx context.Context, object, namespace map[string]any) (map[string]int64, error) {
	variables := append(needed(e.set), ruleVariables(e.set)...)
	e.once.Do(func() {
		var expressions []plugincel.ExpressionAccessor
		for _, v := range variables {
			expressions = append(expressions, &validating.ValidationCondition{Expression: "dyn(variables." + v.Name + ") == dyn(null)"})
		}
		e.each = e.compiler.ConditionCompiler.CompileCondition(expressions, options, environment.StoredExpressions)
	})
	recorded := &recorder{CompositionContext: e.compiler.CreateContext(ctx)}
	if _, err := e.run(recorded, e.each, object, namespace); err != nil {
		return nil, err
	}
	if len(recorded.costs) != len(variables) {
		return nil, fmt.Errorf("%d costs of %d variables", len(recorded.costs), len(variables))
	}
	costs := map[string]int64{}
	for i, v := range variables {
		costs[v.Name] = recorded.costs[i]
	}
	return costs, nil
}

// recorder keeps what the variables cost that each expression was the first to use.
type recorder struct {
	plugincel.CompositionContext
	costs []int64
}

func (r *recorder) GetAndResetCost() int64 {
	cost := r.CompositionContext.GetAndResetCost()
	r.costs = append(r.costs, cost)
	return cost
}

// needed are the variables that the rules use; others are of no concern.
func needed(set *cel.Set) []cel.Variable {
	var expressions []string
	for _, rule := range set.Rules {
		expressions = append(expressions, rule.Findings)
	}
	return cel.Needs(set.Model, expressions...)
}

func ruleVariables(set *cel.Set) []cel.Variable {
	list := make([]cel.Variable, 0, len(set.Rules))
	for _, rule := range set.Rules {
		list = append(list, rule.Variable())
	}
	return list
}

// budget is far more than a policy gets, so that the cost of what is too dear is seen too.
const budget = int64(1) << 40

func (e *Evaluator) run(ctx context.Context, evaluator plugincel.ConditionEvaluator, object, namespace map[string]any) ([]plugincel.EvaluationResult, error) {
	u := &unstructured.Unstructured{Object: object}
	gvk := u.GroupVersionKind()
	resource := schema.GroupVersionResource{Group: gvk.Group, Version: gvk.Version, Resource: strings.ToLower(gvk.Kind) + "s"}
	attributes := admission.NewAttributesRecord(u, nil, gvk, u.GetNamespace(), u.GetName(), resource, "", admission.Create, nil, false, nil)
	versioned := &admission.VersionedAttributes{Attributes: attributes, VersionedObject: admission.NewLazyObject(u), VersionedKind: gvk}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: u.GetNamespace()}}
	if namespace != nil {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(namespace, ns); err != nil {
			return nil, fmt.Errorf("read the Namespace: %w", err)
		}
	}
	request := plugincel.CreateAdmissionRequest(attributes, metav1.GroupVersionResource{}, metav1.GroupVersionKind{})
	results, _, err := evaluator.ForInput(ctx, versioned, request, plugincel.OptionalVariableBindings{}, ns, budget)
	if err != nil {
		return nil, fmt.Errorf("evaluate: %w", err)
	}
	return results, nil
}

var whose = regexp.MustCompile(`(?:: | \| )(?:container ([^\s:]*)|(the workload)): `)

// Containers are those that a message speaks of, "" for the workload.
func Containers(message string) []string {
	var names []string
	for _, m := range whose.FindAllStringSubmatch(message, -1) {
		names = append(names, m[1])
	}
	return names
}

// text is an expression that gives a message.
type text struct{ expression string }

func (t *text) GetExpression() string { return t.expression }

func (t *text) ReturnTypes() []*celType { return stringType }
