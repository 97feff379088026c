package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/policies/plan"
)

// Sizing is the whole `resources` block of each container of a workload, from its measured use, class and runtime.
type Sizing struct {
	Containers  []ContainerSize  `rego:"containers"`
	Autoscalers []AutoscalerSize `rego:"autoscalers"`
	// Patch gives the workload these values, nil if it has them already. Object is the workload with the patch.
	Patch  []Operation
	Object map[string]any
	// Remains are the findings on CPU and memory that the workload then still has.
	Remains []Finding
	// Failed are the rules of which nothing is known here.
	Failed []Failure
}

// ContainerSize is what one container gets.
type ContainerSize struct {
	Container  string       `rego:"container"`
	Class      string       `rego:"class"`
	Runtime    string       `rego:"runtime"`
	Confidence Confidence   `rego:"confidence"`
	Values     []SizedValue `rego:"values"`
	// Unsized says for each missing value why it is missing and what would make it known. Notes are on the others.
	Unsized []string `rego:"unsized"`
	Notes   []string `rego:"notes"`
	// Before and After are the requests: what is reserved on a node.
	Before Reserved `rego:"before"`
	After  Reserved `rego:"after"`
	// Changes give the container these values.
	Changes []Change `rego:"changes"`
}

// Confidence is how well the use is known.
type Confidence struct {
	Known   bool    `rego:"known"`
	Days    float64 `rego:"days"`     // of samples; -1 if not counted
	Samples int64   `rego:"samples"`  // -1 likewise
	LeftOut string  `rego:"left_out"` // the samples that no value rests on, in words: "none"
	Text    string  `rego:"text"`
}

// SizedValue is a value of a container, "" for none, and the arithmetic of the wanted one.
type SizedValue struct {
	Name   string `rego:"name"`
	Now    string `rego:"now"`
	Wanted string `rego:"wanted"`
	Why    string `rego:"why"`
}

// Changed says whether the wanted value is another than there is.
func (v SizedValue) Changed() bool { return v.Now != v.Wanted }

// Reserved are requests in millicores and bytes.
type Reserved struct {
	CPU    int64 `rego:"cpu"`
	Memory int64 `rego:"memory"`
}

// AutoscalerSize is the target of a HorizontalPodAutoscaler that counts in shares of a request.
type AutoscalerSize struct {
	Name      string `rego:"name" json:"name"`
	Metric    int64  `rego:"metric" json:"-"`                      // its place among the metrics
	Resource  string `rego:"resource" json:"resource"`             // cpu or memory
	Container string `rego:"container" json:"container,omitempty"` // "" for all of them
	// Now and Wanted are percentages. Same is that at which a Pod uses as much as now when another is added.
	Now    int64  `rego:"now" json:"averageUtilizationNow"`
	Same   int64  `rego:"same" json:"averageUtilizationSame"`
	Wanted int64  `rego:"wanted" json:"averageUtilizationWanted"`
	Why    string `rego:"why" json:"why"`
}

// Size sizes the containers of one object. Nothing is changed but in the copy that it gives.
func (e *Engine) Size(ctx context.Context, r Review) (Sizing, error) {
	if r.Around == nil {
		r.Around = &Context{} // as one object: the paths of changes lead from there
	}
	original := r.Manifest
	size, changes, err := e.sizeOnce(ctx, r)
	if err != nil {
		return Sizing{}, err
	}
	object, _ := DeepCopy(original).(map[string]any)
	// One change can make room for another, as a fix can.
	for range passes {
		changed := false
		for _, c := range changes {
			_, ok := apply(object, c)
			changed = changed || ok
		}
		if !changed {
			break
		}
		r.Manifest = object
		var next Sizing
		if next, changes, err = e.sizeOnce(ctx, r); err != nil {
			return Sizing{}, err
		}
		size.follow(next)
	}
	if size.Patch = patchOf(original, object); size.Patch != nil {
		size.Object = object
	}
	r.Manifest = object
	after, err := e.Evaluate(ctx, r)
	if err != nil {
		return Sizing{}, fmt.Errorf("judge what was sized: %w", err)
	}
	size.Failed = after.Failed
	for _, f := range after.Findings {
		if sized().MatchString(f.Rule) && f.Severity != SeverityInfo {
			size.Remains = append(size.Remains, f)
		}
	}
	return size, nil
}

// sized are the rules of what is sized: CPU, memory, and a JVM's processors.
var sized = pattern.Lazy(`^HR(?:[23][0-9]{2}|402)$`)

// sizeOnce asks the policies, and gives what they would change.
func (e *Engine) sizeOnce(ctx context.Context, r Review) (Sizing, []Change, error) {
	answer, err := asking(ctx, e, r, func(ctx context.Context, input plan.Value) (plan.Value, error) {
		answer, _, err := e.eval(ctx, "data.headroom.size.result", input)
		return answer, err
	})
	size, err := answered[Sizing](ctx, "the size", answer, err)
	if err != nil {
		return Sizing{}, nil, err
	}
	var changes []Change
	for i := range size.Containers {
		changes = append(changes, size.Containers[i].Changes...)
	}
	return size, changes, nil
}

// follow takes over what the policies say of the object with the changes: its values stand beside those that were there.
func (s *Sizing) follow(next Sizing) {
	for i := range min(len(s.Containers), len(next.Containers)) {
		c, n := &s.Containers[i], &next.Containers[i]
		for _, v := range n.Values {
			at := slices.IndexFunc(c.Values, func(was SizedValue) bool { return was.Name == v.Name })
			switch {
			case at < 0:
				c.Values = append(c.Values, v)
			case v.Changed():
				c.Values[at].Wanted, c.Values[at].Why = v.Wanted, v.Why
			}
		}
		c.Unsized, c.After = n.Unsized, n.After
	}
	for i := range min(len(s.Autoscalers), len(next.Autoscalers)) {
		a, n := &s.Autoscalers[i], next.Autoscalers[i]
		if n.Now > 0 && n.Same != n.Now && a.Same == a.Wanted {
			a.Same = (a.Same*n.Same + n.Now/2) / n.Now
			a.Wanted = a.Same
		}
	}
}
