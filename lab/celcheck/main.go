// Command celcheck judges manifests by the Rego and by the CEL and prints where they differ, and
// what the CEL costs: `go run -C lab ./celcheck [-rule HR202] [-cost] [PATH…]`. Each object is judged alone, with
// its Namespace where the same file has one. Without paths it takes the rules' examples,
// the samples, the manifests of the tests, and those of other projects where there are any.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/export/cel"
	"github.com/headroom-dev/headroom/tests/harness/repo"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
	"github.com/headroom-dev/headroom/tests/system/conformance/evaluate"
)

// slow is what one variable may take to compile on a machine that does much else.
const slow = 60 * time.Millisecond

func main() {
	only := flag.String("rule", "", "look at one rule")
	costs := flag.Bool("cost", false, "print the greatest cost of each variable")
	verbose := flag.Bool("v", false, "print every message")
	flag.Parse()
	paths := flag.Args()
	if len(paths) == 0 {
		paths = slices.Concat(cases.Roots, repo.Projects())
	}
	lab.Main("celcheck", func(ctx context.Context) error {
		differences, err := run(ctx, *only, *costs, *verbose, paths)
		if err == nil && differences > 0 {
			err = errors.New("the Rego and the CEL differ")
		}
		return err
	})
}

func run(ctx context.Context, only string, costs, verbose bool, paths []string) (int, error) {
	e, err := engine.New(ctx, engine.Options{})
	if err != nil {
		return 0, err
	}
	set, err := cel.New(ctx, nil, cel.Native)
	if err != nil {
		return 0, err
	}
	// What is being written elsewhere in the model need not compile for one rule to be looked at.
	if only != "" {
		set.Rules = slices.DeleteFunc(set.Rules, func(r cel.Rule) bool { return r.ID != only })
	}
	judge, err := evaluate.New(set)
	if err != nil {
		return 0, err
	}
	for name, took := range judge.Compiled {
		if took > slow {
			fmt.Printf("SLOW: variables.%s takes %v to compile, which Kyverno does for every resource. optMap and optFlatMap "+
				"write what stands before them several times, and a chain of them doubles each time: bind with [x].map(v, …)[0], "+
				"and call a large macro once, over a list\n", name, took.Round(time.Millisecond))
		}
	}
	covered := map[string]bool{}
	for _, rule := range set.Rules {
		covered[rule.ID] = only == "" || rule.ID == only
	}
	objects, differences := 0, 0
	most, where := map[string]int64{}, map[string]string{}
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) || err == nil && !strings.HasSuffix(path, ".yaml") {
				return nil
			} else if err != nil {
				return err
			}
			documents, namespaces, err := read(path)
			if err != nil {
				fmt.Printf("%s: %v\n", path, err)
				return nil
			}
			for i, object := range documents {
				objects++
				name := fmt.Sprintf("%s[%d] %v/%v", path, i, object["kind"], name(object))
				namespace := namespaces[namespaceOf(object)]
				want, err := rego(ctx, e, object, namespace, covered)
				if err != nil {
					return err
				}
				got := []string{}
				verdicts, err := judge.Judge(ctx, object, namespace)
				if err != nil {
					fmt.Printf("%s: %v\n", name, err)
					differences++
					continue
				}
				for _, v := range verdicts {
					if !covered[v.Rule] {
						continue
					}
					if v.Err != nil {
						got = append(got, v.Rule+" ERROR "+v.Err.Error())
					}
					for _, c := range v.Containers {
						got = append(got, v.Rule+" "+c)
					}
					if verbose {
						fmt.Printf("%s: %s\n", name, v.Message)
					}
				}
				got = unique(got)
				for _, x := range want {
					if !slices.Contains(got, x) {
						fmt.Printf("%s: Rego alone: %s\n", name, x)
						differences++
					}
				}
				for _, x := range got {
					if !slices.Contains(want, x) {
						fmt.Printf("%s: CEL alone: %s\n", name, x)
						differences++
					}
				}
				if costs {
					spent, err := judge.Cost(ctx, object, namespace)
					if err != nil {
						return err
					}
					for v, cost := range spent {
						if cost > most[v] {
							most[v], where[v] = cost, name
						}
					}
				}
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	for _, v := range slices.Sorted(maps.Keys(most)) {
		fmt.Printf("cost %-20s %8d  %s\n", v, most[v], where[v])
	}
	fmt.Printf("%d objects, %d rules, %d differences\n", objects, len(set.Rules), differences)
	return differences, nil
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

func rego(ctx context.Context, e *engine.Engine, object, namespace map[string]any, covered map[string]bool) ([]string, error) {
	review := engine.Review{Manifest: object}
	if namespace != nil {
		around, err := engine.NewContext(namespaceOf(object), map[string][]map[string]any{"namespaces": {namespace}})
		if err != nil {
			return nil, err
		}
		review.Around = around
	}
	result, err := e.Evaluate(ctx, review)
	if err != nil {
		return nil, err
	}
	want := []string{}
	for _, f := range result.Findings {
		if covered[f.Rule] {
			want = append(want, f.Rule+" "+f.Container)
		}
	}
	return unique(want), nil
}

func name(object map[string]any) any {
	metadata, _ := object["metadata"].(map[string]any)
	return metadata["name"]
}

func namespaceOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	return namespace
}

// read gives the objects of a file that the CEL may judge, and its Namespaces by name.
func read(path string) (objects []map[string]any, namespaces map[string]map[string]any, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	namespaces = map[string]map[string]any{}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var object map[string]any
		if err := decoder.Decode(&object); errors.Is(err, io.EOF) {
			return objects, namespaces, nil
		} else if err != nil {
			return nil, nil, err
		}
		add(object, &objects, namespaces)
	}
}

var judged = []string{
	"Pod", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController", "Job", "CronJob",
}

func add(object map[string]any, objects *[]map[string]any, namespaces map[string]map[string]any) {
	kind, _ := object["kind"].(string)
	items, _ := object["items"].([]any)
	switch {
	case kind == "Namespace":
		if n, ok := name(object).(string); ok {
			namespaces[n], _ = shaped(object).(map[string]any)
			*objects = append(*objects, namespaces[n])
		}
	case items != nil:
		for _, item := range items {
			if m, ok := item.(map[string]any); ok {
				add(m, objects, namespaces)
			}
		}
	case slices.Contains(judged, kind):
		o, _ := shaped(object).(map[string]any)
		*objects = append(*objects, o)
	}
}

// shaped makes int64 of int, as objects of Kubernetes have it.
func shaped(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = shaped(x)
		}
	case []any:
		for i, x := range v {
			v[i] = shaped(x)
		}
	case int:
		return int64(v)
	}
	return value
}
