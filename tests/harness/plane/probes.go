package plane

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// probes are those of a Pod's container, run as often as they ask for.
type probes struct {
	runner              *runner
	readiness, liveness *probe
}

// probe is one of them, and how it went.
type probe struct {
	spec     *corev1.Probe
	next     time.Time
	failures int32
	passed   bool
}

func newProbes(r *runner) *probes {
	container := r.pod.Spec.Containers[0]
	p := &probes{runner: r}
	if container.ReadinessProbe != nil {
		p.readiness = &probe{spec: container.ReadinessProbe}
	}
	if container.LivenessProbe != nil {
		period := time.Duration(container.LivenessProbe.PeriodSeconds) * time.Second
		p.liveness = &probe{spec: container.LivenessProbe, next: time.Now().Add(period)}
	}
	return p
}

// run runs the probes that are due. The readiness probe is due until the container was ready once: a
// kubelet asks at once when a container has started, and so no time is lost.
func (p *probes) run(ctx context.Context) {
	for _, probe := range []*probe{p.readiness, p.liveness} {
		if probe == nil || time.Now().Before(probe.next) {
			continue
		}
		err := p.runner.probe(ctx, probe.spec)
		if err == nil {
			probe.passed, probe.failures = true, 0
		} else {
			probe.failures++
		}
		if probe.passed {
			probe.next = time.Now().Add(time.Duration(probe.spec.PeriodSeconds) * time.Second)
		}
	}
}

func (p *probes) ready() bool {
	return p.readiness == nil || p.readiness.passed && p.readiness.failures < p.readiness.spec.FailureThreshold
}

func (p *probes) dead() bool {
	return p.liveness != nil && p.liveness.failures >= p.liveness.spec.FailureThreshold
}

// probe asks once.
func (r *runner) probe(ctx context.Context, spec *corev1.Probe) error {
	get := spec.HTTPGet
	if get == nil {
		return fmt.Errorf("pod %s: only probes by HTTP are played here", r.pod.Name)
	}
	number, err := r.port(get.Port)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(spec.TimeoutSeconds)*time.Second)
	defer cancel()
	url := "http://" + net.JoinHostPort(r.kubelet.ip, strconv.Itoa(number)) + get.Path
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s answers %s", get.Path, response.Status)
	}
	return nil
}
