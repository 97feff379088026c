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

	"github.com/headroom-dev/headroom/lab/bench/cluster"
)

// standing is an API server that calls webhooks, and certificates for them.
type standing struct{ *cluster.Cluster }

func start(programs, folder string) (*standing, error) {
	c, err := cluster.Start(programs, folder)
	return &standing{c}, err
}

// certificates is the folder with tls.crt and tls.key for 127.0.0.1.
func (c *standing) certificates() string {
	return c.Environment.WebhookInstallOptions.LocalServingCertDir
}

func (c *standing) ca() []byte { return c.Environment.WebhookInstallOptions.LocalServingCAData }

// tls is how a client of the webhooks connects.
func (c *standing) tls() *tls.Config {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(c.ca())
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool, NextProtos: []string{"http/1.1"}}
}

// create creates an object.
func (c *standing) create(path string, object any) error {
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	_, err = c.post(path, text)
	return err
}

// post creates an object and gives it as it was stored.
func (c *standing) post(path string, text []byte) ([]byte, error) {
	response, err := c.HTTP.Post(c.URL+path, "application/json", bytes.NewReader(text))
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
func (c *standing) namespace(name string, labels map[string]string) error {
	return c.create("/api/v1/namespaces", map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name, "labels": labels},
	})
}
