//go:build integration

package changed

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const limits = `apiVersion: v1
kind: LimitRange
metadata: {name: defaults, namespace: shop}
spec:
  limits:
    - type: Container
      default: {cpu: "1"}
`

func inShop(text, name string) string {
	return strings.Replace(text, "{name: "+name+"}", "{name: "+name+", namespace: shop}", 1)
}

// TestNeighbours counts what a LimitRange does to workloads that the change does not touch.
func TestNeighbours(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": inShop(sound("a"), "a"), "b.yaml": inShop(deployment("b"), "b")})
	r.write(map[string]string{"limits.yaml": limits})
	got := r.lint(".", "--fail-on", "warning")
	if len(got.Findings) == 0 || got.code != 1 {
		t.Fatalf("exit code %d, %+v", got.code, got)
	}
	for _, f := range got.Findings {
		if !f.Change.New || f.Resource.Name == "b" && f.Rule == "HR202" {
			t.Errorf("%s of %s counts; new: %v", f.Rule, f.Resource.Name, f.Change.New)
		}
	}
	if states := got.states(); len(states) < 1 || states[0] != "a affected" {
		t.Errorf("states %q", states)
	}

	r.commit("limits")
	r.git("branch", "-f", "main")
	if err := os.Remove(r.path("limits.yaml")); err != nil {
		t.Fatal(err)
	}
	got = r.lint(".")
	if got.code != 0 || got.Changed.Fixed.Warnings != 2 || len(got.Findings) != 0 {
		t.Errorf("the LimitRange is gone: exit code %d, %+v", got.code, got.Changed)
	}
}

// TestConfig judges each side by its own config.
func TestConfig(t *testing.T) {
	const config = "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrules: {HR202: {severity: \"off\"}}\n"
	r := start(t, map[string]string{"headroom.yaml": config, "deploy/a.yaml": deployment("a")})
	want(t, "off", r.lint("deploy").counted())
	r.edit("headroom.yaml", "off", "error")
	want(t, "on", r.lint("deploy").counted(), "HR202 a new")
	want(t, "on, from below", r.lintIn("deploy", ".").counted(), "HR202 a new")
	want(t, "named", r.lint("deploy", "--config", "headroom.yaml").counted(), "HR202 a new")
	want(t, "without", r.lint("deploy", "--no-config").counted())
	r.commit("on")
	r.git("branch", "-f", "main")
	if err := os.Remove(r.path("headroom.yaml")); err != nil {
		t.Fatal(err)
	}
	want(t, "gone", r.lint("deploy").counted())
	r.write(map[string]string{"headroom.yaml": strings.Replace(config, "off", "info", 1)})
	want(t, "less severe", r.lint("deploy").counted())
	r.commit("info")
	r.git("branch", "-f", "main")
	r.edit("headroom.yaml", "info", "warning")
	want(t, "more severe", r.lint("deploy").counted(), "HR202 a new")

	r.write(map[string]string{"headroom.yaml": "not: [a config"})
	r.commit("broken")
	r.git("branch", "-f", "main")
	r.write(map[string]string{"headroom.yaml": config})
	got := r.lint("deploy")
	if got.code != 0 || len(got.Changed.Notes) != 1 || !strings.Contains(got.Changed.Notes[0], "the config could not be read as it was") {
		t.Errorf("exit code %d, notes %q", got.code, got.Changed.Notes)
	}
}

// TestAConfigThatHides tells what a change brings together with the line of the config that turns it off.
func TestAConfigThatHides(t *testing.T) {
	const head = "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"
	for how, config := range map[string]string{
		"a rule that is off": "rules: {HR202: {severity: \"off\"}}\n",
		"an exemption":       "ignore: [{rules: [HR202], name: b, reason: in a hurry}]\n",
	} {
		r := start(t, map[string]string{"deploy/a.yaml": sound("a")})
		r.write(map[string]string{"deploy/b.yaml": deployment("b"), "headroom.yaml": head + config})
		got := r.lint("deploy")
		want(t, how, got.counted())
		// What it hides, and what it says.
		if len(got.Changed.Notes) != 2 || !strings.HasPrefix(got.Changed.Notes[0],
			"the config is not as it was at main, by which there would be 1 error") || !strings.Contains(got.Changed.Notes[0], "HR202") ||
			!strings.Contains(got.Changed.Notes[1], "the one of now is in force: ") || !strings.Contains(got.Changed.Notes[1], "HR202") {
			t.Errorf("%s: notes %q", how, got.Changed.Notes)
		}
		for _, format := range []string{"table", "markdown", "github"} {
			if out := r.headroom(".", "lint", "--changed-since", "main", "deploy", "-o", format); !strings.Contains(
				strings.Join(strings.Fields(out.stdout), " "), "he config is not as it was at main") {
				t.Errorf("%s, %s: %s", how, format, out.stdout)
			}
		}
	}
	// A config that is new and hides nothing is not spoken of.
	r := start(t, map[string]string{"deploy/a.yaml": deployment("a")})
	r.write(map[string]string{"deploy/b.yaml": deployment("b"), "headroom.yaml": head})
	got := r.lint("deploy")
	want(t, "hides nothing", got.counted(), "HR202 b new")
	if len(got.Changed.Notes) != 0 {
		t.Errorf("notes %q", got.Changed.Notes)
	}
}

// TestABaselineThatHides tells that a change brings findings together with the baseline that has them.
func TestABaselineThatHides(t *testing.T) {
	r := start(t, map[string]string{"deploy/a.yaml": sound("a")})
	r.write(map[string]string{"deploy/b.yaml": deployment("b")})
	written := r.headroom(".", "lint", "deploy", "--write-baseline=known.yaml")
	for _, committed := range []bool{false, true} {
		if committed {
			r.commit("known")
		}
		got := r.lint("deploy", "--baseline", "known.yaml")
		want(t, "known", got.counted())
		if len(got.Changed.Notes) != 1 || got.Changed.Notes[0] != "known.yaml is not as it was at main: findings that it has do not count" {
			t.Errorf("notes %q\n%s%s", got.Changed.Notes, written.stdout, written.stderr)
		}
	}
	r.git("branch", "-f", "main")
	if got := r.lint("deploy", "--baseline", "known.yaml"); len(got.Changed.Notes) != 0 {
		t.Errorf("notes %q", got.Changed.Notes)
	}
}

// TestUnreadable counts what cannot be read only where the change touches it.
func TestUnreadable(t *testing.T) {
	r := start(t, map[string]string{"old.yaml": "a: [\n", "a.yaml": deployment("a")})
	if got := r.lint("."); got.code != 0 || len(got.Problems) != 0 {
		t.Errorf("it was unreadable before: exit code %d, %+v", got.code, got.Problems)
	}
	r.write(map[string]string{"a.yaml": "b: [\n"})
	got := r.lint(".")
	if got.code != 2 || len(got.Problems) != 1 || got.Problems[0].File != "a.yaml" {
		t.Errorf("exit code %d, %+v", got.code, got.Problems)
	}
	if got.Changed.Fixed.Errors != 0 {
		t.Error("what cannot be read any more was not fixed")
	}
	r.write(map[string]string{"a.yaml": deployment("a"), "old.yaml": deployment("old")})
	got = r.lint(".")
	want(t, "readable now", got.counted(), "HR202 old new")
	if len(got.Changed.Notes) != 1 || !strings.Contains(got.Changed.Notes[0], "could not be read as it was at main, so that its findings count as new: old.yaml:") {
		t.Errorf("notes %q", got.Changed.Notes)
	}
}

// TestBaseline leaves known findings out on both sides.
func TestBaseline(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": deployment("a"), "b.yaml": deployment("b")})
	if out := r.headroom(".", "lint", ".", "--write-baseline=known.yaml"); out.code != 0 {
		t.Fatal(out)
	}
	r.edit("a.yaml", "shop:1", "shop:2")
	got := r.lint(".", "--baseline", "known.yaml")
	want(t, "known", got.counted())
	if got.code != 0 || got.Summary.Known != 2 || got.Changed.Elsewhere.Errors != 0 || got.Changed.Workloads[0].Before.Errors != 0 {
		t.Errorf("exit code %d, %+v", got.code, got)
	}
	r.edit("a.yaml", "              memory: 1Gi\n", "")
	want(t, "new", r.lint(".", "--baseline", "known.yaml").counted(), "HR301 a new")
	// A second finding of a kind that the baseline has once.
	r.write(map[string]string{"c.yaml": deployment("b")})
	want(t, "twice", r.lint("b.yaml", "c.yaml", "--baseline", "known.yaml").counted(), "HR202 b new")
}

// TestTwins keeps objects of one name apart, as overlays in one repository have them.
func TestTwins(t *testing.T) {
	r := start(t, map[string]string{"dev/a.yaml": deployment("a"), "prod/a.yaml": sound("a")})
	r.write(map[string]string{"prod/a.yaml": deployment("a"), "dev/a.yaml": sound("a")})
	got := r.lint(".")
	want(t, "one right, the other wrong", got.counted(), "HR202 a new")
	if got.Changed.Fixed.Errors != 1 {
		t.Errorf("%+v", got.Changed)
	}
	r.git("checkout", "-q", "--", "dev")
	want(t, "both wrong", r.lint(".").counted(), "HR202 a new")
	if f := r.lint(".").Findings[0].File; f != "prod/a.yaml" {
		t.Errorf("%s is the new one", f)
	}
}

// TestRulesOfTheBase judges a change by the rules that it would change, and says what its own would let pass.
// TestANamespaceThatGrantsMore tells that a change raises the bound of a tenant together with what exceeds it.
func TestANamespaceThatGrantsMore(t *testing.T) {
	namespace := func(allocation string) string {
		return "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: default\n  annotations: {headroom.dev/cpu-allocation: \"" + allocation + "\"}\n"
	}
	r := start(t, map[string]string{"deploy/a.yaml": sound("a"), "deploy/namespace.yaml": namespace("1")})
	r.write(map[string]string{"deploy/b.yaml": deployment("b"), "deploy/namespace.yaml": namespace("8")})
	const note = "Namespaces are not as they were at main, and what they say now is in force: default (headroom.dev/cpu-allocation)"
	for _, arguments := range [][]string{{"deploy"}, {"deploy", "--config-from", "main"}} {
		if got := r.lint(arguments...); !slices.Contains(got.Changed.Notes, note) {
			t.Errorf("%v: notes %q", arguments, got.Changed.Notes)
		}
	}
	r.write(map[string]string{"deploy/namespace.yaml": namespace("1") + "# as it was\n"})
	if got := r.lint("deploy"); len(got.Changed.Notes) != 0 {
		t.Errorf("notes %q", got.Changed.Notes)
	}
	r.write(map[string]string{"deploy/namespace.yaml": ""})
	if got := r.lint("deploy"); !slices.Contains(got.Changed.Notes, note) {
		t.Errorf("removed: notes %q", got.Changed.Notes)
	}
}

func TestRulesOfTheBase(t *testing.T) {
	const config = "apiVersion: headroom.dev/v1alpha1\nkind: Config\nimageLock: lock.yaml\n"
	const lock = "apiVersion: headroom.dev/v1alpha1\nkind: ImageLock\nheadroom: {image_lock: {references: {}, images: {}}}\n"
	r := start(t, map[string]string{"headroom.yaml": config, "lock.yaml": lock, "deploy/a.yaml": sound("a")})
	r.write(map[string]string{
		"headroom.yaml": config + "rules: {HR202: {severity: \"off\"}}\nignore: [{rules: [HR301], name: b, reason: because}]\n",
		"deploy/b.yaml": deployment("b"), "lock.yaml": "no lock",
	})
	got := r.lint("deploy", "--config-from", "main")
	want(t, "by the base", got.counted(), "HR202 b new")
	notes := strings.Join(got.Changed.Notes, "\n")
	for _, part := range []string{"the one of then is in force", "HR202 is off in place of its default", "an exemption from HR301, name b"} {
		if !strings.Contains(notes, part) {
			t.Errorf("no %q in %q", part, notes)
		}
	}
	r.write(map[string]string{"lock.yaml": lock})
	got = r.lint("deploy")
	if notes := strings.Join(got.Changed.Notes, "\n"); !strings.Contains(notes, "the one of now is in force: HR202 is off") {
		t.Error(notes)
	}
	want(t, "by its own", got.counted())

	// A config that the change brings is not in force yet, nor is one that it removes gone.
	r.write(map[string]string{"headroom.yaml": "not: [a config"})
	if got := r.lint("deploy", "--config-from", "main"); got.code != 1 || !strings.Contains(strings.Join(got.Changed.Notes, "\n"), "cannot be read") {
		t.Errorf("exit code %d, %q", got.code, got.Changed.Notes)
	}
	if err := os.Remove(r.path("headroom.yaml")); err != nil {
		t.Fatal(err)
	}
	want(t, "removed", r.lint("deploy", "--config-from", "main").counted(), "HR202 b new")

	// Nor is one that the change puts nearer to a folder.
	r.write(map[string]string{"headroom.yaml": config, "deploy/headroom.yaml": config + "rules: {HR202: {severity: \"off\"}}\n"})
	got = r.lint("deploy", "--config", "deploy", "--config-from", "main")
	want(t, "nearer", got.counted(), "HR202 b new")
	if notes := strings.Join(got.Changed.Notes, "\n"); !strings.Contains(notes, "the one of then is in force: HR202 is off") {
		t.Errorf("%q", notes)
	}
	if err := os.Remove(r.path("deploy/headroom.yaml")); err != nil {
		t.Fatal(err)
	}

	// A baseline of the change does not count.
	r.write(map[string]string{"known.yaml": "schema: headroom.dev/baseline/v1\nfindings: []\n"})
	want(t, "a baseline", r.lint("deploy", "--config-from", "main", "--baseline", "known.yaml").counted(), "HR202 b new")

	// In files of the change, annotations are said that exempt.
	r.write(map[string]string{"headroom.yaml": config, "deploy/b.yaml": strings.Replace(deployment("b"), "metadata: {", "metadata: {annotations: {ignore.headroom.dev/HR202: because of it}, ", 1)})
	if notes := strings.Join(r.lint("deploy", "--config-from", "main").Changed.Notes, "\n"); !strings.Contains(notes, "annotations exempt HR202 of Deployment b") {
		t.Errorf("%q", notes)
	}
	r.write(map[string]string{"deploy/b.yaml": "# headroom:ignore HR202 because of it\n" + deployment("b")})
	got = r.lint("deploy", "--config-from", "main")
	if notes := strings.Join(got.Changed.Notes, "\n"); !strings.Contains(notes, "comments exempt HR202 of Deployment b") {
		t.Errorf("%q", notes)
	}
	want(t, "a comment", got.counted())
}

// TestRulesOfTheBaseThatAreLinks: what led out of the repository at the base is no set of rules, and does not count as
// none. A link inside is followed, as it is in a work tree.
func TestRulesOfTheBaseThatAreLinks(t *testing.T) {
	const config = "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"
	const known = "schema: headroom.dev/baseline/v1\nfindings: []\n"
	outside := t.TempDir()
	for _, to := range []string{filepath.Join(outside, "out.yaml"), "/dev/zero"} {
		for name, arguments := range map[string][]string{
			"headroom.yaml": nil, "set.yaml": {"--config", "set.yaml"}, "known.yaml": {"--baseline", "known.yaml"},
			"lock.yaml": {"--images=lock.yaml"},
		} {
			r := start(t, map[string]string{"deploy/a.yaml": sound("a"), "kept/inside.yaml": config})
			r.git("checkout", "-q", "main")
			if err := os.Symlink(to, r.path(name)); err != nil {
				t.Fatal(err)
			}
			r.commit("a link")
			r.git("checkout", "-q", "-B", "change")
			if err := os.Remove(r.path(name)); err != nil {
				t.Fatal(err)
			}
			text := config
			if name == "known.yaml" {
				text = known
			}
			r.write(map[string]string{name: text, "deploy/b.yaml": deployment("b")})
			got := r.headroom(".", append([]string{"lint", "deploy", "--config-from", "main"}, arguments...)...)
			if got.code != 2 || !strings.Contains(got.stderr, name+" was no regular file of the repository") ||
				!strings.Contains(got.stderr, "as it was at main") {
				t.Errorf("%s to %s: exit code %d, %s", name, to, got.code, got.stderr)
			}
		}
	}
	r := start(t, map[string]string{"deploy/a.yaml": sound("a")})
	r.git("checkout", "-q", "main")
	r.write(map[string]string{"kept/inside.yaml": config + "rules: {HR202: {severity: \"off\"}}\n"})
	if err := os.Symlink("kept/inside.yaml", r.path("headroom.yaml")); err != nil {
		t.Fatal(err)
	}
	r.commit("a link inside")
	r.git("checkout", "-q", "-B", "change")
	r.write(map[string]string{"kept/inside.yaml": config, "deploy/b.yaml": deployment("b")})
	want(t, "a link inside", r.lint("deploy", "--config-from", "main").counted())
}
