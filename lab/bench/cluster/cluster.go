// Package cluster starts the API server that headroom is measured with.
package cluster

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Cluster is an API server with its etcd, and no controllers: what is in it stays as it is.
type Cluster struct {
	Environment *envtest.Environment
	Config      *rest.Config
	HTTP        *http.Client
	URL         string // of the API server, without a path
	Kubeconfig  string // a file
}

// Start starts one from kube-apiserver and etcd in a folder; its kubeconfig is written into another.
func Start(programs, folder string) (*Cluster, error) {
	log.SetLogger(logr.Discard()) // envtest's
	c := &Cluster{
		Environment: &envtest.Environment{BinaryAssetsDirectory: programs, ControlPlaneStartTimeout: 2 * time.Minute},
		Kubeconfig:  filepath.Join(folder, "kubeconfig"),
	}
	if err := c.start(); err != nil {
		c.Stop()
		return nil, fmt.Errorf("start the API server (its programs: `make control-plane`): %w", err)
	}
	return c, nil
}

func (c *Cluster) start() (err error) {
	if c.Config, err = c.Environment.Start(); err != nil {
		return err
	}
	base, _, err := rest.DefaultServerUrlFor(c.Config)
	if err != nil {
		return err
	}
	c.URL = base.Scheme + "://" + base.Host
	c.HTTP, err = rest.HTTPClientFor(c.Config)
	return errors.Join(err, os.WriteFile(c.Kubeconfig, c.Environment.KubeConfig, 0o600))
}

// Stop ends both.
func (c *Cluster) Stop() { _ = c.Environment.Stop() } // the process ends anyway
