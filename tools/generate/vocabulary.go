package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/headroom-dev/headroom/policies"
)

// vocabulary is what the policies themselves say of annotations: HR105 reads these.
type vocabulary struct {
	Workloads     map[string]string              `json:"workloads"`  // how each key is read
	Namespaces    map[string]string              `json:"namespaces"` // alike
	Containers    []string                       `json:"containers"` // those of Workloads that a container's name follows
	Labels        map[string][]string            `json:"labels"`     // of Namespaces
	Classes       []string                       `json:"classes"`
	Runtimes      []string                       `json:"runtimes"`
	Facts         map[string]string              `json:"facts"`     // of a runtime: a pattern
	Annotated     map[string]annotated           `json:"annotated"` // the runtimes with an annotation of their own
	Caps          []string                       `json:"caps"`
	Dated         string                         `json:"dated"` // a pattern
	Rules         map[string]map[string]any      `json:"rules"` // by ID
	Slugs         map[string]string              `json:"slugs"` // to IDs
	Blanks        string                         `json:"blanks"`
	Calendar      string                         `json:"calendar"`
	Reason        string                         `json:"reason"`
	Suffix        string                         `json:"suffix"`        // of a quantity
	TemplatePaths map[string]map[string][]string `json:"templatePaths"` // apiVersion, kind
	LaterVersions map[string]string              `json:"laterVersions"`
}

// annotated is what an editor shows of a runtime's own annotation, and the words it takes.
type annotated struct{ Says, Example, Expected string }

const askVocabulary = `{
	"workloads": data.headroom.rules.classification["annotation-invalid"]._on_workloads,
	"namespaces": data.headroom.rules.classification["annotation-invalid"]._on_namespaces,
	"containers": data.headroom.rules.classification["annotation-invalid"].container_domains,
	"labels": data.headroom.rules.classification["annotation-invalid"]._labels,
	"classes": data.headroom.config.classes,
	"runtimes": data.headroom.registry.names,
	"facts": data.headroom.registry.facts,
	"annotated": data.headroom.registry.annotated,
	"caps": data.headroom.rules.classification["annotation-invalid"]._caps,
	"dated": data.headroom.measured.dated_word,
	"rules": data.headroom.catalogue.rules,
	"slugs": data.headroom.catalogue.ids,
	"blanks": data.headroom.quantity.blanks,
	"calendar": data.headroom.exempt.calendar,
	"reason": data.headroom.exempt.reason,
	"suffix": data.headroom.quantity.suffix,
	"templatePaths": data.headroom.workload._template_paths,
	"laterVersions": data.headroom.workload._later_versions,
}`

func readVocabulary(ctx context.Context) (vocabulary, error) {
	options := []func(*rego.Rego){rego.Query("answer := " + askVocabulary), rego.Input(map[string]any{})}
	err := fs.WalkDir(policies.Files, "rego/headroom", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".rego") || strings.HasSuffix(path, "_test.rego") {
			return err
		}
		text, err := policies.Files.ReadFile(path)
		options = append(options, rego.Module(path, string(text)))
		return err
	})
	if err != nil {
		return vocabulary{}, err
	}
	results, err := rego.New(options...).Eval(ctx)
	if err != nil {
		return vocabulary{}, fmt.Errorf("ask the policies for their words: %w", err)
	}
	if len(results) != 1 {
		return vocabulary{}, fmt.Errorf("the policies lack one of the words that the schemas are made of:\n%s", askVocabulary)
	}
	text, err := json.Marshal(results[0].Bindings["answer"])
	if err != nil {
		return vocabulary{}, err
	}
	var v vocabulary
	return v, json.Unmarshal(text, &v)
}
