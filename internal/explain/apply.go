package explain

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// trial is one container of a copy of a manifest, to be changed.
type trial struct {
	manifest  map[string]any
	container map[string]any
	template  map[string]any // what has the metadata of the Pod
	now       *engine.Explanation
	done      []Step

	collectors []string // their flags, of which a JVM takes one
	collector  string   // the one that is tried
}

func newTrial(manifest map[string]any, e *engine.Explanation, collectors []string) (*trial, error) {
	// What is changed is noted in the flags, for the changes that follow.
	now := *e
	now.Flags = slices.Clone(e.Flags)
	t := &trial{now: &now, collectors: collectors}
	t.manifest, _ = engine.DeepCopy(manifest).(map[string]any)
	container, ok := lookup(t.manifest, e.Path).(map[string]any)
	parts := tokens(e.Path)
	if !ok || len(parts) < 3 {
		return nil, errors.New("internal: the container is not where it was found")
	}
	t.container = container
	t.template = t.manifest
	for _, token := range parts[:len(parts)-3] { // without spec, containers and the index
		t.template, _ = t.template[token].(map[string]any)
	}
	if t.template == nil {
		return nil, errors.New("internal: the pod template is not where it was found")
	}
	return t, nil
}

func (t *trial) say(what, old, now string) {
	t.done = append(t.done, Step{What: terminal.Printable(what), Old: terminal.Printable(old), New: terminal.Printable(now)})
}

// apply makes one change.
func (t *trial) apply(c Change) error {
	switch {
	case c.Name != "":
		return t.flag(c)
	case strings.HasPrefix(c.Key, "requests."), strings.HasPrefix(c.Key, "limits."):
		t.resource(c)
	case c.Key == "class":
		t.class(c)
	case c.Key == "threads", c.Key == "pause":
		t.told(c)
	case c.Key == "workers":
		return t.workers(c)
	}
	return nil
}

func (t *trial) resource(c Change) {
	list, name, _ := strings.Cut(c.Key, ".")
	amounts := objectAt(t.container, "resources", list)
	old := ""
	if given, ok := amounts[name]; ok {
		old = fmt.Sprint(given)
	}
	if c.Value == "" {
		delete(amounts, name)
	} else {
		amounts[name] = c.Value
	}
	t.say(c.Key, old, c.Value)
}

// annotation gives one of the pod template, or else of the workload, as the policies read it.
func (t *trial) annotation(key string) string {
	for _, holder := range []map[string]any{t.template, t.manifest} {
		metadata, _ := holder["metadata"].(map[string]any)
		annotations, _ := metadata["annotations"].(map[string]any)
		if text, ok := annotations[key].(string); ok {
			return text
		}
	}
	return ""
}

// annotate sets an annotation of the pod template; "" takes it away, from the workload too.
func (t *trial) annotate(key, value string) {
	old := t.annotation(key)
	if value != "" {
		objectAt(t.template, "metadata", "annotations")[key] = value
	} else {
		for _, holder := range []map[string]any{t.template, t.manifest} {
			delete(objectAt(holder, "metadata", "annotations"), key)
		}
	}
	t.say("annotation "+key, old, value)
}

func (t *trial) class(c Change) {
	key := "class.headroom.dev/" + t.now.Container
	if c.Value == "" && t.annotation(key) == "" {
		key = "headroom.dev/workload-class"
	}
	t.annotate(key, c.Value)
}

// told changes one word of what jvm.headroom.dev says of the container.
func (t *trial) told(c Change) {
	key := "jvm.headroom.dev/" + t.now.Container
	var kept []string
	for _, word := range strings.Fields(t.annotation(key)) {
		if !strings.HasPrefix(word, c.Key+"=") {
			kept = append(kept, word)
		}
	}
	if c.Value != "" {
		kept = append(kept, c.Key+"="+c.Value)
	}
	t.annotate(key, strings.Join(kept, " "))
}
