package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// A pull request may change a lock or a config. Its content costs little, and each refusal has the file, the line and
// the cause in a few short lines.
func TestWhatStrangersWrite(t *testing.T) {
	const head = "apiVersion: headroom.dev/v1alpha1\nkind: ImageLock\nheadroom:\n  image_lock:\n"
	digest := func(i int) string { return fmt.Sprintf("sha256:%064x", i) }
	lines := func(n int, line func(int) string) string {
		var all strings.Builder
		for i := range n {
			all.WriteString(line(i))
		}
		return all.String()
	}
	image := func(text string) string { return head + "    images:\n      " + digest(1) + ": {" + text + "}\n" }
	for name, test := range map[string]struct{ text, wanted string }{
		"many wrong images":    {head + "    images:\n" + lines(19_000, func(i int) string { return "      " + digest(i) + ": {platform: 1}\n" }), "and 18980 more problems"},
		"many wrong digests":   {head + "    images: {}\n    references:\n" + lines(19_000, func(i int) string { return fmt.Sprintf("      a:%d: sha256:zz\n", i) }), "and 18980 more problems"},
		"many unknown keys":    {image(lines(9_000, func(i int) string { return fmt.Sprintf("k%d: 1, ", i) })), "and 8980 more problems"},
		"too many images":      {head + "    images:\n" + lines(maxKeys+1, func(i int) string { return "      " + digest(i) + ": {}\n" }), "l.yaml:6: has more than 20000 keys in one place"},
		"an unknown digest":    {head + "    images: {abc: {}}\n", `l.yaml:5: "abc" is no digest`},
		"a digest twice":       {head + "    images:\n      " + digest(1) + ": {}\n      " + digest(1) + ": {}\n", "l.yaml:7: is not valid YAML: mapping key"},
		"many words":           {image("entrypoint: [a" + strings.Repeat(", a", 1024) + "]"), "l.yaml:6: headroom.image_lock.images." + digest(1) + ".entrypoint: maxItems"},
		"a long word":          {image("command: [" + strings.Repeat("a", 131_073) + "]"), "l.yaml:6: headroom.image_lock.images." + digest(1) + ".command.0: maxLength"},
		"many variables":       {image("environment: {" + lines(1025, func(i int) string { return fmt.Sprintf("A%d: a, ", i) }) + "}"), "l.yaml:6: headroom.image_lock.images." + digest(1) + ".environment: maxProperties"},
		"a long key":           {head + "    images: {}\n    ? " + strings.Repeat("k", 900_000) + "\n    : 1\n", "unknown key headroom.image_lock.kkkk"},
		"an escape":            {head + "    images: {}\n    \"\\e[2Jx\": 1\n", "l.yaml:6: unknown key headroom.image_lock.\ufffd[2Jx"},
		"a value that is long": {head + "    images: {}\n    references: {a: \"\\e" + strings.Repeat("v", 100_000) + "\"}\n", "l.yaml:6: headroom.image_lock.references.a: "},
		"deep mappings":        {head + "    images: " + strings.Repeat("{a: ", 9_000) + "1" + strings.Repeat("}", 9_000) + "\n", "l.yaml:"},
		"deep lists":           {head + "    images: " + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "\n", "exceeded max depth"},
		"an alias of itself":   {head + "    images: &a\n      " + digest(1) + ": *a\n", "contains itself"},
		"aliases of aliases":   {bomb(), "aliases expand to more than 2 MiB"},
		"a number for a key":   {head + "    images: {1: {}}\n", "l.yaml:5: "},
		"null for a key":       {head + "    images: {~: {}}\n", "l.yaml:5: "},
		"a list for a key":     {head + "    images: {? [a] : {}}\n", "l.yaml:"},
		"two documents":        {head + "    images: {}\n---\nkind: other\n", "l.yaml:6: has more than one document"},
		"a broken second":      {head + "    images: {}\n---\n[\n", "is not valid YAML"},
		"bytes":                {"\x00\x01", "is not valid YAML"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseLock("l.yaml", []byte(test.text))
			if err == nil || !strings.Contains(err.Error(), test.wanted) {
				t.Fatalf("%.600v; wanted %q", err, test.wanted)
			}
			for i, line := range strings.Split(err.Error(), "\n") {
				if i > yamlfile.MaxProblems || len(line) > 600 || !strings.HasPrefix(line, "l.yaml:") || strings.Contains(line, "\x1b") {
					t.Errorf("line %d: %.700q", i, line)
				}
			}
		})
	}
}

// What grows with the product of a config's rows and what is linted took minutes: 8000 rows, 100 000 names of images,
// patterns of many stars.
func TestALargeConfig(t *testing.T) {
	rows := func(n int, row string) string { return "[" + strings.Repeat(row+", ", n) + "]" }
	for text, want := range map[string]string{
		"classes: " + rows(1001, "{class: a, namespace: b}"):                   "classes: maxItems: got 1,001, want 1,000",
		"ignore: " + rows(1001, "{rules: [HR202], reason: known}"):             "ignore: maxItems",
		"kinds: " + rows(1001, "{group: a, kind: b, pods: [{template: c}]}"):   "kinds: maxItems",
		"images: " + rows(101, "{names: [a]}"):                                 "images: maxItems",
		"images: [{names: " + rows(21, "a") + "}]":                             "images.0.names: maxItems",
		"images: [{names: [a], not_jvm: '" + strings.Repeat("a", 1001) + "'}]": "images.0.not_jvm: maxLength",
		"sidecars: {names: " + rows(1001, "a") + "}":                           "sidecars.names: maxItems",
		"ignore: [{rules: [HR202], reason: known, name: '*a*b*c*'}]":           "ignore.0.name: a pattern has at most three *",
		"classes: [{class: a, labels: {b: '*a*b*c*'}}]":                        "classes.0.labels.b: ",
		"classes: [{class: a, namespace: " + strings.Repeat("a", 513) + "}]":   "classes.0.namespace: maxLength",
	} {
		_, err := Parse("headroom.yaml", []byte("apiVersion: headroom.dev/v1alpha1\nkind: Config\n"+text+"\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "headroom.yaml:3: "+want) {
			t.Errorf("%.80s: %v", text, err)
		}
	}
	text := "apiVersion: headroom.dev/v1alpha1\nkind: Config\nignore: " + rows(1000, "{rules: [HR202], reason: known, name: '*a*b*'}") + "\n"
	if _, err := Parse("headroom.yaml", []byte(text)); err != nil {
		t.Error(err)
	}
}

func bomb() string {
	text := "kind: a\na: &a [x, x, x, x, x, x, x, x, x]\n"
	for _, letters := range []string{"ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"} {
		before, now := letters[:1], letters[1:]
		text += now + ": &" + now + " [" + strings.TrimSuffix(strings.Repeat("*"+before+", ", 9), ", ") + "]\n"
	}
	return text
}

// A link may lead to something without an end.
func TestEndless(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{FileName, LockName} {
		file := filepath.Join(dir, name)
		if err := os.Symlink("/dev/zero", file); err != nil {
			t.Fatal(err)
		}
		load := Load
		if name == LockName {
			load = LoadLock
		}
		if _, err := load(file); err == nil || !strings.Contains(err.Error(), "is too long; at most") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
