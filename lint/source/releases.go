package source

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/internal/regular"
)

// A release is an object that tells a GitOps controller which chart or folder to render: a
// HelmRelease of Flux, an Application or ApplicationSet of Argo CD. Where that stands in the same
// tree it is rendered with the release's values, in the place of a chart's own.

// Unrendered is a release whose chart is somewhere else.
type Unrendered struct {
	File                              string
	APIVersion, Kind, Namespace, Name string
	Hint                              string // what renders it
}

// maxReleases bounds what one run renders.
const maxReleases = 500

// Releases looks for releases in the files, and gives the files with what they render.
func Releases(ctx context.Context, files []File, opts Options, workers int) ([]File, []Unrendered, error) {
	found := make([][]release, len(files))
	opts.Mentioning = []string{"HelmRelease", "Application"}
	err := Each(ctx, files, opts, workers, func(index int, item Item) error {
		if item.Document != nil && !item.Document.Rendered {
			for object := range Objects(item.Document) {
				if r := releaseOf(files[index], object); r != nil {
					found[index] = append(found[index], *r)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	var (
		rendered []File
		others   []Unrendered
		charts   = map[string]bool{}
	)
	for _, r := range slices.Concat(found...) {
		for _, part := range r.parts {
			file, chart := part.file(opts)
			switch {
			case file == nil || len(rendered) >= maxReleases:
				r.about.Hint = part.hint
				others = append(others, r.about)
			case file.render != nil: // else a folder of manifests, which is read as it is
				rendered = append(rendered, *file)
				charts[chart] = true
			}
		}
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f File) bool { return f.chart != "" && charts[f.chart] })
	return append(files, rendered...), others, nil
}

// release is one of them, with what it renders.
type release struct {
	about Unrendered
	parts []part
}

// part is a chart or a folder that a release renders.
type part struct {
	root, folder string // of the tree, and below it; "" where it is not in this tree
	values       []string
	inline       []byte // YAML
	set          []string
	name         string
	namespace    string
	hint         string
}

// IsRelease says whether an object of a kind is a release.
func IsRelease(apiVersion, kind string) bool {
	group, _, _ := strings.Cut(apiVersion, "/")
	return group == "helm.toolkit.fluxcd.io" && kind == "HelmRelease" ||
		group == "argoproj.io" && (kind == "Application" || kind == "ApplicationSet")
}

func releaseOf(file File, object map[string]any) *release {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	group, _, _ := strings.Cut(apiVersion, "/")
	r := &release{about: Unrendered{
		File: file.Name, APIVersion: apiVersion, Kind: kind,
		Namespace: field(object, "metadata", "namespace"), Name: field(object, "metadata", "name"),
	}}
	root := rootOf(file)
	switch {
	case group == "helm.toolkit.fluxcd.io" && kind == "HelmRelease":
		r.parts = []part{fluxPart(root, object, r.about)}
	case group == "argoproj.io" && kind == "Application":
		r.parts = argoParts(root, object, r.about.Name)
	case group == "argoproj.io" && kind == "ApplicationSet":
		template, _ := lookup(object, "spec", "template").(map[string]any)
		r.parts = argoParts(root, template, field(template, "metadata", "name"))
		for i := range r.parts {
			// What a generator fills in is not known, and the chart's own value is not what runs.
			p := &r.parts[i]
			filledIn := slices.Concat(p.values, p.set, []string{p.folder, string(p.inline)})
			if strings.Contains(strings.Join(filledIn, " "), "{{") {
				p.folder = ""
			}
			r.parts[i].hint = fmt.Sprintf("argocd appset generate %s writes its Applications", file.Name)
		}
	default:
		return nil
	}
	return r
}

// fluxPart is what a HelmRelease renders. A chart from a GitRepository has a path in it.
func fluxPart(root string, object map[string]any, about Unrendered) part {
	spec, _ := lookup(object, "spec", "chart", "spec").(map[string]any)
	p := part{
		root: root, inline: table(lookup(object, "spec", "values")),
		name:      cmp.Or(field(object, "spec", "releaseName"), about.Name),
		namespace: cmp.Or(field(object, "spec", "targetNamespace"), about.Namespace),
		hint: fmt.Sprintf("helm template %s CHART --values VALUES | headroom lint - judges what it renders",
			cmp.Or(about.Name, "NAME")),
	}
	chart := field(spec, "chart")
	if chart != "" {
		p.hint = strings.Replace(p.hint, "CHART", chart, 1)
	}
	if field(spec, "sourceRef", "kind") != "HelmRepository" {
		p.folder = chart
	}
	for _, name := range texts(lookup(spec, "valuesFiles")) {
		p.values = append(p.values, filepath.Join(root, filepath.FromSlash(name)))
	}
	return p
}

// argoParts are what an Application renders: a chart of a registry, or a path of a repository.
func argoParts(root string, object map[string]any, name string) []part {
	sources, _ := lookup(object, "spec", "sources").([]any)
	if one := lookup(object, "spec", "source"); one != nil {
		sources = append(sources, one)
	}
	var parts []part
	for _, entry := range sources {
		source, _ := entry.(map[string]any)
		helm, _ := source["helm"].(map[string]any)
		p := part{
			root: root, name: cmp.Or(field(helm, "releaseName"), name),
			namespace: field(object, "spec", "destination", "namespace"),
			hint:      fmt.Sprintf("argocd app manifests %s | headroom lint - judges what it renders", cmp.Or(name, "NAME")),
		}
		switch folder := field(source, "path"); {
		case field(source, "chart") != "":
		case folder == "":
			continue // a source of values alone
		case sameRepository(root, field(source, "repoURL")):
			p.folder = folder
		}
		for _, file := range texts(helm["valueFiles"]) {
			if strings.HasPrefix(file, "$") { // of another source
				p.folder = ""
			}
			p.values = append(p.values, filepath.Join(root, filepath.FromSlash(p.folder), filepath.FromSlash(file)))
		}
		p.inline = table(helm["valuesObject"])
		if text := field(helm, "values"); p.inline == nil {
			p.inline = []byte(text)
		}
		parameters, _ := helm["parameters"].([]any)
		for _, entry := range parameters {
			parameter, _ := entry.(map[string]any)
			p.set = append(p.set, field(parameter, "name")+"="+strings.ReplaceAll(field(parameter, "value"), ",", `\,`))
		}
		parts = append(parts, p)
	}
	return parts
}

// file is what a part renders to, nil where it is not in this tree.
func (p part) file(opts Options) (*File, string) {
	if p.folder == "" {
		return nil, ""
	}
	folder := filepath.Join(p.root, filepath.FromSlash(p.folder))
	real := realPath(folder)
	leads := func(real string) bool { return !within(p.root, real) || opts.outside(real) }
	if info, err := os.Stat(folder); err != nil || !info.IsDir() || leads(real) ||
		slices.ContainsFunc(p.values, func(file string) bool { return leads(realPath(file)) || endless(file) }) {
		return nil, ""
	}
	file := &File{Name: display(folder)}
	switch {
	case isChart(folder):
		from := HelmChart{
			Path: folder, Values: p.values, Inline: p.inline, Set: p.set, ReleaseName: p.name, Namespace: p.namespace,
		}
		file.render = sync.OnceValue(func() rendering { return renderHelm(from, opts).oneOfSeveral() })
	case opts.Root == nil && slices.ContainsFunc(kustomizationNames, func(name string) bool {
		_, err := os.Stat(filepath.Join(folder, name))
		return err == nil
	}):
		file.render = sync.OnceValue(func() rendering { return renderKustomize(folder, opts) })
	}
	return file, real
}

// endless says that a file that a release names is a pipe or a device, which to read might never end.
func endless(file string) bool {
	info, err := os.Stat(file)
	return err == nil && !info.Mode().IsRegular()
}

func within(root, real string) bool {
	below, err := filepath.Rel(realPath(root), real)
	return err == nil && filepath.IsLocal(below)
}

// rootOf is the folder of the repository that a file stands in, as the user would write it. Without a repository it is
// the folder that the user named: files beside that folder may not belong to it.
func rootOf(file File) string {
	folder := file.under
	if file.path == "" {
		folder = "."
	}
	for root, real := folder, realPath(folder); ; root, real = filepath.Join(root, ".."), filepath.Dir(real) {
		if _, err := os.Stat(filepath.Join(real, ".git")); err == nil {
			return root
		}
		if real == filepath.Dir(real) {
			return folder
		}
	}
}

var remoteURL = pattern.Lazy(`(?m)^\s*url\s*=\s*(\S+)`)

// sameRepository says whether a repository is the one of this tree, by the names of its remotes. Where it has
// none, nothing says that it is not.
func sameRepository(root, url string) bool {
	config, err := regular.Read(filepath.Join(root, ".git", "config"), 1<<20)
	if err != nil {
		return true
	}
	remotes := remoteURL().FindAllSubmatch(config, -1)
	return len(remotes) == 0 || slices.ContainsFunc(remotes, func(match [][]byte) bool {
		return repositoryName(string(match[1])) == repositoryName(url)
	})
}

// repositoryName is owner/name of git@host:owner/name.git and of https://host/owner/name.
func repositoryName(url string) string {
	url = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(url, ":", "/"), "/"), ".git")
	return path.Join(path.Base(path.Dir(url)), path.Base(url))
}

func lookup(value any, keys ...string) any {
	for _, key := range keys {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}

func field(value any, keys ...string) string {
	text, _ := lookup(value, keys...).(string)
	return text
}

func texts(value any) []string {
	list, _ := value.([]any)
	var all []string
	for _, entry := range list {
		if text, ok := entry.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// table gives values as the text of a file, nil for what is no map.
func table(value any) []byte {
	object, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	text, err := json.Marshal(object) // JSON is YAML
	if err != nil {
		return nil
	}
	return text
}
