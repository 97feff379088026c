package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ofGo is what Go, its libraries and its YAML and JSON packages call things; no person who wrote a manifest knows it.
var ofGo = regexp.MustCompile(`map\[|interface ?\{|\[\](?:interface|string|byte|any|u?int)|struct \{|` +
	`\*[a-z]\w*\.[A-Z]|\bstrconv\.|\breflect[:.]|\b(?:json|yaml): |%!|<nil>|[uU]nmarshal|` +
	`!!(?:map|seq|str|int|float|bool|null|binary|timestamp)\b|Go (?:value|struct)|runtime error|goroutine|\b0x[0-9a-f]{6,}`)

// said runs a command and gives all that it says.
func said(t *testing.T, arguments ...string) (string, int) {
	t.Helper()
	root := rootCommand()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetIn(strings.NewReader(""))
	root.SetArgs(arguments)
	code := execute(t.Context(), root)
	return out.String(), code
}

// Every flag of every command says of a value that it does not take what it takes, in plain words.
func TestFlagsInPlainWords(t *testing.T) {
	refused := 0
	var visit func(*cobra.Command)
	visit = func(command *cobra.Command) {
		for _, next := range command.Commands() {
			visit(next)
		}
		if found := ofGo.FindString(command.UsageString()); found != "" {
			t.Errorf("%s --help has %q", command.CommandPath(), found)
		}
		command.Flags().VisitAll(func(f *pflag.Flag) {
			for _, value := range []string{"1k", "{}", "99999999999999999999", "a=b=c", `"`, ""} {
				err := command.Flags().Set(f.Name, value)
				if err == nil {
					continue
				}
				refused++
				if text := command.FlagErrorFunc()(command, err).Error(); ofGo.MatchString(text) {
					t.Errorf("%s --%s=%s: %s", command.CommandPath(), f.Name, value, text)
				}
			}
		})
	}
	visit(rootCommand())
	if refused < 100 {
		t.Errorf("only %d values were refused", refused)
	}
}

const (
	soundManifest = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop, labels: {app: cart}}
spec:
  replicas: 2
  template:
    metadata:
      annotations:
        headroom.dev/workload-class: batch
        cpu-average.headroom.dev/app: 500m
    spec:
      containers:
        - name: app
          image: eclipse-temurin:21
          command: [java, -Xmx512m, -jar, app.jar]
          env: [{name: JAVA_TOOL_OPTIONS, value: -XX:MaxRAMPercentage=50}]
          ports: [{containerPort: 8080}]
          resources:
            requests: {cpu: 500m, memory: 1Gi}
            limits: {cpu: 1, memory: 1Gi}
`
	jsonManifest = `{"apiVersion": "v1", "kind": "Pod",
  "metadata": {"name": "a", "annotations": {"headroom.dev/workload-class": "batch"}},
  "spec": {"containers": [
    {"name": "app", "image": "redis:7",
     "resources": {"requests": {"cpu": "1"}, "limits": {"memory": "1Gi"}}}
  ]}}
`
	soundConfig = `apiVersion: headroom.dev/v1alpha1
kind: Config
defaultClass: batch
tolerance: 0.25
matrix:
  batch: {request: average, limit: {timesAverage: 2}}
sidecars:
  names: [envoy]
memory: {headroom: 0.2, peak: 0.8}
jvm: {threads: 250, native: "", gcPause: 20ms}
measured: {minSamples: 10, maxAge: 24h}
rules:
  HR302: {severity: warning}
ignore:
  - {rules: [HR101], namespace: shop, reason: known, until: 2030-01-01}
`
	soundLock = `apiVersion: headroom.dev/v1alpha1
kind: ImageLock
headroom:
  image_lock:
    references:
      redis:7: sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    images:
      sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:
        platform: linux/amd64
        entrypoint: [redis-server]
        environment: {JAVA_VERSION: "21"}
`
	soundBaseline = `schema: headroom.dev/baseline/v1
findings:
  - rule: HR302
    kind: Deployment
    namespace: shop
    name: cart
    container: app
    severity: error
`
	soundMeasured = `{"schema": "headroom.dev/findings/v1", "cluster": {"taken": "2026-01-01T00:00:00Z"},
  "workloads": [{
    "resource": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "cart"},
    "containers": [{"name": "app",
      "measured": {"source": "prometheus", "windowSeconds": 3600, "samples": 100, "ageSeconds": 5,
        "cpuAverage": "500m", "cpuPeak": "1", "memoryPeak": "1Gi"}}]}]}
`
	soundScenario = `apiVersion: headroom.dev/v1alpha1
kind: Scenario
title: a pause
processors: 4
limit: ["2", none]
loads:
  - name: application
    threads: 8
    work: 18ms
`
)

// damagedInputs are what commands read, and how: DAMAGED is the damaged file.
var damagedInputs = []struct{ file, text, commands string }{
	{"m.yaml", soundManifest, "lint DAMAGED -o json; explain DAMAGED; fix --diff DAMAGED; size DAMAGED;" +
		"images --offline DAMAGED; annotate --measured measured.json DAMAGED"},
	{"m.json", jsonManifest, "lint DAMAGED; explain DAMAGED -o json; fix --diff DAMAGED; size DAMAGED -o json"},
	{"headroom.yaml", soundConfig, "lint --config DAMAGED cart.yaml; fix --check --config DAMAGED cart.yaml"},
	{"lock.yaml", soundLock, "lint --images=DAMAGED cart.yaml; images lock --offline -o DAMAGED cart.yaml"},
	{"baseline.yaml", soundBaseline, "lint --baseline DAMAGED cart.yaml"},
	{"used.json", soundMeasured, "annotate --measured DAMAGED cart.yaml; size --measured DAMAGED cart.yaml"},
	{"scenario.yaml", soundScenario, "simulate DAMAGED"},
}

// oddities are values and keys that stand where others are expected.
var oddities = []string{
	"{a: {b: [1]}}", "[1, {a: b}]", "null", "~", "1e999", ".nan", "-.inf", "99999999999999999999", "0x1F", "2024-13-45",
	"!!int abc", "!!binary zz", "!!map a", "!x {a: 1}", "*gone", "&a [*a]", "<<", "? {a: 1}", "? [a]", `"\x"`, "'", "- - -",
	"{{ .Values.x }}", "yes", "1Gii", "-1", "true", "\t", "\x00", "\xff", "{\"a\": 1}: 2", "1: 2", "[{}]: 3", "|", ">-", "%YAML 9", "---", "{", "[", ",",
}

var scalar = regexp.MustCompile(`[A-Za-z0-9./_-]+`)

// damage changes a text in a few places.
func damage(random *rand.Rand, text string) string {
	for range 1 + random.IntN(3) {
		odd := oddities[random.IntN(len(oddities))]
		lines := strings.SplitAfter(text, "\n")
		line := random.IntN(len(lines))
		switch random.IntN(7) {
		case 0, 1, 2: // a value or a key
			places := scalar.FindAllStringIndex(text, -1)
			if len(places) > 0 {
				at := places[random.IntN(len(places))]
				text = text[:at[0]] + odd + text[at[1]:]
			}
		case 3: // all behind a key
			if key, _, found := strings.Cut(lines[line], ": "); found {
				lines[line] = key + ": " + odd + "\n"
			}
			text = strings.Join(lines, "")
		case 4: // a line more
			lines[line] = strings.Repeat(" ", random.IntN(8)) + odd + "\n" + lines[line]
			text = strings.Join(lines, "")
		case 5: // a line less
			lines[line] = ""
			text = strings.Join(lines, "")
		default:
			text = text[:random.IntN(len(text)+1)]
		}
	}
	return text
}

// However an input is damaged, nothing that is said of it is in the words of Go.
func TestDamagedInputsInPlainWords(t *testing.T) {
	const seed, rounds = 1, 12 // of each command
	random := rand.New(rand.NewPCG(seed, 0))
	codes := map[int]int{}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"cart.yaml": soundManifest, "measured.json": soundMeasured} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, input := range damagedInputs {
		for command := range strings.SplitSeq(input.commands, ";") {
			for range rounds {
				damaged := damage(random, input.text)
				if err := os.WriteFile(input.file, []byte(damaged), 0o600); err != nil {
					t.Fatal(err)
				}
				arguments := strings.Fields(strings.ReplaceAll(command, "DAMAGED", input.file))
				text, code := said(t, arguments...)
				codes[code]++
				if found := ofGo.FindString(text); found != "" && !strings.Contains(damaged, found) {
					t.Errorf("seed %d: %q: exit code %d: %q\n%s\n%s", seed, arguments, code, found, damaged, text)
				}
			}
		}
	}
	if codes[exitFailed] == 0 || codes[exitClean] == 0 {
		t.Errorf("all ended alike: %v", codes)
	}
}
