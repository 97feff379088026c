package verdicts

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// Case is an object to judge.
type Case struct {
	Name   string
	Object map[string]any
	// Annotations are those of its namespace.
	Annotations map[string]string
}

//go:embed workloads.yaml
var workloads string

// All are the rules' examples and workloads of every kind.
func All() ([]Case, error) {
	list, err := examples()
	if err != nil {
		return nil, err
	}
	more, err := Read("workloads", workloads)
	return append(list, more...), err
}

// examples are the workloads of both examples of every rule that is written in CEL. What else
// an example has beside them, CEL does not see.
func examples() ([]Case, error) {
	rules, err := engine.Rules()
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, rule := range rules {
		if !rule.Kyverno {
			continue
		}
		for _, example := range [][2]string{{"bad", rule.Bad}, {"good", rule.Good}} {
			more, err := Read(rule.ID+" "+example[0], example[1])
			if err != nil {
				return nil, err
			}
			cases = append(cases, more...)
		}
	}
	return cases, nil
}

// Read makes cases of a YAML stream; its Namespace is that of all of them.
func Read(name, text string) ([]Case, error) {
	var cases []Case
	var annotations map[string]string
	reader := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var object map[string]any
		if err := yaml.Unmarshal(document, &object); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		switch kind, _ := object["kind"].(string); kind {
		case "Namespace":
			var namespace metav1.PartialObjectMetadata
			if err := yaml.Unmarshal(document, &namespace); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			annotations = namespace.Annotations
		case "Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job", "CronJob":
			cases = append(cases, Case{Name: fmt.Sprintf("%s, %s %v", name, kind, metadata(object)["name"]), Object: object})
		}
	}
	for i := range cases {
		cases[i].Annotations = annotations
	}
	return cases, nil
}

func metadata(object map[string]any) map[string]any {
	m, _ := object["metadata"].(map[string]any)
	return m
}

// Namespace is the namespace as the engine reads it.
func (c Case) Namespace() map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": metadata(c.Object)["namespace"], "annotations": anyOf(c.Annotations)},
	}
}

func anyOf(texts map[string]string) map[string]any {
	values := map[string]any{}
	for key, text := range texts {
		values[key] = text
	}
	return values
}

// Rooms are namespaces for cases: one for all that want it alike.
type Rooms struct {
	cluster *plane.Plane
	labels  []string
	known   map[string]string
}

// NewRooms makes no namespace yet; those to come have labels.
func NewRooms(cluster *plane.Plane, labels ...string) *Rooms {
	return &Rooms{cluster, labels, map[string]string{}}
}

// Put gives a case a namespace.
func (r *Rooms) Put(t testing.TB, c Case) Case {
	t.Helper()
	annotations, err := json.Marshal(c.Annotations)
	if err != nil {
		t.Fatal(err)
	}
	room := r.known[string(annotations)]
	if room == "" {
		room = r.cluster.Namespace(t, r.labels...)
		patch := fmt.Appendf(nil, `{"metadata": {"annotations": %s}}`, annotations)
		_, err := r.cluster.Client.CoreV1().Namespaces().
			Patch(t.Context(), room, types.MergePatchType, patch, metav1.PatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r.known[string(annotations)] = room
	}
	object := map[string]any{}
	for key, value := range c.Object {
		object[key] = value
	}
	object["metadata"] = map[string]any{}
	for key, value := range metadata(c.Object) {
		metadata(object)[key] = value
	}
	metadata(object)["namespace"] = room
	c.Object = object
	return c
}

// Create has a developer create the object, without a trace. What the API server made of it
// is on standard output.
func (c Case) Create(t testing.TB, cluster *plane.Plane) plane.Output {
	t.Helper()
	text, err := json.Marshal(c.Object)
	if err != nil {
		t.Fatal(err)
	}
	return cluster.KubectlAs(plane.Developer, string(text), "create", "--dry-run=server", "-o", "json", "-f", "-")
}

// Invalid says that the API server refused an object for what it is, before it asked the
// policies: a request above its limit, which HR208 finds earlier.
func Invalid(out plane.Output) bool {
	return out.Code != 0 && strings.Contains(out.Stderr, "is invalid: spec.")
}
