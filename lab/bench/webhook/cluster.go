//go:build linux

package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// cluster is an API server with its etcd, and certificates for webhooks.
type cluster struct {
	environment *envtest.Environment
	http        *http.Client
	url         string
	kubeconfig  string // a file
}

// startCluster starts one from the programs; folder is for what it needs of files.
func startCluster(programs, folder string) (*cluster, error) {
	environment := &envtest.Environment{BinaryAssetsDirectory: programs, ControlPlaneStartTimeout: 2 * time.Minute}
	config, err := environment.Start()
	c := &cluster{environment: environment, kubeconfig: filepath.Join(folder, "kubeconfig")}
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("start the API server (its programs: `make control-plane`): %w", err)
	}
	if err := c.connect(config); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

func (c *cluster) connect(config *rest.Config) error {
	if err := os.WriteFile(c.kubeconfig, c.environment.KubeConfig, 0o600); err != nil {
		return err
	}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return err
	}
	c.url = base.Scheme + "://" + base.Host
	c.http, err = rest.HTTPClientFor(config)
	return err
}

func (c *cluster) stop() { _ = c.environment.Stop() } // the process ends anyway

// certificates is the folder with tls.crt and tls.key for 127.0.0.1.
func (c *cluster) certificates() string {
	return c.environment.WebhookInstallOptions.LocalServingCertDir
}

func (c *cluster) ca() []byte { return c.environment.WebhookInstallOptions.LocalServingCAData }

// tls is how a client of the webhooks connects.
func (c *cluster) tls() *tls.Config {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(c.ca())
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool, NextProtos: []string{"http/1.1"}}
}

// create creates an object.
func (c *cluster) create(path string, object any) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	_, err = c.post(path, text)
	return err
}

// post creates an object and gives it as it was stored.
func (c *cluster) post(path string, text []byte) ([]byte, error) {
	response, err := c.http.Post(c.url+path, "application/json", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusCreated {
		return nil, fmt.Errorf("create at %s: %s %s", path, response.Status, body)
	}
	return body, nil
}

// namespace creates a Namespace with labels.
func (c *cluster) namespace(name string, labels map[string]string) error {
	return c.create("/api/v1/namespaces", map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name, "labels": labels},
	})
}
