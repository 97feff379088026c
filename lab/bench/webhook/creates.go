//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/report"
	"github.com/headroom-dev/headroom/webhook"
)

// What design allows the webhooks to add to one Pod create.
const (
	validateAdds = 4 * time.Millisecond
	mutateAdds   = 8 * time.Millisecond
)

// warmUp is how many Pods are created in each Namespace before any is counted.
const warmUp = 30

// place is a Namespace, and the webhooks that its Pods meet.
type place struct {
	name, what string
	labels     map[string]string
	atMost     time.Duration
	times      []time.Duration
}

func places() []*place {
	return []*place{
		{name: "bench-none", what: "no webhook", labels: map[string]string{"headroom.dev/mode": "off"}},
		{
			name: "bench-bare", what: "validate by the bare server",
			labels: map[string]string{"headroom.dev/mode": "off", "bench": "bare"},
		},
		{name: "bench-validate", what: "validate", labels: map[string]string{"headroom.dev/mode": "warn"}, atMost: validateAdds},
		{
			name: "bench-mutate", what: "mutate and validate",
			labels: map[string]string{"headroom.dev/mode": "warn", "headroom.dev/mutate": "enabled"}, atMost: mutateAdds,
		},
	}
}

// creates measures what webhooks add to the creation of a Pod, one Pod after the other. Of
// all Namespaces in turn, so that what disturbs one disturbs all.
func creates(c *standing, bare, headroom *server, count int) error {
	all := places()
	for _, p := range all {
		if err := c.namespace(p.name, p.labels); err != nil {
			return err
		}
	}
	if err := c.register(bare, headroom); err != nil {
		return err
	}
	r, err := newReview(true)
	if err != nil {
		return err
	}
	pod, err := r.pod()
	if err != nil {
		return err
	}
	if err := c.effective(headroom, pod); err != nil {
		return err
	}
	for i := range warmUp + count {
		for j := range all {
			p := all[(i+j)%len(all)]
			start := time.Now()
			if _, err := c.post(pods(p.name), pod); err != nil {
				return err
			}
			if i >= warmUp {
				p.times = append(p.times, time.Since(start))
			}
		}
	}
	t := report.Table{
		Title: fmt.Sprintf("A Pod created through the API server, %d in each Namespace, in turn", count),
		Head:  []string{"", "p50", "p99", "added to p50", "at most", "that is"},
	}
	for _, p := range all {
		t.Rows = append(t.Rows, p.cells(all[0].percentile(50)))
	}
	t.Print()
	return nil
}

func (p *place) percentile(n int) time.Duration {
	return slices.Sorted(slices.Values(p.times))[len(p.times)*n/100]
}

func (p *place) cells(none time.Duration) []string {
	added := p.percentile(50) - none
	cells := []string{
		p.what, report.Duration(float64(p.percentile(50))), report.Duration(float64(p.percentile(99))),
		fmt.Sprintf("%.2f ms", added.Seconds()*1e3), "", "",
	}
	if p.atMost > 0 {
		cells[4], cells[5] = report.Milliseconds(p.atMost), report.Times(float64(added)/float64(p.atMost))
	}
	return cells
}

func pods(namespace string) string { return "/api/v1/namespaces/" + namespace + "/pods" }

// effective waits until the API server calls the webhooks: it learns of them a moment
// after they were stored.
func (c *standing) effective(headroom *server, pod []byte) error {
	for end := time.Now().Add(startLimit); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		before, err := headroom.counted(validated)
		if err != nil {
			return err
		}
		if _, err := c.post(pods("bench-validate"), pod); err != nil {
			return err
		}
		after, err := headroom.counted(validated)
		if err != nil {
			return err
		}
		stored, err := c.post(pods("bench-mutate"), pod)
		if err != nil {
			return err
		}
		if after[0] > before[0] && bytes.Contains(stored, []byte("headroom.dev/applied")) {
			return nil
		}
	}
	return errors.New("the API server does not call the webhooks")
}

const validated = `headroom_decisions_total{operation="validate",verdict="warned"}`

// register tells the API server of the webhooks, with what the chart sets of them.
func (c *standing) register(bare, headroom *server) error {
	notOff := map[string]any{"key": "headroom.dev/mode", "operator": "In", "values": []string{"warn"}}
	mutate := map[string]any{"key": "headroom.dev/mutate", "operator": "In", "values": []string{"enabled"}}
	isBare := map[string]any{"key": "bench", "operator": "In", "values": []string{"bare"}}
	configurations := []struct {
		path, kind string
		hooks      []any
	}{
		{"mutatingwebhookconfigurations", "MutatingWebhookConfiguration", []any{
			c.hook("mutate.headroom.dev", headroom, webhook.PathMutate, mutate),
		}},
		{"validatingwebhookconfigurations", "ValidatingWebhookConfiguration", []any{
			c.hook("validate.headroom.dev", headroom, webhook.PathValidate, notOff),
			c.hook("bare.headroom.dev", bare, "/", isBare),
		}},
	}
	for _, k := range configurations {
		err := c.create("/apis/admissionregistration.k8s.io/v1/"+k.path, map[string]any{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": k.kind,
			"metadata": map[string]any{"name": "headroom"}, "webhooks": k.hooks,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *standing) hook(name string, s *server, path string, selector any) map[string]any {
	return map[string]any{
		"name":                    name,
		"clientConfig":            map[string]any{"url": "https://" + s.address + path, "caBundle": c.ca()},
		"failurePolicy":           "Fail", // else a failure would go unnoticed
		"sideEffects":             "None",
		"timeoutSeconds":          10,
		"admissionReviewVersions": []string{"v1"},
		"namespaceSelector":       map[string]any{"matchExpressions": []any{selector}},
		"matchConditions": []any{
			map[string]any{
				"name": "not-a-mirror-pod",
				"expression": "!(request.userInfo.username.startsWith('system:node:') && " +
					"'kubernetes.io/config.mirror' in object.metadata.?annotations.orValue({}))",
			},
			map[string]any{"name": "not-windows", "expression": "object.?spec.?os.?name.orValue('') != 'windows'"},
		},
		"rules": []any{map[string]any{
			"apiGroups": []string{""}, "apiVersions": []string{"v1"}, "resources": []string{"pods"},
			"operations": []string{"CREATE"}, "scope": "Namespaced",
		}},
	}
}
