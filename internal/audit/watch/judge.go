package watch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/reports"
	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/internal/audit/watch/pack"
	"github.com/headroom-dev/headroom/policies/engine"
)

// judgeTimeout is a thousand times what an evaluation takes.
const judgeTimeout = 5 * time.Second

// judge brings the verdict on one subject up to date, unless it is.
func (t *term) judge(ctx context.Context, key cluster.Key) error {
	members, err := t.members(key)
	if err != nil {
		return err
	}
	namespace := key.Namespace
	if key.Kind == cluster.Namespaces.Kind {
		namespace = key.Name // it stands around itself
	}
	around, err := t.around.inNamespace(namespace)
	if err != nil {
		return err
	}
	book := t.rules.current.Load()
	b := basis{around: around.digest, config: book.generation}
	// A member that runs nowhere stands for its subject only if no member runs.
	for _, zero := range []bool{false, true} {
		for _, m := range members {
			if ended, still := t.idles(m); ended || still && !zero {
				continue
			}
			done, err := t.stands(ctx, key, m, b, book, around, zero)
			if done || err != nil {
				return err
			}
		}
	}
	return t.settle(key, nil, nil)
}

// stands judges a subject by one of its members, unless there is nothing to judge or it runs
// nowhere and another may do better.
func (t *term) stands(
	ctx context.Context, key cluster.Key, m member, b basis, book *rulebook, around around, zero bool,
) (done bool, err error) {
	measured, version := t.measured.valuesOf(m.measuredAs())
	b.measured = version
	if m.dated || book.dated {
		b.day = time.Now().UTC().Format(time.DateOnly)
	}
	scalers, digest, err := t.scalersOf(m)
	if err != nil {
		return false, err
	}
	b.scalers = digest
	if m.packed != nil {
		b.object = m.digest
		if t.verdicts.holds(key, b) {
			return true, nil
		}
	} else if t.verdicts.sees(key, m.digest, b) {
		return true, nil
	}
	what, err := t.find(ctx, m, &b)
	if err != nil {
		t.metrics.Erred(metrics.ErrorRead)
		return false, err
	}
	if what.manifest == nil || what.zero && !zero {
		return false, nil
	}
	if t.verdicts.holds(key, b) {
		t.verdicts.saw(key, m.digest)
		return true, nil
	}
	context, err := under(around.context, scalers)
	if err != nil {
		return false, err
	}
	return true, t.decide(ctx, key, m, b, book, audit.Review(what.manifest, context, measured))
}

// decide evaluates the policies and makes the verdict known.
func (t *term) decide(
	ctx context.Context, key cluster.Key, m member, b basis, book *rulebook, review engine.Review,
) error {
	result, err := t.evaluate(ctx, book, review)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	next := &entry{basis: b, seen: m.digest, verdict: verdictOf(key, result, err)}
	if err != nil {
		next.basis, next.seen = basis{}, pack.Digest{} // the next look tries again
		t.options.Log.Error(err, "not judged", "kind", key.Kind, "namespace", key.Namespace, "name", key.Name)
		return t.settle(key, next, reports.Unjudged(m.subject(), err))
	}
	return t.settle(key, next, reports.Of(m.subject(), result, t.categories))
}

// settle makes a verdict known: to the metrics and to the writer of reports.
func (t *term) settle(key cluster.Key, next *entry, report *reports.Report) error {
	if err := t.writer.Want(key, report); err != nil {
		return err
	}
	before := t.verdicts.replace(key, next)
	var after *metrics.Verdict
	if next != nil {
		after = next.verdict
	}
	t.tally.Replace(before, after)
	return nil
}

// evaluate judges. A panic is an error about this object alone.
func (t *term) evaluate(
	ctx context.Context, book *rulebook, review engine.Review,
) (result engine.Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, judgeTimeout)
	defer cancel()
	defer func() {
		if panicked := recover(); panicked != nil {
			t.metrics.Panicked()
			t.options.Log.Error(fmt.Errorf("%v", panicked), "panic while judging", "stack", string(debug.Stack()))
			err = errors.New("a bug: the log has its stack")
		}
	}()
	t.metrics.Judged()
	result, err = book.engine.Evaluate(ctx, review)
	if err != nil || len(result.Failed) > 0 {
		t.metrics.Erred(metrics.ErrorEvaluate)
	}
	return result, err
}

func verdictOf(key cluster.Key, result engine.Result, err error) *metrics.Verdict {
	v := &metrics.Verdict{Namespace: key.Namespace, Worst: metrics.None}
	if key.Kind == cluster.Namespaces.Kind {
		v.Namespace, v.Worst = key.Name, "" // not a workload
	}
	if err != nil && v.Worst != "" {
		v.Worst = metrics.Unjudged
	}
	rank := map[string]int{engine.SeverityInfo: 1, engine.SeverityWarning: 2, engine.SeverityError: 3}
	for _, finding := range result.Findings {
		if v.Findings == nil {
			v.Findings = map[metrics.Found]int{}
		}
		v.Findings[metrics.Found{Rule: finding.Rule, Severity: finding.Severity}]++
		if v.Worst != "" && rank[finding.Severity] > rank[v.Worst] {
			v.Worst = finding.Severity
		}
	}
	return v
}
