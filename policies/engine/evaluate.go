package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// ContainerSummary is what is known of one container, for a person.
type ContainerSummary struct {
	Name     string `json:"name"`
	Role     string `json:"role"` // app, sidecar or init
	Path     string `json:"-"`    // JSON pointer to the container
	Class    string `json:"class"`
	Evidence string `json:"evidence"` // what says so
	Runtime  string `json:"runtime"`  // jvm, go, …; empty where nothing shows it
}

// ObjectSummary is what is known of one object.
type ObjectSummary struct {
	Resource   Resource           `json:"resource"`
	Path       string             `json:"-"` // JSON pointer to the object inside its document
	Judged     bool               `json:"judged"`
	Containers []ContainerSummary `json:"containers"`
}

// Evaluate judges one document: an object, a List, or an AdmissionReview.
func (e *Engine) Evaluate(ctx context.Context, object map[string]any, around *Context) (Result, error) {
	input, err := review(object, around)
	if err != nil {
		return Result{}, err
	}
	var decided struct {
		Findings []rawFinding `json:"findings"`
		Exempted []rawFinding `json:"exempted"`
		Skipped  []Skip       `json:"skipped"`
	}
	if err := evaluate(ctx, e.result, input, &decided); err != nil {
		return Result{}, err
	}
	return Result{
		Findings: findings(decided.Findings),
		Exempted: findings(decided.Exempted),
		Skipped:  decided.Skipped,
	}, nil
}

// Describe says what each container of a document is.
func (e *Engine) Describe(ctx context.Context, object map[string]any, around *Context) ([]ObjectSummary, error) {
	input, err := review(object, around)
	if err != nil {
		return nil, err
	}
	var raw []struct {
		ObjectSummary
		Path       []any `json:"path"`
		Containers []struct {
			ContainerSummary
			Path []any `json:"path"`
		} `json:"containers"`
	}
	if err := evaluate(ctx, e.describe, input, &raw); err != nil {
		return nil, err
	}
	summaries := make([]ObjectSummary, len(raw))
	for i, r := range raw {
		summaries[i] = r.ObjectSummary
		summaries[i].Path = pointer(r.Path)
		summaries[i].Containers = make([]ContainerSummary, len(r.Containers))
		for j, c := range r.Containers {
			summaries[i].Containers[j] = c.ContainerSummary
			summaries[i].Containers[j].Path = pointer(c.Path)
		}
	}
	return summaries, nil
}

// rawFinding is a finding as Rego writes it: its path is an array.
type rawFinding struct {
	Finding
	Path []any `json:"path"`
}

func findings(raw []rawFinding) []Finding {
	out := make([]Finding, len(raw))
	for i, r := range raw {
		out[i] = r.Finding
		out[i].Path = pointer(r.Path)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if c := compareResources(a.Resource, b.Resource); c != 0 {
			return c < 0
		}
		if a.Rule != b.Rule {
			return a.Rule < b.Rule
		}
		if a.Container != b.Container {
			return a.Container < b.Container
		}
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		return a.Message < b.Message
	})
	return out
}

func compareResources(a, b Resource) int {
	for _, pair := range [][2]string{{a.Namespace, b.Namespace}, {a.Kind, b.Kind}, {a.Name, b.Name}} {
		if c := strings.Compare(pair[0], pair[1]); c != 0 {
			return c
		}
	}
	return 0
}

// pointer writes a path as a JSON pointer (RFC 6901).
func pointer(path []any) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteByte('/')
		switch s := step.(type) {
		case string:
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1"))
		case float64:
			b.WriteString(strconv.Itoa(int(s)))
		default:
			fmt.Fprint(&b, s)
		}
	}
	return b.String()
}

// errUndefined cannot happen while main.result is total; were it to, the answer must be an
// error and never "no findings".
var errUndefined = errors.New("the policies gave no answer")

func evaluate(ctx context.Context, query rego.PreparedEvalQuery, input ast.Value, into any) error {
	var value any
	_, err := query.Eval(ctx, rego.EvalParsedInput(input),
		rego.EvalGenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) {
			value = term
			return nil, nil
		}))
	if err != nil {
		return fmt.Errorf("evaluate policies: %w", err)
	}
	term, ok := value.(*ast.Term)
	if !ok {
		return errUndefined
	}
	encoded, err := ast.JSON(term.Value)
	if err != nil {
		return fmt.Errorf("read the verdict: %w", err)
	}
	text, err := json.Marshal(encoded)
	if err != nil {
		return fmt.Errorf("read the verdict: %w", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read the verdict: %w", err)
	}
	return nil
}
