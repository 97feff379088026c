// Command run starts a Prometheus that has seven days of what the Pods of a cluster used, which
// in the cluster of `make cluster` never ran: `make prometheus`. The numbers are made up, the
// same for the same names; Prometheus and everything that reads it is real.
package main

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"os/signal"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/headroom-dev/headroom/tests/harness/history"
	"github.com/headroom-dev/headroom/tests/harness/plane"
)

func main() {
	kubeconfig := flag.String("kubeconfig", os.Getenv("KUBECONFIG"), "of the cluster whose Pods are made up for")
	listen := flag.String("listen", "127.0.0.1:9090", "where Prometheus listens")
	flag.Parse()
	ctx, release := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *kubeconfig, *listen)
	release()
	if err != nil {
		fmt.Fprintln(os.Stderr, "prometheus:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, kubeconfig, listen string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	pods, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	h := history.New()
	h.Every = 2 * time.Minute
	for i := range pods.Items {
		tell(h, &pods.Items[i])
	}
	dir, err := os.MkdirTemp("", "headroom-prometheus-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	server, err := h.Serve(ctx, dir, history.Options{Listen: listen})
	if server != nil {
		defer server.Stop()
	}
	if err != nil {
		return err
	}
	fmt.Printf("\nPrometheus has seven days of %d Pods. In another terminal:\n\n"+
		"  bin/headroom audit -A -o table -o html=report.html --prometheus %s\n\nCtrl-C ends it.\n",
		len(pods.Items), server.URL)
	<-ctx.Done()
	return nil
}

const week = 7 * 24 * time.Hour

// tell makes up what the containers of a Pod used: by day more than by night, and with bursts.
func tell(h *history.History, pod *corev1.Pod) {
	for _, c := range pod.Spec.Containers {
		chance := dice(pod.Namespace + c.Name)
		request := c.Resources.Requests.Cpu().AsApproximateFloat64()
		if request == 0 {
			request = 0.2
		}
		average := request * (0.3 + 1.2*chance)
		memory := c.Resources.Limits.Memory().AsApproximateFloat64()
		if memory == 0 {
			memory = 1 << 28
		}
		throttled := -1.0
		if !c.Resources.Limits.Cpu().IsZero() {
			throttled = 0.12 * chance
		}
		peak := memory * (0.55 + 0.44*dice(c.Name+pod.Namespace))
		if pod.Namespace == plane.ReleaseNamespace { // headroom's own: what was measured of it, a third of its limit
			peak = memory * 0.35
		}
		h.Run(history.Container{
			Namespace: pod.Namespace, Pod: pod.Name, Name: c.Name, ID: string(pod.UID) + c.Name,
			From: h.Ago(week), To: h.End, Throttled: throttled,
			CPU: func(at time.Time) float64 {
				use := average * (1 + 0.5*math.Sin(2*math.Pi*float64(at.Hour()*60+at.Minute())/(24*60)))
				if at.Unix()/int64(10*time.Minute/time.Second)%40 == 0 {
					use *= 2
				}
				return use
			},
			Memory: func(at time.Time) float64 {
				return peak * (0.9 + 0.1*math.Abs(math.Sin(float64(at.Unix())/float64(week/time.Second))))
			},
		})
		state := history.State{
			Namespace: pod.Namespace, Pod: pod.Name, UID: string(pod.UID), Name: c.Name,
			From: h.Ago(week), To: h.End,
		}
		if peak > 0.95*memory {
			for day := range 3 {
				state.Restarts = append(state.Restarts, h.Ago(time.Duration(2*(3-day)*24)*time.Hour))
				state.Reasons = append(state.Reasons, "OOMKilled")
			}
		}
		h.Tell(state)
	}
}

// dice is a number between 0 and 1 that is always the same for a text.
func dice(text string) float64 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(text))
	return float64(hash.Sum32()%1000) / 1000
}
