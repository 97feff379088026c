package decision

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/headroom-dev/headroom/policies/engine"
)

// counting counts what really is evaluated; what is set takes the place of the policies.
type counting struct {
	judge
	calls    atomic.Int64
	evaluate func(context.Context) (engine.Result, error)
}

func (c *counting) Evaluate(ctx context.Context, r engine.Review) (engine.Result, error) {
	c.calls.Add(1)
	if c.evaluate != nil {
		return c.evaluate(ctx)
	}
	return c.judge.Evaluate(ctx, r)
}

func (c *counting) Fix(ctx context.Context, r engine.Review) (engine.Fixed, error) {
	c.calls.Add(1)
	return c.judge.Fix(ctx, r)
}

func counted(t testing.TB, d *Decider) *counting {
	t.Helper()
	book := *d.current.Load()
	c := &counting{judge: book.judge}
	book.judge = c
	d.current.Store(&book)
	return c
}

const spec = `"containers":[{"name":"app","image":"app:1","resources":{"limits":{"cpu":"2"}},"volumeMounts":[{"name":` +
	`"kube-api-access-%[1]s","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true}]}],` +
	`"volumes":[{"name":"kube-api-access-%[1]s","projected":{}}`

// replicas are Pods as controllers make them and the API server completes them.
var replicas = map[string]string{
	"ReplicaSet": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-7d4b9c-%[1]s","generateName":"web-7d4b9c-",` +
		`"uid":"%[1]s","labels":{"pod-template-hash":"7d4b9c"},"ownerReferences":[{"apiVersion":"apps/v1",` +
		`"kind":"ReplicaSet","name":"web-7d4b9c","uid":"8","controller":true}]},"spec":{` + spec + `]}}`,
	"StatefulSet": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"db-%[1]s","uid":"%[1]s",` +
		`"labels":{"statefulset.kubernetes.io/pod-name":"db-%[1]s","apps.kubernetes.io/pod-index":"%[1]s"},` +
		`"ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"db","uid":"8",` +
		`"controller":true}]},"spec":{` + spec +
		`,{"name":"data","persistentVolumeClaim":{"claimName":"data-db-%[1]s"}}],"hostname":"db-%[1]s","subdomain":"db"}}`,
	"DaemonSet": `{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"agent-",` +
		`"creationTimestamp":"2026-11-%[1]s","ownerReferences":[{"apiVersion":"apps/v1","kind":"DaemonSet","name":"agent",` +
		`"uid":"8","controller":true}]},` +
		`"spec":{` + spec + `],"affinity":{"nodeAffinity":{"required":{"nodeSelectorTerms":[{` +
		`"matchFields":[{"key":"metadata.name","operator":"In","values":["node-%[1]s"]}]}]}}}}}`,
	"Job": `{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"job-%[1]s-","annotations":` +
		`{"batch.kubernetes.io/job-completion-index":"%[1]s"},"ownerReferences":[{"apiVersion":"batch/v1","kind":"Job",` +
		`"name":"job","uid":"8","controller":true}]},"spec":{` + spec + `],"hostname":"job-%[1]s"}}`,
	"CronJob's Jobs": `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"report-%[1]s","uid":"%[1]s",` +
		`"annotations":{},"ownerReferences":[{"apiVersion":"batch/v1","kind":"CronJob","name":"report","uid":"8",` +
		`"controller":true}]},"spec":{"template":{"metadata":{"labels":{"controller-uid":"%[1]s"}},"spec":{` + spec + `]}}}}`,
}

func TestReplicasAreDecidedOnce(t *testing.T) {
	for kind, text := range replicas {
		t.Run(kind, func(t *testing.T) {
			d := newDecider(t, "")
			judged := counted(t, d)
			for i := range 500 {
				name := fmt.Sprintf("x%03dz", i)
				v, err := d.Validate(t.Context(), Request{
					Object: fmt.Sprintf(text, name), Name: name, Namespace: "shop", Fingerprint: "f",
				})
				if err != nil || len(v.Findings) == 0 || v.Cached != (i > 0) {
					t.Fatal(i, v, err)
				}
				for _, f := range v.Findings {
					if f.Resource.Name != name || f.Resource.Namespace != "shop" {
						t.Fatalf("a finding on %s speaks of %+v", name, f.Resource)
					}
				}
			}
			if n := judged.calls.Load(); n != 1 {
				t.Errorf("500 replicas took %d decisions", n)
			}
			if n := d.cache.len(); n != 1 {
				t.Errorf("500 replicas take %d entries", n)
			}
		})
	}
}

func simple(i int) Request {
	return Request{
		Namespace: "shop", Object: fmt.Sprintf(
			`{"apiVersion":"v1","kind":"Pod","metadata":{},"spec":{"containers":[{"name":"app","image":"i:%d"}]}}`, i),
	}
}

func TestEqualRequestsAtOnceAreDecidedOnce(t *testing.T) {
	d := newDecider(t, "")
	judged := counted(t, d)
	hold := make(chan struct{})
	judged.evaluate = func(context.Context) (engine.Result, error) {
		<-hold
		return engine.Result{}, nil
	}
	var group sync.WaitGroup
	var wrong atomic.Int64
	first, cancel := context.WithCancel(t.Context())
	for range 50 {
		group.Go(func() {
			if _, err := d.Validate(first, simple(0)); err != nil {
				wrong.Add(1)
			}
		})
	}
	for judged.calls.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel() // that one client goes away is nothing to the others
	time.Sleep(20 * time.Millisecond)
	close(hold)
	group.Wait()
	if judged.calls.Load() != 1 || wrong.Load() != 0 {
		t.Errorf("%d decisions, %d errors", judged.calls.Load(), wrong.Load())
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	d := newDecider(t, "")
	d.cache = newCache(10)
	judged := counted(t, d)
	judged.evaluate = func(context.Context) (engine.Result, error) { return engine.Result{}, nil }
	for i := range 30 {
		if _, err := d.Validate(t.Context(), simple(i)); err != nil {
			t.Fatal(err)
		}
	}
	if n := d.cache.len(); n != 10 {
		t.Errorf("%d entries", n)
	}
	d.cache = newCache(10000)
	huge := strings.Repeat("m", 200<<10)
	judged.evaluate = func(context.Context) (engine.Result, error) {
		return engine.Result{Findings: []engine.Finding{{Message: huge}}}, nil
	}
	for i := range 100 {
		if _, err := d.Validate(t.Context(), simple(i)); err != nil {
			t.Fatal(err)
		}
	}
	if bytes := d.cache.bytes.Load(); bytes > maxCacheBytes || d.cache.len() < 10 {
		t.Errorf("%d entries with %d bytes", d.cache.len(), bytes)
	}
	d.cache.clear()
	if d.cache.bytes.Load() != 0 || d.cache.len() != 0 {
		t.Error("an empty cache counts", d.cache.bytes.Load())
	}
}

func TestReload(t *testing.T) {
	d := newDecider(t, "")
	found := func() string {
		t.Helper()
		v, err := d.Validate(t.Context(), simple(1))
		if err != nil {
			t.Fatal(err)
		}
		rules := ""
		for _, f := range v.Findings {
			rules += f.Rule + " "
		}
		return rules
	}
	before := found()
	if !strings.Contains(before, "HR301") {
		t.Fatal(before)
	}
	for _, bad := range []string{"", "a: [", "apiVersion: headroom.dev/v1alpha1\nkind: Config\nunknown: 1\n", "[]"} {
		if err := d.Reload(t.Context(), []byte(bad)); err == nil {
			t.Errorf("%q is taken for a config", bad)
		} else if !strings.Contains(err.Error(), "headroom.yaml") {
			t.Errorf("%v does not name the file", err)
		}
		if after := found(); after != before {
			t.Errorf("a refused config changes verdicts from %s to %s", before, after)
		}
	}
	expectMetric(t, d, "headroom_config_last_reload_successful 0", "headroom_config_reloads_total{result=\"failure\"} 4")
	config := "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrules: {HR301: {severity: \"off\"}}\n"
	if err := d.Reload(t.Context(), []byte(config)); err != nil {
		t.Fatal(err)
	}
	if after := found(); strings.Contains(after, "HR301") || after == "" {
		t.Errorf("the new config is not in force: %s", after)
	}
	expectMetric(t, d, "headroom_config_last_reload_successful 1", "headroom_config_reloads_total{result=\"success\"} 2")
	if err := d.Reload(t.Context(), nil); err != nil || found() != before {
		t.Error("no config is not the defaults", err)
	}
}

func expectMetric(t *testing.T, d *Decider, lines ...string) {
	t.Helper()
	for _, line := range lines {
		name, _, _ := strings.Cut(strings.Split(line, " ")[0], "{")
		err := testutil.GatherAndCompare(d.metrics.Registry(), strings.NewReader(line+"\n"), name)
		if err != nil && !strings.Contains(scraped(t, d, name), line) {
			t.Errorf("no %s: %v", line, scraped(t, d, name))
		}
	}
}

func scraped(t *testing.T, d *Decider, name string) string {
	t.Helper()
	families, err := d.metrics.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, metric := range family.Metric {
			label := ""
			for _, l := range metric.Label {
				label = fmt.Sprintf("{%s=%q}", l.GetName(), l.GetValue())
			}
			fmt.Fprintf(&b, "%s%s %v\n", name, label, metric.GetCounter().GetValue()+metric.GetGauge().GetValue())
		}
	}
	return b.String()
}
