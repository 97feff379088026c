package policies_test

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/policies"
)

const (
	root      = "rego/headroom"
	runtimes  = root + "/runtime/"
	generated = root + "/catalogue/catalogue.rego"
)

// asksOne are the packages that compute with one runtime's model, by name. All others ask the registry, or what runs.
var asksOne = []string{
	"advice", "autoscalers", "bursts", "diagnose", "explain", "fix", "memory", "resize", "rules", "size",
}

// TestRuntimesAreNamedInTheirDirectories fails where the policies list runtimes outside runtime/, or
// reach into one of them where they should ask the registry: a new runtime would be missing there.
func TestRuntimesAreNamedInTheirDirectories(t *testing.T) {
	var names []string
	directories, err := fs.ReadDir(policies.Files, strings.TrimSuffix(runtimes, "/"))
	if err != nil {
		t.Fatal(err)
	}
	for _, directory := range directories {
		if _, err := fs.Stat(policies.Files, runtimes+directory.Name()+"/runtime.rego"); err == nil {
			names = append(names, directory.Name())
		}
	}
	if len(names) < 6 {
		t.Fatalf("only %q have a runtime.rego", names)
	}
	err = fs.WalkDir(policies.Files, root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(file) != ".rego" || strings.HasSuffix(file, "_test.rego") ||
			strings.HasPrefix(file, runtimes) || file == generated {
			return err
		}
		text, err := policies.Files.ReadFile(file)
		if err != nil {
			return err
		}
		module, err := ast.ParseModuleWithOpts(file, string(text), ast.ParserOptions{RegoVersion: ast.RegoV1})
		if err != nil {
			return err
		}
		for _, complaint := range complaints(module, names) {
			t.Errorf("%s: %s: ask data.headroom.registry or data.headroom.runtimes", file, complaint)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestListsOfRuntimesAreNoticed(t *testing.T) {
	names := []string{"go", "jvm", "node"}
	for text, want := range map[string]int{
		`known := {"go", "jvm"}`:                       1,
		`known := ["node", "jvm"]`:                     1,
		`words := {"go": "runs Go", "jvm": "…"}`:       1,
		"pattern := `(?:go|jvm|node)`":                 1,
		`import data.headroom.runtime.jvm`:             1,
		`x := data.headroom.runtime.jvm.jvms`:          1,
		`x := data.headroom.runtime[name].about`:       0,
		`categories := {"manifest", "node"}`:           0,
		`says := "nothing on the node runs a JVM yet"`: 0,
	} {
		module, err := ast.ParseModuleWithOpts("a.rego", "package headroom.judge\n\n"+text, ast.ParserOptions{RegoVersion: ast.RegoV1})
		if err != nil {
			t.Fatal(err)
		}
		if got := complaints(module, names); len(got) != want {
			t.Errorf("%s: %q, want %d", text, got, want)
		}
	}
}

var word = regexp.MustCompile(`[a-z0-9]+`)

// complaints are the places where a module names runtimes.
func complaints(module *ast.Module, names []string) []string {
	var found []string
	list := func(what string, least int, words []string) {
		named := map[string]bool{}
		for _, w := range words {
			if slices.Contains(names, w) {
				named[w] = true
			}
		}
		if len(named) >= least {
			found = append(found, what)
		}
	}
	ast.WalkTerms(module, func(term *ast.Term) bool {
		var elements []*ast.Term
		switch value := term.Value.(type) {
		case ast.Ref:
			if of := runtimeOf(value); slices.Contains(names, of) && !slices.Contains(asksOne, packageOf(module)) {
				found = append(found, "reaches into "+of)
			}
		case ast.String:
			list("a text names several", 3, word.FindAllString(string(value), -1))
		case *ast.Array:
			value.Foreach(func(e *ast.Term) { elements = append(elements, e) })
		case ast.Set:
			elements = value.Slice()
		case ast.Object:
			elements = value.Keys()
		}
		var words []string
		for _, e := range elements {
			if text, ok := e.Value.(ast.String); ok {
				words = append(words, string(text))
			}
		}
		list("a list of them", 2, words)
		return false
	})
	return found
}

// runtimeOf is jvm for data.headroom.runtime.jvm.jvms.
func runtimeOf(ref ast.Ref) string {
	if len(ref) < 4 || !strings.HasPrefix(ref.String(), "data.headroom.runtime.") {
		return ""
	}
	name, _ := ref[3].Value.(ast.String)
	return string(name)
}

// packageOf is rules for data.headroom.rules.cpu.
func packageOf(module *ast.Module) string {
	name, _ := module.Package.Path[2].Value.(ast.String)
	return string(name)
}
