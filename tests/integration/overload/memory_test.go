//go:build integration

package overload

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/dear"
)

const (
	atOnce = 16
	// mostPercent is what of the memory limit the process may take.
	mostPercent = 75
)

// Sixteen of the dearest Pods at once, again and again, leave a quarter of the memory limit free, as few as there are.
func TestTheDearestPodsAtOnce(t *testing.T) {
	memory, _ := limits(t)
	s := serve(t, "enabled")
	client := s.client()
	s.forget(t)
	total := map[int]int{}
	for round, name := range dear.Kinds() {
		codes := make([]int, atOnce)
		var group sync.WaitGroup
		for i := range atOnce {
			// 0.9 to 1.5 MB, as the API server takes.
			pod := dear.Pod(name, 900_000+40_000*i, i)
			path := []string{"/mutate", "/validate", "/validate/enforce"}[i%3]
			group.Go(func() { codes[i] = ask(t, client, "https://"+s.address+path, pod) })
		}
		group.Wait()
		t.Logf("%d %s: %v, peak %d MiB, of its own %d", round, name, codes, s.status(t, "VmHWM")>>10, s.status(t, "RssAnon")>>10)
		for _, code := range codes {
			total[code]++
		}
	}
	peak := s.status(t, "VmHWM") >> 10
	t.Logf("%v, %d of %d MiB", total, peak, memory)
	if peak*100 > memory*mostPercent {
		t.Errorf("%d of %d MiB", peak, memory)
	}
	if total[http.StatusOK] == 0 || total[http.StatusOK]+total[http.StatusTooManyRequests] != atOnce*len(dear.Kinds()) {
		t.Errorf("answers: %v", total)
	}
}

// ask sends a Pod as the API server does, and gives the number of the answer; 0 without one.
func ask(t *testing.T, client *http.Client, url, pod string) int {
	body := fmt.Sprintf(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","kind":`+
		`{"group":"","version":"v1","kind":"Pod"},"namespace":"default","operation":"CREATE","object":%s}}`, pod)
	answer, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		t.Error(err)
	}
	return answer.StatusCode
}
