package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// Evaluate judges one review.
func (e *Engine) Evaluate(ctx context.Context, r Review) (Result, error) {
	input, err := r.input()
	if err != nil {
		return Result{}, err
	}
	var answer *ast.Term
	_, err = e.result.Eval(ctx, rego.EvalParsedInput(input),
		rego.EvalGenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) {
			answer = term
			return nil, nil
		}))
	if err != nil {
		return Result{}, fmt.Errorf("evaluate policies: %w", err)
	}
	if answer == nil {
		return Result{}, errUndefined
	}
	return decode(answer)
}

// errUndefined cannot happen while main.result is total; were it to, the answer must be an
// error and never "no findings".
var errUndefined = errors.New("the policies gave no answer")

// verdict is the answer as Rego writes it: paths are arrays.
type verdict struct {
	Findings []findingAt `json:"findings"`
	Exempted []findingAt `json:"exempted"`
	Skipped  []Skip      `json:"skipped"`
	Objects  []objectAt  `json:"objects"`
}

type findingAt struct {
	Finding
	Path fieldPath `json:"path"`
}

type objectAt struct {
	Object
	Path       fieldPath `json:"path"`
	Containers []struct {
		Container
		Path fieldPath `json:"path"`
	} `json:"containers"`
}

func decode(answer *ast.Term) (Result, error) {
	plain, err := ast.JSON(answer.Value)
	if err != nil {
		return Result{}, fmt.Errorf("read the verdict: %w", err)
	}
	text, err := json.Marshal(plain)
	if err != nil {
		return Result{}, fmt.Errorf("read the verdict: %w", err)
	}
	var v verdict
	if err := json.Unmarshal(text, &v); err != nil {
		return Result{}, fmt.Errorf("read the verdict: %w", err)
	}
	result := Result{
		Findings: findings(v.Findings),
		Exempted: findings(v.Exempted),
		Skipped:  v.Skipped,
		Objects:  make([]Object, len(v.Objects)),
	}
	for i, at := range v.Objects {
		object := at.Object
		object.Path = at.Path.pointer()
		object.Containers = make([]Container, len(at.Containers))
		for j, c := range at.Containers {
			object.Containers[j] = c.Container
			object.Containers[j].Path = c.Path.pointer()
		}
		result.Objects[i] = object
	}
	return result, nil
}

func findings(at []findingAt) []Finding {
	out := make([]Finding, len(at))
	for i, f := range at {
		out[i] = f.Finding
		out[i].Path = f.Path.pointer()
	}
	sort.SliceStable(out, func(i, j int) bool { return before(&out[i], &out[j]) })
	return out
}

// before orders findings so that the same input gives the same output.
func before(a, b *Finding) bool {
	for _, pair := range [][2]string{
		{a.Resource.Namespace, b.Resource.Namespace},
		{a.Resource.Kind, b.Resource.Kind},
		{a.Resource.Name, b.Resource.Name},
		{a.Rule, b.Rule},
		{a.Container, b.Container},
		{a.Path, b.Path},
		{a.Message, b.Message},
	} {
		if c := strings.Compare(pair[0], pair[1]); c != 0 {
			return c < 0
		}
	}
	return false
}

// fieldPath is a way through an object: keys as strings, list indexes as numbers.
type fieldPath []any

// pointer writes the path as a JSON pointer (RFC 6901).
func (p fieldPath) pointer() string {
	var b strings.Builder
	for _, step := range p {
		b.WriteByte('/')
		b.WriteString(escape.Replace(fmt.Sprint(step)))
	}
	return b.String()
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")
