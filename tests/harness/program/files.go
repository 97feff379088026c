package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Limited is a workload with one certain error, HR202, on its line 13.
const Limited = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart}
spec:
  template:
    metadata:
      annotations: {headroom.dev/workload-class: latency-sensitive}
    spec:
      containers:
        - name: app
          resources:
            requests: {cpu: "1", memory: 1Gi}
            limits: {cpu: "2", memory: 1Gi}
`

// Sound is the same workload with nothing to report.
var Sound = strings.Replace(Limited, `limits: {cpu: "2", `, `limits: {`, 1)

// Write puts files into a folder; a name may have folders in it.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
