package source

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/internal/regular"
	"github.com/headroom-dev/headroom/policies/settings"
)

// kustomizationNames are the files that make a folder a kustomization.
var kustomizationNames = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// checkLocal walks a kustomization and all it refers to, and gives a Problem for the first
// reference that is not a file or folder here. Kustomize itself would hand such a reference to git
// or fetch it, and has no way to turn that off. So nothing it cannot find on the disk may reach it.
func checkLocal(folder string, follow bool) *Problem {
	if !follow && strays(folder) {
		return &Problem{File: display(folder), Cause: errLeadsOut}
	}
	return (&localCheck{visited: map[string]bool{}, follow: follow, root: settings.Repository(realPath(folder))}).folder(folder)
}

type localCheck struct {
	visited map[string]bool
	follow  bool   // links that lead out of a chart, or of the repository
	root    string // the repository, by its real path: overlays have their bases beside them
}

func (c *localCheck) folder(folder string) *Problem {
	// A cycle of bases is for kustomize to report.
	real := realPath(folder)
	if c.visited[real] {
		return nil
	}
	c.visited[real] = true
	if _, err := os.ReadDir(folder); err != nil {
		return &Problem{File: display(folder), Cause: openError(err)}
	}
	for _, name := range kustomizationNames {
		file := filepath.Join(folder, name)
		if _, err := os.Lstat(file); err != nil {
			continue
		}
		data, err := readHere(file)
		if err != nil {
			return &Problem{File: display(file), Cause: err}
		}
		for item := range Items(display(file), data, Options{}) {
			if item.Problem != nil {
				return item.Problem
			}
			if problem := c.document(folder, item.Document); problem != nil {
				return problem
			}
		}
		return nil
	}
	return &Problem{File: display(folder), Cause: errors.New("no kustomization.yaml in this folder")}
}

// document checks the references of one kustomization.
func (c *localCheck) document(folder string, document *Document) *Problem {
	if document == nil {
		return nil
	}
	if problem := c.charts(folder, document); problem != nil {
		return problem
	}
	for _, found := range references(document.Object) {
		problem := &Problem{File: document.File, Line: document.LineOf(found.path)}
		if found.inline {
			if opensRemote(document.File, []byte(found.text)) != nil {
				problem.Cause = errors.New(reasonRemote)
				return problem
			}
			continue
		}
		if strings.Contains(found.text, "://") {
			problem.Cause = errors.New(reasonRemote)
			return problem
		}
		target := found.text
		if !filepath.IsAbs(target) {
			target = filepath.Join(folder, filepath.FromSlash(target))
		}
		info, err := os.Stat(target)
		switch {
		case err == nil && !c.follow && c.strays(folder, target):
			problem.Cause = errLeadsOut
			return problem
		case err != nil && looksRemote(found.text):
			problem.Cause = errors.New(reasonRemote)
			return problem
		case err != nil:
			problem.Cause = fmt.Errorf("%s: %w", found.text, openError(err))
			return problem
		case info.IsDir() && isRepository().MatchString(found.text):
			problem.Cause = errors.New(reasonRemote) // kustomize does not look here first
			return problem
		case info.IsDir():
			if problem := c.folder(target); problem != nil {
				return problem
			}
		case c.visited[realPath(target)]: // a large file may be named thousands of times
		default:
			c.visited[realPath(target)] = true
			if problem := plugins(target); problem != nil {
				return problem
			}
		}
	}
	return nil
}

// strays says that links take a reference out of the repository. Where none does, it leads where it says.
func (c *localCheck) strays(folder, target string) bool {
	if relative, err := filepath.Rel(folder, target); err == nil && realPath(target) == filepath.Join(realPath(folder), relative) {
		return false
	}
	return !leadsInside(c.root, target)
}

// charts checks that charts to render lie beside the kustomization: helm would fetch them. They keep inside their
// folders.
func (c *localCheck) charts(folder string, document *Document) *Problem {
	home := cmp.Or(field(document.Object, "helmGlobals", "chartHome"), "charts")
	charts, _ := document.Object["helmCharts"].([]any)
	for i, chart := range charts {
		name, version := field(chart, "name"), field(chart, "version")
		problem := &Problem{
			File: document.File, Line: document.LineOf([]any{"helmCharts", i}),
			Cause: fmt.Errorf("chart %s is not in the folder %s, and nothing is fetched here; run helm pull --untar", name, home),
		}
		// As kustomize looks: with the version below a folder of its own, or without.
		for _, at := range []string{filepath.Join(folder, home, name), filepath.Join(folder, home, name+"-"+version, name)} {
			if !isChart(at) {
				continue
			}
			problem = nil
			if err := keepsInside(at); err != nil && !c.follow {
				problem = &Problem{File: document.File, Line: document.LineOf([]any{"helmCharts", i}), Cause: err}
			}
			break
		}
		if problem != nil {
			return problem
		}
	}
	return nil
}

// readHere reads a file that the user has not named; a pipe would have no end.
func readHere(file string) ([]byte, error) {
	data, err := regular.Read(file, DefaultMaxFileBytes)
	if err != nil {
		return nil, openError(err)
	}
	return data, nil
}

const reasonRemote = "a remote reference, and nothing is fetched here; run kustomize build and lint its output"

// isRepository is what kustomize takes for one, whatever stands on the disk.
var isRepository = pattern.Lazy(`(?i)^(?:git::|gh:|[a-z0-9._-]+@|(?:www\.)?github\.com[/:])`)

// looksRemote tells a repository from a file that is missing.
func looksRemote(text string) bool {
	host, _, hasPath := strings.Cut(text, "/")
	return strings.Contains(text, "?ref=") || strings.Contains(text, "@") ||
		hasPath && strings.Contains(host, ".") && strings.Trim(host, ".") != ""
}

// plugins checks a file that may configure built-in plugins.
func plugins(file string) *Problem {
	data, err := readHere(file)
	if err != nil {
		return &Problem{File: display(file), Cause: err}
	}
	return opensRemote(display(file), data)
}

// opensRemote looks for the configuration of built-in plugins, which open
// files too.
func opensRemote(file string, data []byte) *Problem {
	if !bytes.Contains(data, []byte("builtin")) || !bytes.Contains(data, []byte("://")) {
		return nil
	}
	for item := range Items(file, data, Options{}) {
		if item.Document == nil || item.Document.Object["apiVersion"] != "builtin" {
			continue
		}
		for _, found := range pluginReferences(item.Document.Object, nil) {
			if strings.Contains(found.text, "://") {
				return &Problem{
					File: item.File, Line: item.Document.LineOf(found.path),
					Cause: errors.New(reasonRemote),
				}
			}
		}
	}
	return nil
}
