//go:build integration

package overload

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/dear"
)

const (
	// mostOfAProcessor is what one request may take, whatever it says.
	mostOfAProcessor = time.Second
	// longestBody is what the webhook reads of a request, less what is around a field.
	longestBody = 7<<20 - 1000
)

// review is one of a fields' values, as the API server sends it but for what a test changes.
func review(fields map[string]string) string {
	request := map[string]string{
		"uid": `"u"`, "kind": `{"group":"","version":"v1","kind":"Pod"}`, "resource": `{"group":"","version":"v1","resource":"pods"}`,
		"name": `"p"`, "namespace": `"default"`, "operation": `"CREATE"`, "userInfo": `{"username":"me"}`, "object": dear.Pod("flags", 1000, 0),
		"oldObject": "null", "dryRun": "false",
	}
	for name, value := range fields {
		request[name] = value
	}
	var list []string
	for name, value := range request {
		list = append(list, fmt.Sprintf("%q:%s", name, value))
	}
	return `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{` + strings.Join(list, ",") + `}}`
}

// odd are values that no field has.
func odd() map[string]string {
	fill := func(each string) string { return strings.Repeat(each, longestBody/len(each)) }
	return map[string]string{
		"null": `null`, "a number": `1`, "no number": `1e999`, "a long number": "1" + fill("0"), "a large exponent": `1e999999999`, "a small one": `-1e-999999999`, "a longer one": "1e" + fill("9"), "a list": `[[]]`, "a map": `{"":{}}`, "true": `true`,
		"an empty text": `""`, "half a surrogate": `"\ud800"`, "half an escape": `"\u12"`, "no UTF-8": "\"\xff\xfe\xed\xa0\x80\"", "NUL": "\"\x00\"", "NUL written": `"\u0000"`,
		"lines": `"a\nb\u001b[31m"`, "a long text": `"` + fill("x") + `"`, "long escapes": `"` + fill(`\u00e9`) + `"`, "backslashes": `"` + fill(`\\`) + `"`,
		"100 000 deep": strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), "maps 100 000 deep": strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000),
		"brackets": fill("["), "lists": "[" + fill("[],") + "[]]", "numbers": "[" + fill("1,") + "1]", "keys": "{" + fill(`"":1,`) + `"":1}`,
		"long keys": `{"` + fill("k") + `":1}`, "maps": "[" + fill(`{"kind":"Pod"},`) + "{}]", "no end": `{"a":`, "two": `1,2`, "NaN": `NaN`, "blanks": fill(" ") + "1",
	}
}

// Whatever a field of a review or a part of the object holds, the answer is a review or an error of the client's. It takes at
// most a second of a processor, and no more memory than ever; nothing panics.
func TestHostileReviews(t *testing.T) {
	memory, _ := limits(t)
	s := serve(t, "enabled")
	client := s.client()
	s.forget(t)
	send := func(name, path, body string) {
		before := s.processor(t)
		code, answer := s.send(t, client, path, body)
		if took := s.processor(t) - before; took > mostOfAProcessor {
			t.Errorf("%s to %s took %v of a processor", name, path, took)
		} else if took > mostOfAProcessor/4 {
			t.Logf("%s to %s took %v", name, path, took)
		}
		if code != http.StatusOK && (code < 400 || code >= 500) {
			t.Errorf("%s to %s: %d", name, path, code)
		}
		var said map[string]any
		if code == http.StatusOK && json.Unmarshal([]byte(answer), &said) != nil {
			t.Errorf("%s to %s: %.100s", name, path, answer)
		}
	}
	paths := []string{"/mutate", "/validate", "/validate/enforce"}
	for _, field := range []string{"uid", "kind", "subResource", "operation", "name", "namespace", "object", "oldObject", "userInfo", "options", "dryRun"} {
		for name, value := range odd() {
			send(field+" is "+name, paths[len(name)%3], review(map[string]string{field: value}))
		}
	}
	for _, part := range []string{
		`{"apiVersion":%s,"kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a"}]}}`,
		`{"apiVersion":"v1","kind":%s,"metadata":{"name":"p"},"spec":{"containers":[{"name":"a"}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":%s,"spec":{"containers":[{"name":"a"}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%s},"spec":{"containers":[{"name":"a"}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","ownerReferences":%s},"spec":{"containers":[{"name":"a"}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","ownerReferences":[{"controller":true,"apiVersion":"batch/v1","kind":"Job","name":%s}]},"spec":{}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","annotations":%s},"spec":{"containers":[{"name":"a"}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":%s}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":%s}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":%s}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","command":%s}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","env":[{"name":"JAVA_TOOL_OPTIONS","value":%s}]}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":%s,"memory":"1Gi"}}}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a"}],"containers":%s}}`,
	} {
		for name, value := range odd() {
			value = value[:min(len(value), 3<<20-500)] // what is cut is no JSON
			send(fmt.Sprintf("%s with %s", part, name), paths[len(name)%3], review(map[string]string{"object": fmt.Sprintf(part, value)}))
		}
	}
	peak := s.status(t, "VmHWM") >> 10
	t.Logf("%d of %d MiB", peak, memory)
	if peak*100 > memory*mostPercent {
		t.Errorf("%d of %d MiB", peak, memory)
	}
	if metrics := s.measures(t); !strings.Contains(metrics, "\nheadroom_panics_total 0\n") {
		t.Error("a panic")
	}
}

// Sixteen updates and resizes at once, of objects that were as large as they may be before: what was is read, too.
func TestDearPredecessorsAtOnce(t *testing.T) {
	memory, _ := limits(t)
	s := serve(t, "enabled")
	client := s.client()
	s.forget(t)
	lists := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"a","args":["` + strings.Repeat(`","`, 3<<20/3-100) + `"]}]}}`
	deployment := func(spec string) string {
		return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"template":{"spec":{"containers":[` + spec + `]}}}}`
	}
	small := deployment(`{"name":"a","resources":{"limits":{"cpu":"2","memory":"512m"}}}`)
	large := deployment(`{"name":"a","resources":{"limits":{"cpu":"2","memory":"512m"}},"args":["` + strings.Repeat(`","`, 3<<20/3-100) + `"]}`)
	for name, fields := range map[string]map[string]string{
		"a resize":  {"subResource": `"resize"`, "operation": `"UPDATE"`, "oldObject": lists},
		"an update": {"kind": `{"group":"apps","version":"v1","kind":"Deployment"}`, "operation": `"UPDATE"`, "object": small, "oldObject": large},
	} {
		body := review(fields)
		before := s.processor(t)
		code, answer := s.send(t, client, "/validate/enforce", body)
		t.Logf("%s took %v of a processor, peak %d MiB: %d %.150s", name, s.processor(t)-before, s.status(t, "VmHWM")>>10, code, answer)
		codes := make([]int, atOnce)
		var group sync.WaitGroup
		for i := range atOnce {
			group.Go(func() { codes[i], _ = s.send(t, client, "/validate/enforce", body) })
		}
		group.Wait()
		t.Logf("%s: %v, peak %d MiB", name, codes, s.status(t, "VmHWM")>>10)
	}
	if peak := s.status(t, "VmHWM") >> 10; peak*100 > memory*mostPercent {
		t.Errorf("%d of %d MiB", peak, memory)
	}
}

// send asks the webhook, and gives the number of the answer and its text.
func (s *server) send(t *testing.T, client *http.Client, path, body string) (int, string) {
	answer, err := client.Post("https://"+s.address+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return answer.StatusCode, string(text)
}

// processor is what the webhook has taken of a processor.
func (s *server) processor(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	total := 0
	for _, field := range strings.Fields(rest)[11:13] { // utime and stime, in ticks of 10 ms
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		total += n
	}
	return time.Duration(total) * 10 * time.Millisecond
}

func (s *server) measures(t *testing.T) string {
	t.Helper()
	answer, err := http.Get("http://" + s.metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
