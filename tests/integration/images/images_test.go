//go:build integration

package images

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

const secret = "canary-in-the-image"

var orders = v1.Config{
	Entrypoint: []string{"java", "-Xmx2g", "-jar", "/app/orders.jar"},
	Env:        []string{"PATH=/usr/bin", "JAVA_VERSION=jdk-21.0.4+7", "JAVA_TOOL_OPTIONS=-XX:+UseSerialGC", "DB_PASSWORD=" + secret},
	Labels:     map[string]string{"org.opencontainers.image.version": "1.4", "team": secret},
}

func manifest(image string) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: orders}
spec:
  selector: {matchLabels: {app: orders}}
  template:
    metadata:
      labels: {app: orders}
      annotations: {headroom.dev/workload-class: latency-sensitive, headroom.dev/cpu-average: 500m}
    spec:
      containers:
        - name: orders
          image: %s
          resources:
            requests: {cpu: 500m, memory: 1Gi}
            limits: {memory: 1Gi}
`, image)
}

// rules are those of the findings, as lint prints them in JSON.
func rules(t *testing.T, out string) map[string]string {
	t.Helper()
	var printed struct {
		Findings []struct{ Rule, Path, Message string }
	}
	if err := json.Unmarshal([]byte(out), &printed); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := map[string]string{}
	for _, f := range printed.Findings {
		found[f.Rule] = f.Path
	}
	return found
}

// TestImages goes the whole way, with a password and with a token: look, lint, lock, and lint and conftest with the lock.
func TestImages(t *testing.T) {
	for kind, registry := range map[string]*registry{"password": passwords(t), "token": tokens(t)} {
		t.Run(kind, func(t *testing.T) { wholeWay(t, registry) })
	}
}

func wholeWay(t *testing.T, r *registry) {
	r.push(t, image(t, "amd64", orders), image(t, "arm64", orders))
	dir := t.TempDir()
	program.Write(t, dir, map[string]string{"deploy/orders.yaml": manifest(r.host + "/team/orders:1")})
	said := ""
	run := func(wanted int, arguments ...string) string {
		t.Helper()
		out, stderr, code := r.headroom(t, dir, arguments...)
		said += out + stderr
		if code != wanted {
			t.Fatalf("headroom %q: exit code %d, not %d\n%s%s", arguments, code, wanted, out, stderr)
		}
		return out
	}

	// Without the image there is nothing to say of a JVM.
	if found := rules(t, run(0, "lint", "deploy", "-o", "json")); found["HR304"] != "" {
		t.Fatalf("found %q without the image", found)
	}
	table := run(0, "images", "deploy", "--registry-ca", r.authority)
	for _, wanted := range []string{"the image's entrypoint runs java", "linux/amd64, assumed", "JAVA_VERSION=jdk-21.0.4+7"} {
		if !strings.Contains(table, wanted) {
			t.Errorf("the table lacks %q\n%s", wanted, table)
		}
	}
	const at = "/spec/template/spec/containers/0/image"
	if found := rules(t, run(1, "lint", "deploy", "-o", "json", "--images", "--registry-ca", r.authority)); found["HR304"] != at {
		t.Errorf("lint --images: %q, wanted HR304 at the image", found)
	}
	run(0, "images", "lock", "deploy", "--registry-ca", r.authority, "--platform", "linux/arm64")
	lock := read(t, filepath.Join(dir, "headroom-images.yaml"))
	if !strings.Contains(lock, "linux/arm64") || strings.Contains(lock, "assumed") {
		t.Errorf("the lock has another platform\n%s", lock)
	}
	run(0, "images", "lock", "deploy", "--registry-ca", r.authority, "--platform", "linux/arm64", "--check")
	if found := rules(t, run(1, "lint", "deploy", "-o", "json", "--images=headroom-images.yaml")); found["HR304"] != at {
		t.Errorf("lint with a lock: %q, wanted HR304 at the image", found)
	}
	program.Write(t, dir, map[string]string{"headroom.yaml": "apiVersion: headroom.dev/v1alpha1\nkind: Config\nimageLock: headroom-images.yaml\n"})
	if found := rules(t, run(1, "lint", "deploy", "-o", "json")); found["HR304"] != at {
		t.Errorf("lint with a config that names the lock: %q, wanted HR304 at the image", found)
	}
	command := exec.CommandContext(t.Context(), program.Tool(t, "conftest"), "test", "--policy", repo.Path("policies", "rego"),
		"--data", "headroom-images.yaml", "--no-color", "deploy/orders.yaml")
	command.Dir = dir
	if out, _, _ := program.Run(t, command); !strings.Contains(out, "HR304") {
		t.Errorf("conftest with the lock finds no HR304\n%s", out)
	}

	// What the image sets goes along with what a fix adds.
	run(0, "fix", "deploy", "--images=headroom-images.yaml")
	fixed := read(t, filepath.Join(dir, "deploy", "orders.yaml"))
	if !strings.Contains(fixed, "-XX:ActiveProcessorCount=2 -XX:+UseSerialGC") {
		t.Errorf("fix lost what the image sets\n%s", fixed)
	}

	// The cache alone is enough for a digest, and for nothing else.
	var known struct{ Containers []struct{ Digest string } }
	if err := json.Unmarshal([]byte(run(0, "images", "deploy", "-o", "json", "--registry-ca", r.authority)), &known); err != nil {
		t.Fatal(err)
	}
	pinned := r.host + "/team/orders@" + known.Containers[0].Digest
	program.Write(t, dir, map[string]string{"pinned/orders.yaml": manifest(pinned)})
	if out := run(0, "images", "pinned", "--offline"); !strings.Contains(out, "entrypoint  java -Xmx2g") {
		t.Errorf("the cache does not know %s\n%s", pinned, out)
	}
	run(2, "images", "deploy", "--offline", "--images-required")
	for _, canary := range []string{secret, password} {
		if strings.Contains(said+lock, canary) {
			t.Errorf("%q was said", canary)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestImagesThatCannotBeRead: one line each, and the rest is judged.
func TestImagesThatCannotBeRead(t *testing.T) {
	r := passwords(t)
	r.push(t, image(t, "amd64", orders))
	dir := t.TempDir()
	program.Write(t, dir, map[string]string{
		"a.yaml": manifest(r.host + "/team/orders:1"), "b.yaml": manifest(r.host + "/team/none:1"),
		"c.yaml": manifest("localhost:1/team/orders:1"), "d.yaml": manifest("'no image'"),
	})
	out, said, code := r.headroom(t, dir, "lint", ".", "-o", "json", "--images", "--registry-ca", r.authority)
	if code != 1 || rules(t, out)["HR304"] == "" {
		t.Errorf("exit code %d\n%s", code, out)
	}
	for _, wanted := range []string{
		"/team/none:1: the registry has no such image", "localhost:1/team/orders:1: ", "no image: is not the name of an image, such as registry.example.com/shop/cart:1.4",
	} {
		if strings.Count(said, wanted) != 1 {
			t.Errorf("%q was not said once\n%s", wanted, said)
		}
	}
	if _, _, code := r.headroom(t, dir, "lint", ".", "--images", "--images-required", "--registry-ca", r.authority); code != 2 {
		t.Errorf("exit code %d where images are required", code)
	}
	// A user without the password learns nothing.
	stranger := *r
	stranger.docker = t.TempDir()
	if _, said, _ := stranger.headroom(t, dir, "images", "a.yaml", "--registry-ca", r.authority, "--registry-mirror", "x=y"); !strings.Contains(said, "wants other credentials") {
		t.Errorf("without credentials it said\n%s", said)
	}
	if _, said, _ := r.headroom(t, dir, "images", "a.yaml"); !strings.Contains(said, "certificate") {
		t.Errorf("without the CA it said\n%s", said)
	}
}
