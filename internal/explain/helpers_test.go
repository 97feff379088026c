package explain

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// explained explains a manifest that stands in a file.
func explained(t testing.TB, manifest string, o Options) *Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "manifest.yaml")
	if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Paths = append(o.Paths, file)
	r, err := Run(t.Context(), defaults.Engine(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func changes(t testing.TB, text string) []Change {
	t.Helper()
	list, err := ParseChanges(text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func text(t testing.TB, r *Report, format string, columns int) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, format, r, false, columns); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// says fails where an output lacks any of these texts.
func says(t testing.TB, out string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(out, w) {
			t.Errorf("does not say %q:\n%s", w, out)
		}
	}
}

// jvm is a Deployment of one JVM with what a test adds to its container.
func jvm(container ...string) string {
	return `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop}
spec:
  template:
    metadata: {annotations: {headroom.dev/workload-class: latency-sensitive, headroom.dev/cpu-average: 700m}}
    spec:
      containers:
      - name: app
        image: registry.example/cart:1
        command: [java, -jar, a.jar]
        ` + strings.Join(container, "\n        ") + "\n"
}

const limits = `resources: {requests: {cpu: "1", memory: 4Gi}, limits: {cpu: "2", memory: 4Gi}}`
