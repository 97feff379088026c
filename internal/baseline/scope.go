package baseline

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Scope is what a run reads: paths, charts and kustomizations, or namespaces of a cluster. An entry
// whose workload was not seen is only stale where the run has read all that was read when the
// baseline was written. A run over a part of a repository says nothing of the rest.
type Scope []string

// Cluster is a run over every namespace.
const Cluster = "cluster"

const (
	pathItem      = "path:"
	chartItem     = "helm-chart:"
	kustomizeItem = "kustomize:"
	namespaceItem = "namespace:"
)

// Context is a scope of one of several clusters, by the kubeconfig's context.
func Context(name, scope string) string { return "context:" + name + " " + scope }

// Namespace is a run over one namespace.
func Namespace(name string) string { return namespaceItem + name }

// Paths are files and folders, charts and kustomizations, as seen from the folder of the
// baseline, wherever the run was started. Standard input does not count: it is never the
// same twice.
func Paths(file string, paths, charts, kustomizations []string) Scope {
	var s Scope
	for _, of := range []struct {
		kind  string
		paths []string
	}{{pathItem, paths}, {chartItem, charts}, {kustomizeItem, kustomizations}} {
		for _, p := range of.paths {
			if p == "-" {
				s = append(s, pathItem+p)
			} else {
				s = append(s, of.kind+from(filepath.Dir(file), p))
			}
		}
	}
	return s
}

// from is a path as seen from a folder; absolute where there is no way to it.
func from(folder, p string) string {
	base, err := filepath.Abs(folder)
	if err != nil {
		return filepath.ToSlash(filepath.Clean(p))
	}
	absolute, err := filepath.Abs(p)
	if err != nil {
		return filepath.ToSlash(filepath.Clean(p))
	}
	relative, err := filepath.Rel(base, absolute)
	if err != nil {
		return filepath.ToSlash(absolute)
	}
	return filepath.ToSlash(relative)
}

// Includes says whether all of another scope is in this one. An empty scope includes nothing and
// is included in nothing, because what it covers is not known.
func (s Scope) Includes(other Scope) bool {
	if len(other) == 0 {
		return false
	}
	for _, item := range other {
		if item == pathItem+"-" || !slices.ContainsFunc(s, func(mine string) bool { return includes(mine, item) }) {
			return false
		}
	}
	return true
}

func includes(mine, item string) bool {
	if mine == item || mine == Cluster && strings.HasPrefix(item, namespaceItem) {
		return true
	}
	folder, ok := strings.CutPrefix(mine, pathItem)
	below, alike := strings.CutPrefix(item, pathItem)
	if !ok || !alike {
		return false
	}
	folder, below = path.Clean(folder), path.Clean(below)
	if folder == "." {
		return below != ".." && !strings.HasPrefix(below, "../") && !path.IsAbs(below)
	}
	return folder == below || strings.HasPrefix(below, strings.TrimSuffix(folder, "/")+"/")
}

// union is both scopes, sorted, less what is in another item.
func (s Scope) union(other Scope) Scope {
	all := slices.Concat(s, other)
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(item string) bool {
		return slices.ContainsFunc(all, func(wider string) bool { return wider != item && includes(wider, item) })
	})
}
