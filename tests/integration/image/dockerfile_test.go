//go:build integration

package image

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tools/container/image"
)

// instruction is one line of a Dockerfile, continuation lines joined.
type instruction struct{ name, rest string }

// TestDockerfile holds the Dockerfile to what tools/container makes: same user, entrypoint,
// labels, files and build flags.
func TestDockerfile(t *testing.T) {
	lines := dockerfile(t)
	last := slices.IndexFunc(lines, func(i instruction) bool { return i.name == "FROM" && i.rest == "scratch" })
	if last < 0 {
		t.Fatal("the last stage does not start FROM scratch")
	}
	buildStage, final := lines[:last], lines[last+1:]

	if got := rest(final, "USER"); !slices.Equal(got, []string{image.User}) {
		t.Errorf("USER %q", got)
	}
	var entrypoint []string
	for _, text := range rest(final, "ENTRYPOINT") {
		check(t, json.Unmarshal([]byte(text), &entrypoint))
	}
	if !slices.Equal(entrypoint, image.Entrypoint) {
		t.Errorf("ENTRYPOINT %q", entrypoint)
	}
	if got := rest(final, "WORKDIR"); !slices.Equal(got, []string{"/"}) {
		t.Errorf("WORKDIR %q", got)
	}
	copies := []string{
		"--from=build --chmod=0755 /out/headroom /" + image.BinaryPath,
		"--from=build --chmod=0644 /src/LICENSE /" + image.LicensePath,
	}
	if got := rest(final, "COPY"); !slices.Equal(got, copies) {
		t.Errorf("COPY %q", got)
	}
	if got, wanted := labels(rest(final, "LABEL")), wantedLabels(); !maps.Equal(got, wanted) {
		t.Errorf("LABEL %v\nwanted %v", got, wanted)
	}
	for _, name := range []string{"RUN", "ADD", "ENV", "CMD", "EXPOSE", "VOLUME", "FROM"} {
		if got := rest(final, name); got != nil {
			t.Errorf("the last stage has %s %q", name, got)
		}
	}
	// The flags hold one that is quoted in the shell.
	flags := image.BuildFlags("${VERSION}")
	flags[len(flags)-1] = `"` + flags[len(flags)-1] + `"`
	build := "go build " + strings.Join(flags, " ") + " -o /out/headroom ./cmd/headroom"
	commands := strings.Join(rest(buildStage, "RUN"), "\n")
	if !strings.Contains(commands, build) {
		t.Errorf("RUN does not %q:\n%s", build, commands)
	}
	if env := rest(buildStage, "ENV"); !slices.Equal(env, []string{"CGO_ENABLED=0 GOTOOLCHAIN=local"}) {
		t.Errorf("ENV %q", env)
	}
}

// The image has to be built with a release of the Go that go.mod asks for.
func TestDockerfileGo(t *testing.T) {
	mod, err := os.ReadFile("../../../go.mod")
	check(t, err)
	wanted := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	got := rest(dockerfile(t), "ARG")
	if len(got) == 0 || !regexp.MustCompile(`^GO_VERSION=`+string(wanted[1])+`\.\d+$`).MatchString(got[0]) {
		t.Errorf("ARG %q, and go.mod asks for Go %s", got, wanted[1])
	}
}

// TestDockerignore holds the list of what goes to the build to what the build reads.
func TestDockerignore(t *testing.T) {
	content, err := os.ReadFile("../../../.dockerignore")
	check(t, err)
	var admitted []string
	for line := range strings.Lines(string(content)) {
		if name, found := strings.CutPrefix(strings.TrimSpace(line), "!"); found {
			admitted = append(admitted, name)
		}
	}
	files, err := sources()
	check(t, err)
	used := map[string]bool{}
	for _, file := range files {
		at := slices.IndexFunc(admitted, func(a string) bool { return file == a || strings.HasPrefix(file, a+"/") })
		if at < 0 {
			t.Errorf("%s is not sent to the build", file)
			continue
		}
		used[admitted[at]] = true
	}
	for _, name := range admitted {
		if !used[name] {
			t.Errorf("nothing of %s is used by the build", name)
		}
	}
}

func dockerfile(t *testing.T) []instruction {
	t.Helper()
	content, err := os.ReadFile("../../../Dockerfile")
	check(t, err)
	text := regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(string(content), "")
	text = regexp.MustCompile(`\\\n\s*`).ReplaceAllString(text, "")
	var out []instruction
	for line := range strings.Lines(text) {
		if name, rest, found := strings.Cut(strings.TrimSpace(line), " "); found {
			out = append(out, instruction{name, rest})
		}
	}
	return out
}

func rest(lines []instruction, name string) []string {
	var out []string
	for _, line := range lines {
		if line.name == name {
			out = append(out, line.rest)
		}
	}
	return out
}

func labels(lines []string) map[string]string {
	out := map[string]string{}
	for _, match := range regexp.MustCompile(`([\w.]+)="([^"]*)"`).FindAllStringSubmatch(strings.Join(lines, " "), -1) {
		out[match[1]] = match[2]
	}
	return out
}

func wantedLabels() map[string]string {
	out := image.Release{Version: "${VERSION}", Revision: "${REVISION}", Created: time.Unix(0, 0)}.Labels()
	out["org.opencontainers.image.created"] = "${CREATED}"
	return out
}
