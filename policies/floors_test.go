package policies_test

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

// upward are the references that lead up. They only become fewer.
var upward = map[string]string{"fix": "rules"}

// aRuntime stands for all runtimes in the list of floors.
const aRuntime = "runtime/*"

// declared is what each runtime says of itself in constants: the registry may read it, below the runtimes.
var declared = []string{"about", "fact", "kept"}

// TestFloors holds the order of the Rego packages that docs/how-it-works.md draws. What a package refers to stands on
// a floor below it, or on its own floor without a circle. No runtime refers to another.
func TestFloors(t *testing.T) {
	floor, needed := floors(t), references(t)
	for from, to := range upward {
		if !needed[from][to] {
			t.Errorf("%s no longer refers to %s: take it off the list", from, to)
		}
		delete(needed[from], to)
	}
	standing := map[string]bool{}
	for from, targets := range needed {
		standing[storey(from)] = true
		if _, ok := floor[storey(from)]; !ok {
			t.Errorf("%s stands on no floor of docs/how-it-works.md", from)
		}
		for to := range targets {
			switch {
			case floor[storey(to)] > floor[storey(from)]:
				t.Errorf("%s refers to %s, which stands on a floor above it", from, to)
			case storey(to) == aRuntime && storey(from) == aRuntime:
				t.Errorf("%s refers to %s, another runtime", from, to)
			case reached(needed, to)[from]:
				t.Errorf("%s and %s refer to each other", from, to)
			}
		}
	}
	for name := range floor {
		if !standing[name] {
			t.Errorf("docs/how-it-works.md has a package %s that there is not", name)
		}
	}
}

// TestReach: a small runtime rests on few packages. Files are those of all packages that memcached's refers to, tests
// and tables of images left out.
func TestReach(t *testing.T) {
	files := map[string]int{}
	for file := range sources(t) {
		files[packageIn(file)]++
	}
	sum, names := 0, slices.Sorted(maps.Keys(reached(references(t), "runtime/memcached")))
	for _, name := range names {
		sum += files[name]
	}
	t.Logf("memcached's runtime reaches %d files of %d, in %s", sum, len(sources(t)), strings.Join(names, ", "))
	if most := 52; sum > most {
		t.Errorf("%d files, want at most %d", sum, most)
	}
	for _, name := range names {
		if strings.HasPrefix(name, "runtime/") && name != "runtime/memcached" {
			t.Errorf("it reaches %s", name)
		}
	}
}

// floors are the floors by package, the lowest 0.
func floors(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile("../docs/how-it-works.md")
	if err != nil {
		t.Fatal(err)
	}
	_, behind, _ := strings.Cut(string(text), "\n## Floors\n")
	_, block, _ := strings.Cut(behind, "\n```\n")
	block, _, ok := strings.Cut(block, "\n```\n")
	if !ok {
		t.Fatal("docs/how-it-works.md draws no floors")
	}
	found, lines := map[string]int{}, strings.Split(block, "\n")
	for i, line := range lines {
		names, _, _ := strings.Cut(line, "  ")
		for _, name := range strings.Split(names, ", ") {
			found[name] = len(lines) - 1 - i
		}
	}
	return found
}

// storey is what a package is called in the list of floors.
func storey(name string) string {
	if strings.HasPrefix(name, "runtime/") {
		return aRuntime
	}
	return name
}

var folder = regexp.MustCompile(`^rego/headroom/(runtime/[a-z0-9-]+|[a-z]+)/`)

// packageIn is the package of a file: a folder below rego/headroom, one below runtime; all rules are one.
func packageIn(file string) string {
	if groups := folder.FindStringSubmatch(file); groups != nil {
		return groups[1]
	}
	return ""
}

// sources are the modules of the policies without their tests.
func sources(t *testing.T) map[string]*ast.Module {
	t.Helper()
	modules := maps.Clone(load(t))
	maps.DeleteFunc(modules, func(file string, _ *ast.Module) bool {
		return strings.HasSuffix(file, "_test.rego") || packageIn(path.Clean(file)) == ""
	})
	return modules
}

// references are the packages that each package refers to, by import or by a path below data.
func references(t *testing.T) map[string]map[string]bool {
	t.Helper()
	modules, found := sources(t), map[string]map[string]bool{}
	for file := range modules {
		found[packageIn(file)] = map[string]bool{}
	}
	for file, module := range modules {
		from := packageIn(file)
		ast.WalkRefs(module, func(ref ast.Ref) bool {
			for _, to := range targets(ref, found) {
				if to != from && !(from == "registry" && strings.HasPrefix(to, "runtime/") && constant(ref)) {
					found[from][to] = true
				}
			}
			return false
		})
	}
	return found
}

// targets are the packages that a reference below data.headroom may lead to.
func targets(ref ast.Ref, packages map[string]map[string]bool) []string {
	if len(ref) < 3 || !strings.HasPrefix(ref.String(), "data.headroom.") {
		return nil
	}
	name, _ := ref[2].Value.(ast.String)
	if name != "runtime" {
		if _, ok := packages[string(name)]; ok {
			return []string{string(name)}
		}
		return nil
	}
	if runtime, ok := ref[3].Value.(ast.String); ok {
		return []string{path.Join("runtime", string(runtime))}
	}
	return slices.DeleteFunc(slices.Collect(maps.Keys(packages)), func(p string) bool {
		return !strings.HasPrefix(p, "runtime/")
	})
}

// constant tells data.headroom.runtime[name].about from what runtimes find in a workload.
func constant(ref ast.Ref) bool {
	if len(ref) < 5 {
		return false
	}
	what, ok := ref[4].Value.(ast.String)
	return ok && slices.Contains(declared, string(what))
}

// reached are the packages that one rests on, itself included.
func reached(needed map[string]map[string]bool, name string) map[string]bool {
	found := map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		if found[name] {
			return
		}
		found[name] = true
		for to := range needed[name] {
			visit(to)
		}
	}
	visit(name)
	return found
}
