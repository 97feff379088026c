package engine

import (
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

// New leaves out the stages of the compiler that only check. Some of them may also move or
// rewrite statements: were a rule to need that, it would be evaluated wrongly.
func TestSkippedStagesChangeNothing(t *testing.T) {
	for _, root := range []string{diagnoseRoot, explainRoot} {
		files, err := filesWithRoot(root)
		if err != nil {
			t.Fatal(err)
		}
		skippedStagesChangeNothing(t, files)
	}
}

func skippedStagesChangeNothing(t *testing.T, files []string) {
	t.Helper()
	modules, err := parseModules(files, false)
	if err != nil {
		t.Fatal(err)
	}
	full := ast.NewCompiler()
	full.Compile(modules)
	quick := ast.NewCompiler().WithSkipStages(skippedStages...)
	quick.Compile(modules)
	if full.Failed() || quick.Failed() {
		t.Fatal(full.Errors, quick.Errors)
	}
	for _, file := range files {
		rules := quick.Modules[file].Rules
		for i, want := range full.Modules[file].Rules {
			if !rules[i].Equal(want) {
				t.Errorf("%s: put the statements into the order of their evaluation:\n%v\nnot\n%v",
					want.Loc(), want, rules[i])
			}
		}
	}
}
