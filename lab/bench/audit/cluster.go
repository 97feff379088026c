//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// cluster is an API server with its etcd, and no controllers: what is in it stays as it is.
type cluster struct {
	environment *envtest.Environment
	config      *rest.Config
	client      kubernetes.Interface
	dynamic     dynamic.Interface
	etcd        string // its URL
	kubeconfig  string // a file
}

func startCluster(programs, folder string) (*cluster, error) {
	environment := &envtest.Environment{BinaryAssetsDirectory: programs, ControlPlaneStartTimeout: 2 * time.Minute}
	config, err := environment.Start()
	c := &cluster{environment: environment, config: config, kubeconfig: filepath.Join(folder, "kubeconfig")}
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("start the API server (its programs: `make control-plane`): %w", err)
	}
	c.config.QPS = -1
	c.etcd = environment.ControlPlane.Etcd.URL.String()
	if c.client, err = kubernetes.NewForConfig(config); err == nil {
		c.dynamic, err = dynamic.NewForConfig(config)
	}
	if err == nil {
		err = os.WriteFile(c.kubeconfig, environment.KubeConfig, 0o600)
	}
	if err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

func (c *cluster) stop() { _ = c.environment.Stop() } // the process ends anyway

// settled waits until the API server has heard of the Pods.
func (c *cluster) settled(ctx context.Context, pods int) error {
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
	counted    = regexp.MustCompile(`^apiserver_request_total\{(.*)\} (\S+)$`)
	ofVerb     = regexp.MustCompile(`\bverb="([^"]*)"`)
	ofResource = regexp.MustCompile(`\bresource="([^"]*)"`)
)

// requests are those that the API server has answered so far.
func (c *cluster) requests(ctx context.Context) (map[request]int, error) {
	client, err := rest.HTTPClientFor(c.config)
	if err != nil {
		return nil, err
	}
	url := strings.TrimSuffix(c.config.Host, "/")
	if !strings.Contains(url, "://") {
		url = "https://" + url
	}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(ask)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the API server's metrics: %s", response.Status)
	}
	found := map[request]int{}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		labels := counted.FindStringSubmatch(lines.Text())
		if labels == nil {
			continue
		}
		v, r := ofVerb.FindStringSubmatch(labels[1]), ofResource.FindStringSubmatch(labels[1])
		n, err := strconv.ParseFloat(labels[2], 64)
		if v == nil || r == nil || err != nil {
			continue
		}
		found[request{v[1], r[1]}] += int(n)
	}
	return found, lines.Err()
}

// maxLine bounds a line of metrics.
const maxLine = 1 << 20
