package values

import (
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/lint/suggest/tree"
)

// node is a place in the values: a map, a list or a scalar; or a key that the templates
// read and the values do not have.
type node struct {
	path   []any
	value  any
	absent bool
}

func (n node) key() string {
	for _, step := range slices.Backward(n.path) {
		if key, ok := step.(string); ok {
			return key
		}
	}
	return ""
}

// What is looked at of a chart's values, at most.
const (
	maxNodes = 20_000
	maxDepth = 16
)

// nodesOf lists the values and what the templates read of them besides.
func nodesOf(values map[string]any, templates map[string][]string) []node {
	var list []node
	var walk func(path []any, value any)
	walk = func(path []any, value any) {
		// Subcharts have a copy of what is global.
		if len(list) >= maxNodes || len(path) > maxDepth || len(path) > 1 && path[len(path)-1] == any("global") {
			return
		}
		if len(path) > 0 {
			list = append(list, node{path: path, value: value})
		}
		switch value := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(value)) {
				walk(append(slices.Clip(path), key), value[key])
			}
		case []any:
			for i, entry := range value {
				walk(append(slices.Clip(path), i), entry)
			}
		}
	}
	walk(nil, values)
	return append(list, absentNodes(list, templates)...)
}

var reads = pattern.Lazy(`(\.Values)?((?:\.[A-Za-z_][A-Za-z0-9_]*)+)`)

// absentNodes are keys that templates read and that the values leave out: .Values.a.b, and
// .resources of whatever a template ranges over.
func absentNodes(known []node, templates map[string][]string) []node {
	has := map[string]bool{}
	for _, n := range known {
		has[tree.Key(n.path)] = true
	}
	var list []node
	add := func(path []any) {
		if key := tree.Key(path); !has[key] && len(list) < maxNodes {
			has[key] = true
			list = append(list, node{path: path, absent: true})
		}
	}
	for _, chart := range slices.Sorted(maps.Keys(templates)) {
		var prefix []any
		if chart != "" {
			prefix = steps(strings.Split(chart, "."))
		}
		for _, text := range templates[chart] {
			for _, found := range reads().FindAllStringSubmatch(text, -1) {
				path := steps(strings.Split(found[2][1:], "."))
				if key := path[len(path)-1].(string); !isResources(key) && !isEnv(key) && !isFlags(key) && !isAnnotations(key) {
					continue
				}
				if found[1] != "" {
					add(append(slices.Clip(prefix), path...))
					continue
				}
				for _, n := range known {
					if fields, ok := n.value.(map[string]any); ok && len(fields) > 0 && under(n.path, prefix) {
						add(append(slices.Clip(n.path), path...))
					}
				}
			}
		}
	}
	return list
}

func steps(keys []string) []any {
	path := make([]any, len(keys))
	for i, key := range keys {
		path[i] = key
	}
	return path
}

func under(path, prefix []any) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

func has(key string, words ...string) bool {
	key = strings.ToLower(key)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(key, word) })
}

func isResources(key string) bool { return has(key, "resources") }

func isEnv(key string) bool { return has(key, "env") && !has(key, "envoy", "environmentname") }

func isFlags(key string) bool { return has(key, "java", "jvm", "opts", "options", "flags") }

func isAnnotations(key string) bool { return has(key, "annotations") }

// plain is a name as it is compared with another: articleService is article-service.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
}

// affinity says how well a path's keys fit the names of a container and its workload. A key that is
// the container's name speaks for it, and one that is another's against it.
func affinity(path []any, container, workload string, others map[string]bool) int {
	score := 0
	for _, step := range path {
		key, ok := step.(string)
		if !ok {
			continue
		}
		switch key = plain(key); {
		case key == plain(container):
			score += 3
		case len(key) > 2 && strings.HasSuffix(plain(workload), key):
			score += 2
		case others[key]:
			score -= 3
		case len(key) > 2 && strings.Contains(plain(workload), key):
			score++
		}
	}
	return score
}
