package plane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Replica is a Pod of the webhook with its process.
type Replica struct {
	Pod string
	// Webhook, Metrics and Probes are host:port.
	Webhook, Metrics, Probes string
	// Process is what runs: its Log, its PID, Signal, Running.
	Process *Process

	runner *runner
}

// Ready says whether the Pod is ready, as its status does.
func (r Replica) Ready() bool {
	r.runner.mutex.Lock()
	defer r.runner.mutex.Unlock()
	return r.runner.state.ready
}

// Kill ends the process without a warning; the Pod's process is started again after a
// second, unless HoldRestarts.
func (r Replica) Kill() error { return r.Process.Signal(syscall.SIGKILL) }

// Terminate sends SIGTERM to the process, not to the Pod.
func (r Replica) Terminate() error { return r.Process.Signal(syscall.SIGTERM) }

// Freeze stops the process (SIGSTOP): its connections stay open, and nothing answers.
func (r Replica) Freeze() error { return r.Process.Signal(syscall.SIGSTOP) }

// Thaw lets a frozen process go on.
func (r Replica) Thaw() error { return r.Process.Signal(syscall.SIGCONT) }

// Logs are what the process has printed.
func (r Replica) Logs() string {
	text, _ := os.ReadFile(r.Process.Log)
	return string(text)
}

// Scrape reads the replica's metrics.
func (r Replica) Scrape() (string, error) { return fetch("http://" + r.Metrics + "/metrics") }

// Metric sums the series of a metric whose labels contain all of these, as {a="b"} has them.
func (r Replica) Metric(name string, labels ...string) (float64, error) {
	text, err := r.Scrape()
	if err != nil {
		return 0, err
	}
	return Sum(text, name, labels...)
}

// Sum sums the series of a metric, in what a server tells of its metrics, whose labels contain all of these, as
// {a="b"} has them.
func Sum(text, name string, labels ...string) (float64, error) {
	sum := 0.0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		end := max(strings.LastIndexByte(line, ' '), 0) // there are blanks in labels, too
		series, value := line[:end], strings.TrimSpace(line[end:])
		metric, rest, _ := strings.Cut(series, "{")
		matches := metric == name
		for _, label := range labels {
			matches = matches && strings.Contains(rest, label)
		}
		if !matches {
			continue
		}
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return 0, fmt.Errorf("metric %s: %w", series, err)
		}
		sum += number
	}
	return sum, nil
}

// Replicas are the webhook's Pods that have a process, by name.
func (p *Plane) Replicas() []Replica {
	if p.kubelet == nil {
		return nil
	}
	p.kubelet.mutex.Lock()
	defer p.kubelet.mutex.Unlock()
	var replicas []Replica
	for _, r := range p.kubelet.pods {
		if !strings.HasPrefix(r.pod.Name, WebhookName+"-") || !r.begun() {
			continue
		}
		at := func(port int32) string { return net.JoinHostPort(p.IP, strconv.Itoa(r.ports[port])) }
		replicas = append(replicas, Replica{
			Pod: r.pod.Name, Process: r.process, runner: r,
			Webhook: at(9443), Metrics: at(8080), Probes: at(8081),
		})
	}
	sort.Slice(replicas, func(i, j int) bool { return replicas[i].Pod < replicas[j].Pod })
	return replicas
}

// HoldRestarts keeps processes that end from being started again, until it is called with
// false: an outage as long as a test needs.
func (p *Plane) HoldRestarts(hold bool) { p.kubelet.hold.Store(hold) }

// WaitWebhook waits until as many replicas are ready as the Deployment asks for, none is
// left of an older rollout, and the API server trusts them.
func (p *Plane) WaitWebhook(ctx context.Context) error {
	return until(ctx, "the webhook to be ready", func(ctx context.Context) error {
		deployment, err := p.Client.AppsV1().Deployments(ReleaseNamespace).Get(ctx, WebhookName, metav1.GetOptions{})
		if err != nil {
			return err
		}
		want, status := *deployment.Spec.Replicas, deployment.Status
		if status.ObservedGeneration < deployment.Generation || status.UpdatedReplicas != want ||
			status.Replicas != want || status.ReadyReplicas != want || len(p.Replicas()) != int(want) {
			return fmt.Errorf("%d of %d replicas are ready\n%s", status.ReadyReplicas, want, p.Diagnosis())
		}
		for _, replica := range p.Replicas() {
			// The status of a process that has just ended is as old as the last probe.
			if !replica.Ready() || !replica.Process.Running() || replica.probe(ctx) != nil {
				return fmt.Errorf("%s does not answer\n%s", replica.Pod, p.Diagnosis())
			}
		}
		return p.trusted(ctx)
	})
}

// probe asks the process itself whether it is ready.
func (r Replica) probe(ctx context.Context) error {
	return r.runner.probe(ctx, r.runner.pod.Spec.Containers[0].ReadinessProbe)
}

// trusted says whether the webhook configurations hold a CA.
func (p *Plane) trusted(ctx context.Context) error {
	hooks := p.Client.AdmissionregistrationV1()
	mutating, err := hooks.MutatingWebhookConfigurations().Get(ctx, Release, metav1.GetOptions{})
	if err != nil {
		return err
	}
	validating, err := hooks.ValidatingWebhookConfigurations().Get(ctx, Release, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, hook := range mutating.Webhooks {
		if len(hook.ClientConfig.CABundle) == 0 {
			return fmt.Errorf("%s has no caBundle yet", hook.Name)
		}
	}
	for _, hook := range validating.Webhooks {
		if len(hook.ClientConfig.CABundle) == 0 {
			return fmt.Errorf("%s has no caBundle yet", hook.Name)
		}
	}
	return nil
}

func fetch(url string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("%s answers %s", url, response.Status))
	}
	return string(text), err
}
