//go:build js || lean

package source

// A browser renders no charts and builds no kustomizations: Helm and kustomize would make the program three times as
// large, and there are no files. The lean program has another one do it, see ConfineTo.

func (job) do() made {
	return made{Failed: true, Problem: failure{Text: "charts and kustomizations are not rendered here"}}
}

func offline() {}

// plainValues has nothing to copy: no values come from Helm.
func plainValues(values map[string]any) map[string]any { return values }
