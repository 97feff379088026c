// Command recall counts what is found of the problems that an engineer has labelled in manifests of others. It counts
// without knowledge of their images, with the images that the policies know, and with configs beside. The table
// stands in docs/images.md.
//
// It needs the labelled manifests, in HEADROOM_CORPUS or ../shared/corpus.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// label is what an engineer expects of a container.
type label struct {
	File      string      `json:"file"`
	Kind      string      `json:"kind"`
	Name      string      `json:"name"`
	Container string      `json:"container"`
	Runtime   string      `json:"runtime"`
	Must      [][2]string `json:"must"` // rule, why
	MustNot   [][2]string `json:"must_not"`
}

func (l label) place() string { return place(l.File, l.Kind, l.Name, l.Container) }

func place(parts ...string) string { return strings.Join(parts, "\x00") }

// counted are the rules that rest on what runs.
var counted = []string{"HR303", "HR304", "HR406", "HR409", "HR411", "HR501", "HR502"}

// runtimes are those of the labels that the policies may know.
var runtimes = []string{"jvm", "go", "node", "python", "ruby", "php"}

// seen is what one way of looking found: rules, and the runtime, by place.
type seen struct {
	rules    map[string]map[string]bool
	runtimes map[string]string
}

func main() {
	lab.Main("recall", run)
}

func run(ctx context.Context) error {
	corpus := repo.Corpus()
	if corpus == "" {
		return errors.New("there is no labelled corpus: " + repo.CorpusVariable + " names its folder")
	}
	content, err := os.ReadFile(filepath.Join(corpus, "labelled", "labels.json"))
	if err != nil {
		return err
	}
	var labels []label
	if err := json.Unmarshal(content, &labels); err != nil {
		return err
	}
	charts := filepath.Join(corpus, "labelled", "charts")
	hidden, err := os.MkdirTemp("", "recall-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(hidden) }()
	if err := hide(charts, hidden); err != nil {
		return err
	}
	lock, err := settings.LoadLock("lab/recall/headroom-images.yaml")
	if err != nil {
		return err
	}
	var ways []seen
	for _, way := range []struct {
		folder string
		lock   map[string]any
	}{{hidden, nil}, {charts, nil}, {charts, lock}} {
		found, err := look(ctx, way.folder, way.lock)
		if err != nil {
			return err
		}
		ways = append(ways, found)
	}
	print(labels, ways)
	return nil
}

var image = regexp.MustCompile(`(?m)^(\s*(?:- )?image:\s*).*$`)

// hide writes the manifests with made-up image names.
func hide(from, to string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		content = image.ReplaceAll(content, []byte("${1}registry.example/nobody/knows:1"))
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), content, 0o600); err != nil { //nolint:gosec // below a folder of its own
			return err
		}
	}
	return nil
}

// look judges each file by itself.
func look(ctx context.Context, folder string, lock map[string]any) (seen, error) {
	found := seen{rules: map[string]map[string]bool{}, runtimes: map[string]string{}}
	e, err := engine.New(ctx, engine.Options{ImageLock: lock})
	if err != nil {
		return found, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return found, err
	}
	for _, file := range files {
		name := filepath.Base(file)
		report, err := lint.Run(ctx, e, lint.Options{
			Paths: []string{file}, Source: source.Options{MaxFileBytes: source.DefaultMaxFileBytes},
		})
		if err != nil {
			return found, err
		}
		for _, f := range report.Findings {
			at := place(name, f.Resource.Kind, f.Resource.Name, f.Container)
			if found.rules[at] == nil {
				found.rules[at] = map[string]bool{}
			}
			found.rules[at][f.Rule] = true
		}
		for _, w := range report.Workloads {
			for _, c := range w.Containers {
				found.runtimes[place(name, w.Resource.Kind, w.Resource.Name, c.Name)] = strings.TrimSuffix(c.Runtime, "?")
			}
		}
	}
	return found, nil
}

func print(labels []label, ways []seen) {
	fmt.Println("| | unknown images | known images | with configs |\n|---|---|---|---|")
	row := func(name string, count func(seen) (have, all int)) {
		fmt.Printf("| %s |", name)
		for _, way := range ways {
			have, all := count(way)
			fmt.Printf(" %d of %d |", have, all)
		}
		fmt.Println()
	}
	for _, runtime := range runtimes {
		row("known to run "+runtime, func(way seen) (have, all int) {
			for _, l := range labels {
				if l.Runtime == runtime && l.Container != "*" {
					all++
					if way.runtimes[l.place()] == runtime {
						have++
					}
				}
			}
			return have, all
		})
	}
	for _, rule := range counted {
		row(rule, func(way seen) (have, all int) {
			for _, l := range labels {
				if slices.ContainsFunc(l.Must, func(must [2]string) bool { return must[0] == rule }) {
					all++
					if way.rules[l.place()][rule] {
						have++
					}
				}
			}
			return have, all
		})
	}
	row("wrong findings", func(way seen) (have, all int) {
		for _, l := range labels {
			for _, not := range l.MustNot {
				all++
				if way.rules[l.place()][not[0]] {
					have++
				}
			}
		}
		return have, all
	})
}
