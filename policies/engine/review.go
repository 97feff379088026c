package engine

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Review is one object with what is known of its surroundings, which is the input of the
// policies (data.headroom.workload, reviews.rego).
type Review struct {
	// Manifest is the object, as JSON shapes it.
	Manifest map[string]any
	// Prefix leads from the document to the object, as ["items", 3] does in a List.
	Prefix []any
	// Around is what stands beside the object; nil when nothing is known.
	Around *Context
	// Place is the folder that the object stands in, slash-separated; "" where it is in none.
	Place string
	// Comments are those of the file that exempt what they stand at.
	Comments []Comment
	// Measured is what was measured of its containers, by name; nil when nothing was.
	Measured map[string]Measured
}

// input is the review as the policies read it. An object with nothing around it is input as it
// stands, as conftest would give it.
func (r Review) input() (plan.Value, error) {
	manifest, err := plan.FromGo(r.Manifest)
	if err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	if r.Around == nil && len(r.Prefix) == 0 && len(r.Measured) == 0 && len(r.Comments) == 0 {
		return manifest, nil
	}
	prefix, err := plan.FromGo(r.Prefix)
	if err != nil {
		return nil, fmt.Errorf("read the path to the object: %w", err)
	}
	around := r.Around
	if around == nil {
		around = &Context{}
	}
	beside := around.pairsFor(r.Manifest, r.Place)
	if len(r.Measured) > 0 {
		beside = append(beside, plan.Pair{Key: "measured", Value: measuredValue(r.Measured)})
	}
	fields := []plan.Pair{
		{Key: "apiVersion", Value: "headroom.dev/v1alpha1"},
		{Key: "kind", Value: "Review"},
		{Key: "object", Value: manifest},
		{Key: "namespace", Value: around.Namespace},
		{Key: "prefix", Value: prefix},
		{Key: "context", Value: plan.NewObject(beside...)},
	}
	if len(r.Comments) > 0 {
		comments, err := commentsValue(r.Comments)
		if err != nil {
			return nil, err
		}
		fields = append(fields, plan.Pair{Key: "comments", Value: comments})
	}
	return plan.NewObject(fields...), nil
}

// Comment is a comment of a file that exempts, as # headroom:ignore HR302 why.
type Comment struct {
	Text  string  // behind the mark
	Paths [][]any // from the document to what it speaks for
}

func commentsValue(comments []Comment) (plan.Value, error) {
	values := make([]plan.Value, len(comments))
	for i, c := range comments {
		paths := make([]plan.Value, len(c.Paths))
		for j, path := range c.Paths {
			value, err := plan.FromGo(append([]any{}, path...))
			if err != nil {
				return nil, fmt.Errorf("read the path of a comment: %w", err)
			}
			paths[j] = value
		}
		values[i] = plan.NewObject(
			plan.Pair{Key: "text", Value: c.Text}, plan.Pair{Key: "paths", Value: plan.NewArray(paths...)})
	}
	return plan.NewArray(values...), nil
}

// Context is what stands beside the objects of one namespace: lists of raw objects by the
// names of data.headroom.workload.context_kinds. Each is converted once, however many
// objects are judged against it.
type Context struct {
	// Namespace stands in for an object that names none: an admission request knows it.
	Namespace string
	lists     []plan.Pair
	// found has what can be many, and of which an object needs a few, by the list's name and a key.
	found map[string]map[string][]plan.Value
	// later are ConfigMaps that are read when the policies ask for them; nil where there are none.
	later *later
}

// NewContext converts the lists.
func NewContext(namespace string, lists map[string][]map[string]any) (*Context, error) {
	c := &Context{Namespace: namespace, found: map[string]map[string][]plan.Value{}}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		if keys := keysOf[name]; keys != nil {
			if err := c.index(name, lists[name], keys); err != nil {
				return nil, err
			}
			continue
		}
		value, err := plan.FromGo(lists[name])
		if err != nil {
			return nil, fmt.Errorf("read the %s beside the object: %w", name, err)
		}
		c.lists = append(c.lists, plan.Pair{Key: name, Value: value})
	}
	return c, nil
}

// With is the context with ConfigMaps that were read later.
func (c *Context) With(configMaps []map[string]any) (*Context, error) {
	return c.instead(configMapsList, configMaps)
}

// WithAutoscalers is the context with the autoscalers of one object.
func (c *Context) WithAutoscalers(autoscalers []map[string]any) (*Context, error) {
	return c.instead(autoscalersList, autoscalers)
}

// instead is the context with another list of those of which an object needs a few.
func (c *Context) instead(list string, objects []map[string]any) (*Context, error) {
	more := &Context{Namespace: c.Namespace, lists: c.lists, found: maps.Clone(c.found)}
	delete(more.found, list)
	return more, more.index(list, objects, keysOf[list])
}

// Resized is the context of a Pod that is being resized, with the Pod as it is now.
func (c *Context) Resized(before map[string]any) (*Context, error) {
	value, err := plan.FromGo([]map[string]any{before})
	if err != nil {
		return nil, fmt.Errorf("read the Pod before its resize: %w", err)
	}
	more := &Context{Namespace: c.Namespace, found: c.found}
	more.lists = append(slices.Clone(c.lists), plan.Pair{Key: "before", Value: value})
	return more, nil
}

// Node is the fullest of the nodes that the Pods of a workload are on: what all Pods there ask for, and what there is,
// in millicores.
type Node struct {
	Name                   string
	Requested, Allocatable int64
	Of                     int // nodes that the workload is on
}

// On is the context of a workload whose nodes are known.
func (c *Context) On(n Node) *Context {
	more := &Context{Namespace: c.Namespace, found: c.found, later: c.later}
	more.lists = append(slices.Clone(c.lists), plan.Pair{Key: "nodes", Value: plan.NewArray(plan.NewObject(
		plan.Pair{Key: "name", Value: n.Name},
		plan.Pair{Key: "requested", Value: fmt.Sprintf("%dm", n.Requested)},
		plan.Pair{Key: "allocatable", Value: fmt.Sprintf("%dm", n.Allocatable)},
		plan.Pair{Key: "of", Value: counted(float64(n.Of))},
	))})
	return more
}

// Room is what the largest node has for Pods; 0 is not known.
type Room struct{ Millicores, Bytes int64 }

// Within is the context of a workload whose Pods some node has to take.
func (c *Context) Within(r Room) *Context {
	if r == (Room{}) {
		return c
	}
	more := &Context{Namespace: c.Namespace, found: c.found, later: c.later}
	more.lists = append(slices.Clone(c.lists), plan.Pair{Key: "largest_node", Value: plan.NewArray(plan.NewObject(
		plan.Pair{Key: "cpu", Value: fmt.Sprintf("%dm", r.Millicores)},
		plan.Pair{Key: "memory", Value: strconv.FormatInt(r.Bytes, 10)},
	))})
	return more
}

// pairsFor gives the context for one object in a place: of what can be many only what it needs.
func (c *Context) pairsFor(manifest map[string]any, place string) []plan.Pair {
	lists := append(slices.Clone(c.lists), plan.Pair{Key: configMapsList, Value: plan.NewArray()})
	for name, values := range c.needed(manifest, place) {
		lists = append(lists, plan.Pair{Key: name, Value: plan.NewArray(values...)})
	}
	return lists
}

// ConfigMapsNamed lists the ConfigMaps that an object's environment variables and files are taken from, or
// that its options name, sorted: no other ConfigMap of a Context is read.
func ConfigMapsNamed(manifest map[string]any) []string {
	var names []string
	visit(manifest, func(key string, value any) bool {
		if words, ok := value.([]any); ok && (key == "command" || key == "args") {
			names = append(names, configMapsInOptions(words)...)
		}
		reference, ok := value.(map[string]any)
		if !ok || key != "configMapRef" && key != "configMapKeyRef" && key != "configMap" {
			return true
		}
		// Every Pod has the certificates of the API server.
		if name, ok := reference["name"].(string); ok && name != "kube-root-ca.crt" {
			names = append(names, name)
		}
		return false
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// configMapsInOptions are the ConfigMaps that options of ingress controllers name: --configmap=NAMESPACE/NAME, or in
// two words.
func configMapsInOptions(words []any) []string {
	var names []string
	for i, word := range words {
		text, _ := word.(string)
		option, value, joined := strings.Cut(text, "=")
		if name := strings.TrimLeft(option, "-"); name == option || name != "configmap" && name != "nginx-configmaps" {
			continue
		}
		if !joined && i+1 < len(words) {
			value, _ = words[i+1].(string)
		}
		if name := value[strings.LastIndex(value, "/")+1:]; name != "" {
			names = append(names, name)
		}
	}
	return names
}
