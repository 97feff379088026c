//go:build integration

// Package scripts follows advice for images that start java by a script of their own. It leads through that script, as
// far as its record knows it, into a real JVM.
package scripts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/repo"
	"github.com/headroom-dev/headroom/tests/harness/wanted"
)

// limits are memory limits: of some the heaps in the examples are too large.
var limits = []string{"320Mi", "1Gi", "6Gi"}

// onHeap are the rules whose advice names a heap, and flags beside it.
var onHeap = regexp.MustCompile(`^HR(?:30[34567]|406)$`)

// Where a finding names a variable of the image's script, the script makes the flags of it that the finding names, and a
// JVM starts with them.
func TestAdviceGoesThroughTheScript(t *testing.T) {
	found, err := jdks.Find()
	if err != nil || len(found) == 0 {
		t.Fatalf("%d JVMs: %v", len(found), err)
	}
	e := defaults.Engine(t)
	files := filesOf(t, "scripts/")
	scripts := map[string][]part{}
	for _, file := range files {
		for _, r := range records(t, file, nil) {
			for _, name := range r.Scripts {
				scripts[name] = r.Line
			}
		}
	}
	files = append(files, filesOf(t, "")...)
	counts := map[string]int{}
	for _, file := range files {
		seen := map[string]bool{}
		for i, r := range records(t, file, scripts) {
			folder := strings.TrimPrefix(filepath.Base(filepath.Dir(file))+"/", "images/")
			name := fmt.Sprintf("%s%s/%d", folder, strings.TrimSuffix(filepath.Base(file), ".yaml"), i)
			if r.VM != "" {
				continue // another VM's flags
			}
			t.Run(name, func(t *testing.T) { r.follow(t, e, found, seen, counts) })
		}
		if len(seen) > 0 {
			counts["families"]++
		}
	}
	t.Logf("%d ways followed in %d families; %d times the script does not start here", counts["followed"], counts["families"], counts["elsewhere"])
	if counts["followed"] < 100 {
		t.Error("hardly any advice was followed")
	}
}

func filesOf(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(repo.Path("policies/rego/headroom/images/" + folder + "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// records are those of a file; a part of a line that names a script is the line of that script.
func records(t *testing.T, file string, scripts map[string][]part) []record {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var family map[string][]record
	if err := yaml.Unmarshal(text, &family); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	all := family[strings.TrimSuffix(filepath.Base(file), ".yaml")]
	for i, r := range all {
		all[i].Line = nil
		for _, p := range r.Line {
			if p.Script != "" {
				all[i].Line = append(all[i].Line, scripts[p.Script]...)
			} else {
				all[i].Line = append(all[i].Line, p)
			}
		}
	}
	return all
}

// follow takes each kind of advice once a family: the place and the names of the flags tell kinds apart.
func (r record) follow(t *testing.T, e *engine.Engine, found []jdks.JDK, seen map[string]bool, counts map[string]int) {
	for _, x := range r.Examples {
		for _, limit := range append(slices.Clone(limits), x.Limit) {
			// What a command exports is not the image's script's.
			if limit == "" || strings.Contains(strings.Join(slices.Concat(x.Command, x.Args), " "), "export ") {
				continue
			}
			result, err := e.Evaluate(t.Context(), engine.Review{Manifest: r.pod(x, limit)})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range result.Findings {
				if !onHeap.MatchString(f.Rule) {
					continue
				}
				for _, way := range wanted.Ways(f.Expected) {
					kind := f.Rule + regexp.MustCompile(`\d+`).ReplaceAllString(way.String(), "")
					if seen[kind] || way.Place == "" && way.Sizes == nil {
						continue
					}
					seen[kind] = true
					r.take(t, found, x, limit, f, way, counts)
				}
			}
		}
	}
}

func (r record) pod(x example, limit string) map[string]any {
	env := []any{}
	for name, value := range x.Env {
		env = append(env, map[string]any{"name": name, "value": value})
	}
	container := map[string]any{
		"name": "app", "image": x.Image, "env": env,
		"resources": map[string]any{
			"requests": map[string]any{"cpu": "2", "memory": limit}, "limits": map[string]any{"memory": limit},
		},
	}
	for key, words := range map[string][]string{"command": x.Command, "args": x.Args} {
		if len(words) > 0 {
			list := []any{}
			for _, word := range words {
				list = append(list, word)
			}
			container[key] = list
		}
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "a"},
		"spec": map[string]any{"containers": []any{container}},
	}
}

// take does what the finding wants, and starts the script with and without it.
func (r record) take(t *testing.T, found []jdks.JDK, x example, limit string, f engine.Finding, way wanted.Way, counts map[string]int) {
	t.Helper()
	java := nearest(found, r.release(x.tag()))
	after := r.pod(x, limit)
	wanted.Follow(after, "app", way)
	flags, said, err := r.start(t, java, x, after)
	if err != nil {
		if _, _, without := r.start(t, java, x, r.pod(x, limit)); without != nil {
			counts["elsewhere"]++
			return
		}
		t.Errorf("%s at %s: %s wants %q; JDK %d: %v\n%s", x.Image, limit, f.Rule, f.Expected, java.Feature, err, said)
		return
	}
	counts["followed"]++
	for _, flag := range way.Flags {
		if name, value := printed(flag); flags[name] != value && flags[name] != rounded(flags, name, value) {
			t.Errorf("%s at %s: %s wants %q; the JVM has %s=%s, not %s", x.Image, limit, f.Rule, f.Expected, name, flags[name], value)
		}
	}
}

// nearest is a JVM of the release, or the next that is here.
func nearest(found []jdks.JDK, release int) jdks.JDK {
	for _, j := range found {
		if j.Feature >= release {
			return j
		}
	}
	return found[len(found)-1]
}

var flagLine = regexp.MustCompile(`(?m)^\s*\S+\s+(\w+)\s+:?=\s*(\S*)`)

// start runs the script with the Pod's variables. It gives what the JVM makes of the flags, by their names.
func (r record) start(t *testing.T, java jdks.JDK, x example, pod map[string]any) (map[string]string, string, error) {
	t.Helper()
	container := pod["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
	limit := container["resources"].(map[string]any)["limits"].(map[string]any)["memory"].(string)
	command := exec.CommandContext(t.Context(), "sh", "-c", r.script(x, bytesOf(limit)))
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "JAVA=" + java.Java}
	env, _ := container["env"].([]any)
	for _, entry := range env {
		entry := entry.(map[string]any)
		command.Env = append(command.Env, fmt.Sprintf("%s=%s", entry["name"], entry["value"]))
	}
	out, err := command.CombinedOutput()
	flags := map[string]string{}
	for _, m := range flagLine.FindAllStringSubmatch(string(out), -1) {
		flags[m[1]] = m[2]
	}
	return flags, string(out[:min(len(out), 400)]), err
}

// printed is a flag as a JVM prints it.
func printed(flag string) (name, value string) {
	for short, long := range map[string]string{"-Xmx": "MaxHeapSize", "-Xms": "InitialHeapSize"} {
		if text, found := strings.CutPrefix(flag, short); found {
			return long, inBytes(text)
		}
	}
	name, value, _ = strings.Cut(strings.TrimPrefix(flag, "-XX:"), "=")
	switch {
	case strings.HasPrefix(name, "+"):
		return name[1:], "true"
	case strings.HasPrefix(name, "-"):
		return name[1:], "false"
	case strings.Contains(value, "."):
		n, _ := strconv.ParseFloat(value, 64)
		return name, fmt.Sprintf("%f", n)
	}
	return name, inBytes(value)
}

// rounded is a heap in whole regions of G1.
func rounded(flags map[string]string, name, value string) string {
	region, _ := strconv.ParseInt(flags["G1HeapRegionSize"], 10, 64)
	bytes, err := strconv.ParseInt(value, 10, 64)
	if err != nil || region == 0 || flags["UseG1GC"] != "true" || name != "MaxHeapSize" {
		return value
	}
	return strconv.FormatInt((bytes+region-1)/region*region, 10)
}

var units = map[string]int64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}

func inBytes(text string) string {
	number := strings.TrimRight(text, "kmg")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return text
	}
	if unit := units[text[len(number):]]; unit > 0 {
		n *= unit
	}
	return strconv.FormatInt(n, 10)
}
