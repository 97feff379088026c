package plane

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Compact makes etcd forget all that was, as it does every few minutes in a cluster that lives
// longer than a test. Lists that were begun before are too old to go on with.
func (p *Plane) Compact(ctx context.Context) error {
	var status struct {
		Header struct {
			Revision string `json:"revision"`
		} `json:"header"`
	}
	if err := p.etcd(ctx, "/v3/maintenance/status", "{}", &status); err != nil {
		return err
	}
	body := fmt.Sprintf(`{"revision": %q, "physical": true}`, status.Header.Revision)
	return p.etcd(ctx, "/v3/kv/compaction", body, nil)
}

// etcd asks etcd by its gateway for JSON.
func (p *Plane) etcd(ctx context.Context, path, body string, answer any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.etcdURL+path, bytes.NewBufferString(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask etcd: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd answers %s to %s", response.Status, path)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
