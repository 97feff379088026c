//go:build system

package measured

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/headroom-dev/headroom/tests/harness/history"
	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/ports"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

// TestWatched: what happened is in the reports and metrics of the audit that goes on, and comes by itself.
func TestWatched(t *testing.T) {
	kinds := filepath.Join(program.Module(t, "kyverno", "github.com/openreports/reports-api"), "config", "crd")
	live.Must(t, "apply", "--server-side", "-f", kinds)
	live.Must(t, "wait", "--for=condition=Established", "-f", kinds, "--timeout=10m")
	namespace := live.Namespace(t)
	if out := live.Apply(namespace, troubled); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	pods := live.Pods(t, namespace, "app=orders", 2)

	t.Run("the Pods' status", func(t *testing.T) {
		at, _ := watched(t)
		told(t, namespace, at, map[string]string{"HR603": ""})
		endedIn(t, &pods[0])
		told(t, namespace, at, map[string]string{"HR603 orders": "OOMKilled once in 7d (the Pods' status)."})
		endedIn(t, &pods[1])
		told(t, namespace, at, map[string]string{
			"HR602": "", "HR603 orders": "OOMKilled twice in 7d (the Pods' status).",
		})
	})
	t.Run("Prometheus", func(t *testing.T) {
		server := history.Start(t, historyOf(pods), history.Options{})
		target, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		door := httptest.NewServer(httputil.NewSingleHostReverseProxy(target))
		defer door.Close()
		at, _ := watched(t, "--prometheus="+door.URL, "--prometheus-window=2d")
		before := told(t, namespace, at, map[string]string{
			"HR602 worker": "Throttled in 40 % of its periods",
			"HR603 orders": "OOMKilled once in 2d (Prometheus).",
			"HR604 orders": "Threads waited for a CPU 30",
			"HR605 worker": "throttled in 40 % of their periods",
		})
		// The window moves with each round, and nothing else.
		time.Sleep(5 * time.Second)
		if after := told(t, namespace, at, nil); after != before {
			t.Errorf("the report was written again: %s, %s", before, after)
		}
		door.Close()
		time.Sleep(3 * time.Second)
		measured := timestamp(t, at)
		time.Sleep(3 * time.Second)
		if after := told(t, namespace, at, nil); after != before {
			t.Errorf("without Prometheus the report was written again: %s, %s", before, after)
		}
		if now := timestamp(t, at); now != measured {
			t.Errorf("measured at %s, and at %s without Prometheus", measured, now)
		}
	})
	t.Run("Prometheus without kube-state-metrics", func(t *testing.T) {
		partly(t, namespace, pods)
	})
}

// partly asks a Prometheus that has less than it could, and that refuses questions about one namespace in the end.
func partly(t *testing.T, namespace string, pods []corev1.Pod) {
	h := history.New()
	for _, pod := range pods {
		h.Run(history.Container{
			Namespace: pod.Namespace, Pod: pod.Name, Name: "worker", ID: pod.Name + "w", From: h.Ago(24 * time.Hour), To: h.End,
			CPU: history.Constant(0.9), Memory: history.Constant(1 << 28), Throttled: 0.4,
		})
	}
	target, err := url.Parse(history.Start(t, h, history.Options{}).URL)
	if err != nil {
		t.Fatal(err)
	}
	var refuses atomic.Bool
	next := httputil.NewSingleHostReverseProxy(target)
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || refuses.Load() && strings.Contains(r.URL.RawQuery+string(body), url.QueryEscape(`"`+namespace+`"`)) {
			http.Error(w, `{"status":"error","errorType":"internal","error":"not now"}`, http.StatusInternalServerError)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	}))
	defer door.Close()
	at, log := watched(t, "--prometheus="+door.URL, "--prometheus-window=2d")
	told(t, namespace, at, map[string]string{"HR602 worker": "Throttled in 40 % of its periods"})
	first := timestamp(t, at)
	moves := func() bool {
		before := timestamp(t, at)
		time.Sleep(6 * time.Second) // three rounds
		return timestamp(t, at) != before
	}
	if !moves() || first == "0" {
		t.Error("what it does not have is no answer")
	}
	if n := strings.Count(log(), "is kube-state-metrics scraped?"); n != 1 {
		t.Errorf("it is said %d times what it does not have", n)
	}
	refuses.Store(true)
	plane.Eventually(t, "a round that is not whole", func() error {
		metrics, err := fetch("http://" + at + "/metrics")
		if err == nil && !strings.Contains(metrics, `headroom_audit_measured_namespaces{answer="partial"} 1`) {
			err = errors.New("it counts no namespace")
		}
		return err
	})
	if moves() {
		t.Error("a round in which one namespace was not answered counts as a whole one")
	}
	if !strings.Contains(log(), "not now") || strings.Count(log(), "is kube-state-metrics scraped?") != 1 {
		t.Error("the log does not say why, or says again what it does not have")
	}
}

// watched starts the audit that goes on, and gives the address of its metrics, and its log.
func watched(t *testing.T, arguments ...string) (at string, text func() string) {
	t.Helper()
	at, err := ports.Address()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program.Headroom(t), append([]string{
		"audit", "--watch", "--no-config", "--kubeconfig=" + live.Kubeconfig, "--lease-namespace=default",
		"--metrics-listen=" + at, "--probe-listen=127.0.0.1:0", "--prometheus-every=2s",
	}, arguments...)...)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait()
		_ = log.Close()
		if text, _ := os.ReadFile(log.Name()); t.Failed() {
			t.Logf("%s", text)
		}
	})
	return at, func() string {
		text, err := os.ReadFile(log.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

// told waits until the report of the namespace holds these messages, by rule and container, and none where none is wanted;
// the metric has to count the same. It gives the version of the report.
func told(t *testing.T, namespace, at string, wanted map[string]string) (version string) {
	t.Helper()
	plane.Eventually(t, "a report of what happened", func() error {
		out := live.Kubectl("get", "reports.openreports.io", "--namespace", namespace, "-o", "json")
		if out.Code != 0 {
			return errors.New(out.Stderr)
		}
		var list struct {
			Items []struct {
				Metadata struct{ ResourceVersion string }
				Results  []struct {
					Rule, Message string
					Properties    map[string]string
				}
			}
		}
		if err := json.Unmarshal([]byte(out.Stdout), &list); err != nil {
			return err
		}
		messages, counts := map[string]string{}, map[string]int{}
		for _, item := range list.Items {
			version = item.Metadata.ResourceVersion
			for _, r := range item.Results {
				messages[r.Rule+" "+r.Properties["container"]] = r.Message
				counts[r.Rule]++
			}
		}
		metrics, err := fetch("http://" + at + "/metrics")
		if err != nil {
			return err
		}
		if measuredAt(metrics) == "0" {
			return errors.New("no round has ended")
		}
		for finding, text := range wanted {
			rule, _, _ := strings.Cut(finding, " ")
			counted := 0
			for _, found := range regexp.MustCompile(fmt.Sprintf(
				`(?m)^headroom_audit_findings{namespace="%s",rule="%s",severity="[a-z]+"} (\d+)$`, namespace, rule,
			)).FindAllStringSubmatch(metrics, -1) {
				var n int
				if _, err := fmt.Sscan(found[1], &n); err != nil {
					return err
				}
				counted += n
			}
			if counts[rule] != counted || (text == "") != (counted == 0) || !strings.Contains(messages[finding], text) {
				return fmt.Errorf("%s: %d in the metric, reported: %v", finding, counted, messages)
			}
		}
		return nil
	})
	return version
}

func measuredAt(metrics string) string {
	found := regexp.MustCompile(`(?m)^headroom_audit_measured_timestamp_seconds (.*)$`).FindStringSubmatch(metrics)
	if found == nil {
		return "0"
	}
	return found[1]
}

func timestamp(t *testing.T, at string) string {
	t.Helper()
	metrics, err := fetch("http://" + at + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	return measuredAt(metrics)
}

func fetch(url string) (string, error) {
	response, err := http.Get(url)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}
