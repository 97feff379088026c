package watch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/audit"
	"github.com/headroom-dev/headroom/audit/cluster"
	"github.com/headroom-dev/headroom/audit/reports"
	"github.com/headroom-dev/headroom/audit/watch/metrics"
	"github.com/headroom-dev/headroom/policies/engine"
)

// judgeTimeout is a thousand times what an evaluation takes.
const judgeTimeout = 5 * time.Second

// errGone is an object that is not there any more, or that another has taken the place of.
var errGone = errors.New("the object is gone")

// judge brings the verdict on one object up to date, unless it is.
func (t *term) judge(ctx context.Context, key cluster.Key) error {
	stored, there, err := t.informers[key.Kind].GetStore().GetByKey(storeKey(key))
	if err != nil {
		return err
	}
	if !there {
		return t.settle(key, nil, nil)
	}
	o := stored.(*object)
	around, err := t.around.of(key.Namespace)
	if err != nil {
		return err
	}
	book := t.rules.current.Load()
	basis := basis{object: o.digest, around: around.digest, config: book.generation}
	if o.dated || book.dated {
		basis.day = time.Now().UTC().Format(time.DateOnly)
	}
	if t.ledger.holds(key, basis) {
		return nil
	}
	manifest, err := t.manifest(ctx, key, o)
	if errors.Is(err, errGone) {
		return t.settle(key, nil, nil)
	}
	if err != nil {
		t.metrics.Erred(metrics.ErrorRead)
		return err
	}
	subject := reports.Subject{APIVersion: t.kinds[key.Kind].APIVersion(), Key: key, UID: o.UID}
	result, err := t.evaluate(ctx, book, manifest, around.context)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	next := &entry{basis: basis, verdict: verdictOf(key, result, err)}
	if err != nil {
		t.options.Log.Error(err, "not judged", "kind", key.Kind, "namespace", key.Namespace, "name", key.Name)
		return t.settle(key, next, reports.Unjudged(subject, err))
	}
	return t.settle(key, next, reports.Of(subject, result, t.categories))
}

func storeKey(key cluster.Key) string {
	if key.Namespace == "" {
		return key.Name
	}
	return key.Namespace + "/" + key.Name
}

// settle makes a verdict known: to the metrics and to the writer of reports.
func (t *term) settle(key cluster.Key, next *entry, report *reports.Report) error {
	if err := t.writer.Want(key, report); err != nil {
		return err
	}
	before := t.ledger.replace(key, next)
	var after *metrics.Verdict
	if next != nil {
		after = next.verdict
	}
	t.tally.Replace(before, after)
	return nil
}

// manifest is what is judged of an object: from memory, else from the API server.
func (t *term) manifest(ctx context.Context, key cluster.Key, o *object) (map[string]any, error) {
	if o.packed != nil {
		var manifest map[string]any
		err := o.packed.Decode(&manifest)
		return manifest, err
	}
	kind := t.kinds[key.Kind]
	u, err := t.client.Resource(kind.GroupVersionResource).Namespace(key.Namespace).Get(ctx, key.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, errGone
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	if u.GetUID() != o.UID {
		return nil, errGone // its successor is told of by the watch
	}
	read, err := cluster.FromManifest(kind, u.Object)
	if err != nil {
		return nil, err
	}
	return read.Manifest, nil
}

// evaluate judges. A panic is an error about this object alone.
func (t *term) evaluate(
	ctx context.Context, book *rulebook, manifest map[string]any, around *engine.Context,
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
	result, err = audit.Judge(ctx, book.engine, manifest, around, nil)
	if err != nil {
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
	rank := map[string]int{"": 0, metrics.None: 0, engine.SeverityInfo: 1, engine.SeverityWarning: 2, engine.SeverityError: 3}
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
