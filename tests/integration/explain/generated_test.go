//go:build integration

package explain

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/random"
)

// Blocks of generated workloads leave no error on CPU and memory but those that they name.
func TestBlocksOfGeneratedWorkloads(t *testing.T) {
	a := newAsker(t)
	rapid.Check(t, func(t *rapid.T) {
		made := random.New(t)
		around, err := engine.NewContext("shop", made.Around)
		if err != nil {
			t.Fatal(err)
		}
		review := engine.Review{Manifest: made.Object, Around: around}
		list, err := a.e.Explain(context.Background(), review, engine.ExplainOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			if x.Passing.Block != "" {
				review.Manifest = withBlock(t, made.Object, x)
				a.keeps(t, review, x)
			}
		}
	})
}

// withBlock is a copy of the object with the block at its container.
func withBlock(t *rapid.T, object map[string]any, x engine.Explanation) map[string]any {
	var block, copied map[string]any
	if err := yaml.Unmarshal([]byte(x.Passing.Block), &block); err != nil {
		t.Fatalf("%v in\n%s", err, x.Passing.Block)
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &copied); err != nil {
		t.Fatal(err)
	}
	at := any(copied)
	for step := range strings.SplitSeq(strings.TrimPrefix(x.Path, "/"), "/") {
		switch here := at.(type) {
		case map[string]any:
			at = here[step]
		case []any:
			at = here[int(step[0]-'0')]
		}
	}
	at.(map[string]any)["resources"] = block["resources"]
	return copied
}

func (a asker) keeps(t *rapid.T, review engine.Review, x engine.Explanation) {
	result, err := a.e.Evaluate(context.Background(), review)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		cpu, memory := strings.HasPrefix(f.Rule, "HR2"), strings.HasPrefix(f.Rule, "HR3")
		byFlags := x.Passing.ToolOptions != "" && (f.Rule == "HR303" || f.Rule == "HR304")
		if f.Container != x.Container || f.Severity != engine.SeverityError || !cpu && !memory || byFlags {
			continue
		}
		if !strings.Contains(x.Passing.BlockNote, f.Rule+" remains") {
			t.Fatalf("%s %s with\n%s\n# %s", f.Rule, f.Message, x.Passing.Block, x.Passing.BlockNote)
		}
	}
}
