//go:build system

package requests

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/webhook"
)

// F17: five hundred clients send a byte a second of what they promise to be a large body. Each
// is cut off, after ten seconds on a machine that has time, and the API server's requests do not wait for them.
func TestF17SlowClients(t *testing.T) {
	undisturbed(t)
	namespace := cluster.Namespace(t, enforce, mutate)
	replicas, config := cluster.Replicas(), trust(t)
	took := make([]time.Duration, 500)
	var clients sync.WaitGroup
	meanwhile := others(t, namespace)
	for i := range took {
		clients.Go(func() {
			connection, err := tls.Dial("tcp", replicas[i%len(replicas)].Webhook, config)
			if err != nil {
				t.Error(err)
				return
			}
			defer connection.Close()
			began := time.Now()
			fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"+
				"Content-Length: 5000000\r\n\r\n{", webhook.PathMutate)
			ended := make(chan struct{})
			go func() {
				_ = connection.SetReadDeadline(began.Add(patience))
				_, err := io.Copy(io.Discard, connection)
				if errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("a connection is open after %s", patience)
				}
				took[i] = time.Since(began)
				close(ended)
			}()
			for {
				select {
				case <-ended:
					return
				case <-time.After(time.Second):
					_, _ = connection.Write([]byte(" "))
				}
			}
		})
	}
	clients.Wait()
	meanwhile()
	var slowest time.Duration
	for _, one := range took {
		slowest = max(slowest, one)
	}
	t.Logf("the last is cut off after %s", slowest.Round(time.Millisecond))
}
