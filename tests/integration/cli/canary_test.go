//go:build integration

package cli

import (
	"strings"
	"testing"
)

// Values that may be secret, in what headroom reads closely and says much of.
const canaried = `apiVersion: v1
kind: Pod
metadata:
  name: app
  annotations:
    headroom.dev/workload-class: latency-sensitive
spec:
  containers:
  - name: app
    image: registry.example.com/app:1
    command:
    - java
    - -Dpassword=kanarie
    - -XX:OnOutOfMemoryError=curl -H kanarie
    - -XX:OnOutOfMemoryError=kanarie
    - -Xmx1gkanarie
    - -XX:MaxRAMPercentage=5kanarie
    - -Xkanarie
    - -jar
    - app.jar
    - --token=kanarie
    - -Xmx2kanarie
    env:
    - {name: PASSWORD, value: kanarie}
    - {name: JAVA_TOOL_OPTIONS, value: "-Dtoken=kanarie kanarie -XX:Flags=kanarie"}
    - {name: JAVA_OPTS, value: "-Xms1kanarie -Dx=kanarie"}
    resources:
      requests: {cpu: "1", memory: 1Gi}
      limits: {cpu: "1", memory: 1Gi}
  - name: go
    image: registry.example.com/go:1
    env:
    - {name: GOMEMLIMIT, value: kanarie}
    - {name: GOMAXPROCS, value: 2kanarie}
    resources:
      requests: {cpu: "1", memory: 1Gi}
      limits: {cpu: "1", memory: 1Gi}
  - name: pool
    image: registry.example.com/py:1
    command: [gunicorn, -w, kanarie, --keyfile, kanarie]
    resources:
      requests: {cpu: "1", memory: 1Gi}
      limits: {cpu: "1", memory: 1Gi}
`

// No output of any command tells a value that it was not asked for.
func TestNoOutputTellsAValue(t *testing.T) {
	dir := write(t, map[string]string{"pod.yaml": canaried})
	commands := [][]string{
		{"explain", "pod.yaml"},
		{"explain", "-o", "json", "pod.yaml"},
		{"init"},
		{"fix", "pod.yaml"},
		{"lint", "--preview", "enforce", "pod.yaml"},
		{"lint", "--verbose", "--show", "info", "pod.yaml"},
	}
	for _, format := range []string{"table", "json", "sarif", "junit", "github", "gitlab", "markdown", "html"} {
		commands = append(commands, []string{"lint", "--verbose", "-o", format, "pod.yaml"})
	}
	for _, command := range commands {
		out := headroom(t, dir, "", command...)
		if said := out.stdout + out.stderr; strings.Contains(said, "kanarie") || len(said) < 100 {
			at := max(0, strings.Index(said, "kanarie"))
			t.Errorf("headroom %v (exit code %d): …%s…", command, out.code, said[max(0, at-200):min(len(said), at+100)])
		}
	}
}
