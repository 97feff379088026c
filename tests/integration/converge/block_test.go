//go:build integration

package converge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/random"
)

// onResources are the rules on CPU, memory and the JVM: what "What would pass" speaks of.
var onResources = regexp.MustCompile(`^HR[234]`)

// passes takes the block of each container into its manifest, with the flags beside it. The container may then have
// an error on CPU, memory or the JVM only if the block names it, or if it had it before and no amount cures it.
func (s subject) passes(e *engine.Engine) (taken int, err error) {
	review, err := s.review(s.object)
	if err != nil {
		return 0, err
	}
	before, err := e.Evaluate(context.Background(), review)
	if err != nil {
		return 0, err
	}
	explained, err := e.Explain(context.Background(), review, engine.ExplainOptions{})
	if err != nil {
		return 0, err
	}
	for i := range explained {
		x := &explained[i]
		if x.Skipped != "" || x.Passing.Block == "" {
			continue
		}
		object := copied(s.object)
		p := place{object, &engine.Finding{Container: x.Container, Path: x.Path}}
		found, err := p.at(x.Path)
		if err != nil {
			return taken, err
		}
		container := found.(map[string]any)
		var block map[string]any
		if err := yaml.Unmarshal([]byte(x.Passing.Block), &block); err != nil {
			return taken, fmt.Errorf("the block of %q: %w\n%s", x.Container, err, x.Passing.Block)
		}
		container["resources"] = block["resources"]
		if x.Passing.ToolOptions != "" {
			if referred(container, "JAVA_TOOL_OPTIONS") {
				continue // no flag can be put in front of what a Secret holds
			}
			prepend(container, "JAVA_TOOL_OPTIONS", x.Passing.ToolOptions)
		}
		taken++
		after, err := s.judge(e, object)
		if err != nil {
			return taken, err
		}
		if err := held(x, before, after); err != nil {
			left, _ := json.Marshal(object)
			return taken, fmt.Errorf("%w\n%s", err, left)
		}
	}
	return taken, nil
}

// referred says that an entry of this name has its value elsewhere.
func referred(container map[string]any, name string) bool {
	env, _ := container["env"].([]any)
	for _, one := range env {
		if entry, _ := one.(map[string]any); entry["name"] == name && entry["valueFrom"] != nil {
			return true
		}
	}
	return false
}

func held(x *engine.Explanation, before, after engine.Result) error {
	for i := range after.Findings {
		f := &after.Findings[i]
		if f.Container != x.Container || f.Severity != engine.SeverityError || !onResources.MatchString(f.Rule) {
			continue
		}
		if strings.Contains(x.Passing.BlockNote, f.Rule+" remains") {
			continue
		}
		if strings.HasPrefix(f.Rule, "HR4") && has(before.Findings, f.Rule, f.Container) {
			continue // of its flags
		}
		return fmt.Errorf("with the block of %q, %s says %s (%s), and its note is %q:\n%s\n%s", x.Container, f.Rule, f.Message, f.Expected,
			x.Passing.BlockNote, x.Passing.Block, x.Passing.ToolOptions)
	}
	return nil
}

func TestBlockOfManifests(t *testing.T) {
	e, taken := newEngine(t), 0
	for _, s := range manifests(t) {
		n, err := s.passes(e)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		taken += n
	}
	if t.Logf("%d blocks were taken", taken); taken == 0 {
		t.Error("no manifest has a block")
	}
}

func TestBlockOfGenerated(t *testing.T) {
	e := newEngine(t)
	rapid.Check(t, func(t *rapid.T) {
		made := random.New(t)
		delete(made.Around, "limit_ranges") // what one puts on top is said beside the block
		if _, err := (subject{object: made.Object, around: made.Around}).passes(e); err != nil {
			around, _ := json.Marshal(made.Around)
			t.Fatalf("%v\nbeside %s", err, around)
		}
	})
}

func TestBlockOfPools(t *testing.T) {
	e := newEngine(t)
	rapid.Check(t, func(t *rapid.T) {
		if _, err := (subject{object: pod(t)}).passes(e); err != nil {
			t.Fatal(err)
		}
	})
}
