//go:build linux

package main

import (
	"context"
	"regexp"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/headroom-dev/headroom/lab/bench/cluster"
	"github.com/headroom-dev/headroom/lab/bench/process"
)

// standing is an API server that audits are measured with.
type standing struct {
	*cluster.Cluster
	client  kubernetes.Interface
	dynamic dynamic.Interface
}

func start(programs, folder string) (*standing, error) {
	c, err := cluster.Start(programs, folder)
	if err != nil {
		return nil, err
	}
	c.Config.QPS = -1
	s := &standing{Cluster: c}
	if s.client, err = kubernetes.NewForConfig(c.Config); err == nil {
		s.dynamic, err = dynamic.NewForConfig(c.Config)
	}
	if err != nil {
		c.Stop()
		return nil, err
	}
	return s, nil
}

// settled waits until the API server has heard of the Pods.
func (c *standing) settled(ctx context.Context, pods int) error {
	for {
		list, err := c.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{Limit: 1, ResourceVersion: ""})
		if err != nil {
			return err
		}
		if left := list.RemainingItemCount; left != nil && *left >= int64(pods-1) {
			return nil
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// request is a kind of request that the API server has counted.
type request struct{ verb, resource string }

var (
	ofVerb     = regexp.MustCompile(`\bverb="([^"]*)"`)
	ofResource = regexp.MustCompile(`\bresource="([^"]*)"`)
)

// requests are those that the API server has answered so far.
func (c *standing) requests(ctx context.Context) (map[request]int, error) {
	counted, err := process.ReadMetrics(ctx, c.HTTP, c.URL+"/metrics")
	if err != nil {
		return nil, err
	}
	found := map[request]int{}
	for name, n := range counted {
		if !strings.HasPrefix(name, "apiserver_request_total{") {
			continue
		}
		v, r := ofVerb.FindStringSubmatch(name), ofResource.FindStringSubmatch(name)
		if v != nil && r != nil {
			found[request{v[1], r[1]}] += int(n)
		}
	}
	return found, nil
}
