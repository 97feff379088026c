//go:build integration

package release

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/crane"

	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/ports"
	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tools/release/pack"
)

// TestClients publishes once, and pulls with the programs that people have.
func TestClients(t *testing.T) {
	folder, registry := ofHost(t), startRegistry(t)
	if out, err := publish(t, folder, registry+"/dev"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	version := releaseVersion(t, folder)
	at := func(repository string) string { return registry + "/dev/" + repository + ":" + version }
	t.Run("conftest", func(t *testing.T) { checkConftest(t, folder, at("headroom/policies"), at("pushed/policies")) })
	t.Run("opa", func(t *testing.T) { checkOPA(t, registry, at("headroom/bundle")) })
	t.Run("helm", func(t *testing.T) { checkHelm(t, folder, registry+"/dev", version) })
	t.Run("kyverno", func(t *testing.T) { checkKyverno(t, folder, at("headroom/kyverno")) })
	t.Run("artifacthub", func(t *testing.T) { checkMetadata(t, registry+"/dev/charts/headroom:artifacthub.io") })
}

// checkConftest pulls what was published, and what `conftest push` pushes of the same bundle:
// both are the same files, and give the verdicts of headroom lint.
func checkConftest(t *testing.T, folder, published, pushed string) {
	conftest := program.Tool(t, "conftest")
	bundle, err := pack.UntarGz(read(t, folder, "headroom-policies.tar.gz"))
	check(t, err)
	dir := t.TempDir()
	check(t, bundle.Write(filepath.Join(dir, "bundle")))
	run(t, filepath.Join(dir, "bundle"), conftest, "push", "--tls=false", "--policy", ".", pushed)
	for target, from := range map[string]string{"published": published, "pushed": pushed} {
		run(t, dir, conftest, "pull", "--policy", target, "oci://"+from)
		for _, name := range bundle.Names() {
			if strings.HasSuffix(name, ".rego") && string(read(t, dir, target, name)) != string(bundle[name].Content) {
				t.Errorf("%s: %s is another file", target, name)
			}
		}
		got, want := fromConftest(t, filepath.Join(dir, target)), fromLint(t)
		if !slices.Equal(got, want) || len(want) < 5 {
			t.Errorf("%s: conftest finds\n%s\nheadroom lint\n%s", target, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	out := fails(t, dir, conftest, "pull", "--policy", "none", "oci://"+published+"-other")
	if !strings.Contains(out, "not found") {
		t.Errorf("of a version that is not there: %s", out)
	}
}

const judged = "../../../samples/wrong"

func fromConftest(t *testing.T, policies string) []string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program.Tool(t, "conftest"), "test", "--combine", "--show-builtin-errors",
		"--namespace", "main", "--namespace", "infos", "--policy", policies, "--output", "json", judged)
	out, _ := command.Output() // 1 says that there are findings
	type finding struct {
		Rule, Container string
		Resource        engine.Resource
	}
	var results []struct {
		Warnings, Failures []struct {
			Metadata struct {
				finding
				With []finding // what follows from it
			}
		}
	}
	check(t, json.Unmarshal(out, &results))
	var lines []string
	for _, r := range results {
		for _, f := range append(r.Warnings, r.Failures...) {
			for _, one := range append(f.Metadata.With, f.Metadata.finding) {
				lines = append(lines, fmt.Sprint(one.Rule, one.Resource, one.Container))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func fromLint(t *testing.T) []string {
	t.Helper()
	e, err := engine.New(t.Context(), engine.Options{})
	check(t, err)
	report, err := lint.Run(t.Context(), e, lint.Options{Paths: []string{judged}})
	check(t, err)
	var lines []string
	for _, f := range report.Findings {
		lines = append(lines, fmt.Sprint(f.Rule, f.Resource, f.Container))
	}
	slices.Sort(lines)
	return lines
}

// checkOPA lets OPA itself fetch its bundle from the registry, and asks it.
func checkOPA(t *testing.T, registry, reference string) {
	address, err := ports.Address()
	check(t, err)
	dir := t.TempDir()
	config := fmt.Sprintf(`{"services": {"releases": {"url": "http://%s", "type": "oci"}},
		"bundles": {"headroom": {"service": "releases", "resource": %q}}, "persistence_directory": %q}`,
		registry, reference, filepath.Join(dir, "bundles"))
	check(t, os.WriteFile(filepath.Join(dir, "opa.yaml"), []byte(config), 0o644))
	opa := exec.CommandContext(t.Context(), program.Tool(t, "opa"), "run", "--server", "--addr", address,
		"--config-file", "opa.yaml")
	opa.Dir = dir
	check(t, opa.Start())
	t.Cleanup(func() { _ = opa.Process.Kill(); _ = opa.Wait() })
	waitFor(t, "OPA to load its bundle", func() bool {
		response, err := http.Get("http://" + address + "/health?bundles")
		if err != nil {
			return false
		}
		return response.Body.Close() == nil && response.StatusCode == http.StatusOK
	})
	const pod = `{"input": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "cart",
		"annotations": {"headroom.dev/workload-class": "latency-sensitive"}}, "spec": {"containers": [{"name": "cart", "image": "cart:1.0"}]}}}`
	response, err := http.Post("http://"+address+"/v1/data/main/deny", "application/json", strings.NewReader(pod))
	check(t, err)
	defer response.Body.Close()
	var answer struct{ Result []struct{ Rule string } }
	check(t, json.NewDecoder(response.Body).Decode(&answer))
	if !slices.ContainsFunc(answer.Result, func(r struct{ Rule string }) bool { return r.Rule == "HR301" }) {
		t.Errorf("OPA finds %+v", answer)
	}
}

// checkHelm pulls the chart, and pushes it itself: the registry then has the same of both, but
// for the time.
func checkHelm(t *testing.T, folder, registry, version string) {
	helm, dir := program.Tool(t, "helm"), t.TempDir()
	run(t, dir, helm, "pull", "--plain-http", "oci://"+registry+"/charts/headroom", "--version", version)
	file := "headroom-" + version + ".tgz"
	if string(read(t, dir, file)) != string(read(t, folder, file)) {
		t.Error("helm pulls another chart")
	}
	run(t, dir, helm, "lint", "--strict", file)
	rendered := run(t, dir, helm, "template", "headroom", file)
	if wanted := "image: ghcr.io/headroom-dev/headroom:" + version + "\n"; !strings.Contains(rendered, wanted) {
		t.Errorf("the chart does not use the image of the release, %s", wanted)
	}
	run(t, dir, helm, "push", "--plain-http", file, "oci://"+registry+"/pushed")
	ours, theirs := manifest(t, registry+"/charts/headroom:"+version), manifest(t, registry+"/pushed/headroom:"+version)
	const created = "org.opencontainers.image.created"
	if ours.Annotations[created] != "2026-03-04T05:06:07Z" {
		t.Errorf("created %s", ours.Annotations[created])
	}
	theirs.Annotations[created] = ours.Annotations[created]
	// Helm writes the keys of the config in another order.
	if ours.Config.MediaType != theirs.Config.MediaType || fmt.Sprint(ours.Layers) != fmt.Sprint(theirs.Layers) ||
		fmt.Sprint(ours.Annotations) != fmt.Sprint(theirs.Annotations) {
		t.Errorf("published %+v\npushed by Helm %+v", ours, theirs)
	}
}

type ociManifest struct {
	Config      struct{ MediaType string }
	Layers      []struct{ MediaType, Digest string }
	Annotations map[string]string
}

func manifest(t *testing.T, reference string) ociManifest {
	t.Helper()
	text, err := crane.Manifest(reference)
	check(t, err)
	var read ociManifest
	check(t, json.Unmarshal(text, &read))
	return read
}

// checkKyverno pulls the policies, applies them with Kyverno's own program and builds their
// overlays. `kyverno oci` knows the older kinds of policies only.
func checkKyverno(t *testing.T, folder, reference string) {
	dir := t.TempDir()
	run(t, dir, program.Tool(t, "conftest"), "pull", "--policy", "pulled", "oci://"+reference)
	archive := read(t, dir, "pulled", "headroom-kyverno.tar.gz")
	if string(archive) != string(read(t, folder, "headroom-kyverno.tar.gz")) {
		t.Error("another archive was pulled")
	}
	files, err := pack.UntarGz(archive)
	check(t, err)
	policies := filepath.Join(dir, "policies")
	check(t, files.Write(policies))
	sample, err := filepath.Abs(filepath.Join(judged, "article-service.yaml"))
	check(t, err)
	out := fails(t, dir, program.Tool(t, "kyverno"), "apply", "policies", "--resource", sample)
	if !strings.Contains(out, "HR202 latency-cpu-limit: container article-service: limits.cpu is 2") {
		t.Errorf("Kyverno says %s", out)
	}
	whole := strings.Count(run(t, dir, program.Tool(t, "kubectl"), "kustomize", "policies"), "\nkind: ValidatingPolicy\n")
	denying := run(t, dir, program.Tool(t, "kubectl"), "kustomize", "policies/overlays/deny")
	if whole != 25 || strings.Count(denying, "  - Deny\n") < 5 {
		t.Errorf("%d policies, %d of which refuse", whole, strings.Count(denying, "  - Deny\n"))
	}
	for _, name := range files.Names() {
		if strings.Contains(name, "test") || strings.HasSuffix(name, ".go") {
			t.Errorf("the archive holds %s", name)
		}
	}
}

// checkMetadata: Artifact Hub looks for this layer under this tag.
func checkMetadata(t *testing.T, reference string) {
	got := manifest(t, reference)
	if got.Config.MediaType != "application/vnd.cncf.artifacthub.config.v1+yaml" || len(got.Layers) != 1 ||
		got.Layers[0].MediaType != "application/vnd.cncf.artifacthub.repository-metadata.layer.v1.yaml" {
		t.Errorf("%+v", got)
	}
}
