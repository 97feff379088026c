package decision

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/headroom-dev/headroom/internal/cputime"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Request is an object, with what its place in the cluster is.
type Request struct {
	Object    string          // JSON, as the API server sent it
	Before    string          // of a Pod that is being resized: it as it was, in JSON; "" for others
	Checked   bool            // they are part of a text that Valid has accepted
	Name      string          // what findings call the object
	Namespace string          // the request's
	Around    *engine.Context // what stands beside the object
	// Fingerprint changes whenever Around could change a verdict.
	Fingerprint string
}

// Verdict is what an object was judged to be.
type Verdict struct {
	Findings []engine.Finding
	// Exempted are what an exemption covers: the rule, the container and the reason.
	Exempted []engine.Finding
	Skipped  []engine.Skip
	// Failed are rules of which nothing is known: the findings are those of the others.
	Failed []engine.Failure
	Cached bool
}

// Mutation is how a Pod is fixed.
type Mutation struct {
	Patch   []byte // JSON patch (RFC 6902); nil where there is nothing to change
	Applied []engine.Applied
	// Before are the findings that asked for it.
	Before  []engine.Finding
	Skipped []engine.Skip
	Failed  []engine.Failure // as in a Verdict
	Cached  bool
}

// Why there is no decision.
var (
	ErrBusy     = errors.New("too many objects wait to be judged")
	ErrDeadline = errors.New("judging the object took too long")
	ErrPanic    = errors.New("judging the object panicked")
	ErrPolicies = errors.New("the policies failed")
)

// errStarved is the ErrDeadline of an evaluation that got too little of a processor.
var errStarved = fmt.Errorf("%w: the processor was busy", ErrDeadline)

// Validate judges an object.
func (d *Decider) Validate(ctx context.Context, r Request) (Verdict, error) {
	o, cached, err := d.decide(ctx, false, r)
	if err != nil {
		return Verdict{}, err
	}
	return Verdict{Findings: o.named(r.Name), Exempted: o.exempted, Skipped: o.skipped, Failed: o.failed, Cached: cached}, nil
}

// Mutate judges a Pod and finds its fixes.
func (d *Decider) Mutate(ctx context.Context, r Request) (Mutation, error) {
	o, cached, err := d.decide(ctx, true, r)
	if err != nil {
		return Mutation{}, err
	}
	return Mutation{
		Patch: o.patch, Applied: o.applied, Before: o.named(r.Name), Skipped: o.skipped, Failed: o.failed,
		Cached: cached,
	}, nil
}

// outcome is a decision as the cache holds it. It is shared and never changed.
type outcome struct {
	findings []engine.Finding
	exempted []engine.Finding
	skipped  []engine.Skip
	failed   []engine.Failure
	// patched is true once the patch was asked for; before that there is only a verdict.
	patched bool
	applied []engine.Applied
	patch   []byte
}

// answers says whether the outcome is enough for the request. A Pod without a finding that can be
// fixed has no patch, and what mutation has judged need not be judged again.
func (o *outcome) answers(patched bool) bool {
	return o != nil && (!patched || o.patched || !slices.ContainsFunc(o.findings, func(f engine.Finding) bool {
		return f.Fixable
	}))
}

// named are the findings under the name of this request's object: the decision may have
// been made for another object of the same template.
func (o *outcome) named(name string) []engine.Finding {
	findings := slices.Clone(o.findings)
	for i := range findings {
		findings[i].Resource.Name = name
	}
	return findings
}

// decide takes a decision from the cache, waits for the one that another request is making,
// or makes it.
func (d *Decider) decide(ctx context.Context, patched bool, r Request) (*outcome, bool, error) {
	book := d.current.Load()
	text, bytes, key, err := d.key(book, r)
	if err != nil {
		return nil, false, err
	}
	if o := d.cache.get(key); o.answers(patched) {
		d.metrics.Cached(true)
		return o, true, nil
	}
	d.metrics.Cached(false)
	if d.late.has(key, patched, d.now()) {
		return nil, false, ErrDeadline
	}
	if bytes >= largeBytes {
		text = nil // while it waits; it is made again
	}
	// If the first request is cancelled, those that wait for its decision must not fail.
	ctx = context.WithoutCancel(ctx)
	made, err, _ := d.flights.Do(fmt.Sprintf("%s %t", key, patched), func() (any, error) {
		if o := d.cache.get(key); o.answers(patched) {
			return o, nil // made since we looked
		}
		o, err := d.make(ctx, book, patched, r, reduced{text, bytes})
		switch {
		case err == nil:
			d.cache.add(key, o)
		case errors.Is(err, ErrDeadline) && !errors.Is(err, errStarved): // which says nothing of the object
			d.late.add(key, patched, d.now())
		}
		return o, err
	})
	if err != nil {
		return nil, false, err
	}
	return made.(*outcome), false, nil
}

// make decides. It holds a place at the gate: more evaluations than processors only make
// each of them later (W16). The deadline begins behind the gate: it is the evaluation's own,
// and counts what it takes of a processor. Others may have most of the processor.
func (d *Decider) make(ctx context.Context, book *rulebook, patched bool, r Request, text reduced) (
	o *outcome, err error,
) {
	leave, err := d.gate.enter(r.Namespace, text.bytes)
	if err != nil {
		return nil, err
	}
	defer leave()
	meter := cputime.Start()
	defer meter.Stop()
	defer func() {
		if recovered := recover(); recovered != nil {
			// The value may quote the object; the stack names only our code.
			o, err = nil, Panic{Stack: debug.Stack()}
			d.metrics.Panicked()
		}
	}()
	manifest, err := text.manifest(book.reductions, r)
	if err != nil {
		return nil, err
	}
	review := engine.Review{Manifest: manifest, Around: r.Around}
	if review.Around == nil {
		review.Around = &engine.Context{Namespace: r.Namespace}
	}
	if r.Before != "" {
		if review.Around, err = resized(book.reductions, review.Around, r); err != nil {
			return nil, err
		}
	}
	ctx, end := meter.Within(engine.GivingWay(ctx), d.deadline, max(longest, 2*d.deadline))
	defer end()
	if !patched {
		result, err := book.judge.Evaluate(ctx, review)
		if err != nil {
			return nil, failure(ctx, err)
		}
		return &outcome{
			findings: lean(result.Findings, manifest), exempted: excused(result.Exempted), skipped: result.Skipped,
			failed: nameless(result.Failed),
		}, nil
	}
	fixed, err := book.judge.Fix(ctx, review)
	if err != nil {
		return nil, failure(ctx, err)
	}
	patch, err := patchOf(fixed, manifest)
	if err != nil {
		return nil, err
	}
	return &outcome{
		findings: lean(fixed.Before.Findings, manifest), exempted: excused(fixed.Before.Exempted), skipped: fixed.Before.Skipped,
		failed:  nameless(fixed.Before.Failed),
		patched: true, applied: fixed.Applied, patch: patch,
	}, nil
}

// Panic is a bug of ours that stopped one decision.
type Panic struct{ Stack []byte }

func (Panic) Error() string { return ErrPanic.Error() }

// Is makes a Panic an ErrPanic.
func (Panic) Is(target error) bool { return target == ErrPanic }

// failure tells why the policies gave no answer. What a built-in complains of may quote
// the object, and so only its kind and the place in the policies are kept.
func failure(ctx context.Context, err error) error {
	if errors.Is(err, engine.ErrLongText) {
		return ErrLongText
	}
	if topdown.IsCancel(err) || ctx.Err() != nil {
		if errors.Is(context.Cause(ctx), cputime.ErrStarved) {
			return errStarved
		}
		return ErrDeadline
	}
	var failed *topdown.Error
	if errors.As(err, &failed) {
		return fmt.Errorf("%w: %s at %v", ErrPolicies, failed.Code, failed.Location)
	}
	return ErrPolicies
}

// nameless are failures without what a built-in complains of, which may quote the object.
func nameless(failures []engine.Failure) []engine.Failure {
	var list []engine.Failure
	for _, f := range failures {
		var failed *topdown.Error
		if errors.As(f.Err, &failed) {
			f.Err = &topdown.Error{Code: failed.Code, Location: failed.Location}
		}
		list = append(list, f)
	}
	return list
}

func patchOf(fixed engine.Fixed, manifest map[string]any) ([]byte, error) {
	operations, err := fixed.Recorded(manifest)
	if err != nil || len(operations) == 0 {
		return nil, err
	}
	patch, err := json.Marshal(operations)
	if err != nil {
		return nil, fmt.Errorf("write the patch: %w", err)
	}
	return patch, nil
}

// lean drops what no answer tells, as there may be thousands of verdicts in the cache. What
// is left as fixable is what the webhook itself fixes: the spec of Pods.
func lean(findings []engine.Finding, manifest map[string]any) []engine.Finding {
	engine.FixableInPods(findings, manifest)
	for i := range findings {
		f := &findings[i]
		f.Figures, f.Changes = nil, nil
	}
	return findings
}

// excused is what answers tell of exemptions.
func excused(exempted []engine.Finding) []engine.Finding {
	var list []engine.Finding
	for _, f := range exempted {
		list = append(list, engine.Finding{Rule: f.Rule, Severity: f.Severity, Container: f.Container, Suppressed: f.Suppressed})
	}
	return slices.Clip(list)
}

// reduced is what is judged of an object. The text of a large one is made when its turn comes.
type reduced struct {
	text  []byte
	bytes int
}

func (o reduced) manifest(c reductions, r Request) (map[string]any, error) {
	if o.text != nil {
		return decoded(o.text)
	}
	text, err := c.reduced(make([]byte, 0, o.bytes), r)
	if err != nil {
		return nil, err
	}
	return decoded(text)
}

// was is the request of a Pod as it was before its resize.
func (r Request) was() Request {
	r.Object, r.Before = r.Before, ""
	return r
}

// resized adds to what stands around a Pod that is being resized what it was. Like the Pod, it is read when its turn
// comes: it may be as large.
func resized(c reductions, around *engine.Context, r Request) (*engine.Context, error) {
	text, err := c.reduced(nil, r.was())
	if err != nil {
		return nil, err
	}
	before, err := decoded(text)
	if err != nil {
		return nil, err
	}
	return around.Resized(before)
}

// decoded reads what is judged. Numbers stay text: no quantity is worked with before the
// policies' guard has seen it (W45).
func decoded(text []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var manifest map[string]any
	if err := decoder.Decode(&manifest); err != nil {
		return nil, ErrMalformed
	}
	return manifest, nil
}
