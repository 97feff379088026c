package engines

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// Kyverno asks Kyverno's engine with the folder of its policies. `kyverno apply` compiles all of
// them for each resource, half a minute's work each, and so the corpus goes through a program
// that compiles them once (tools/kyverno/judge). The command line itself is asked about the
// case with the most findings, and has to say the same of it.
func Kyverno(judge, cli, policies, scratch string) Engine {
	return Engine{Name: "kyverno", OnlyK: true, Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
		resources, namespaces := filepath.Join(scratch, "resources"), filepath.Join(scratch, "namespaces.json")
		if err := writeForKyverno(resources, corpus); err != nil {
			return nil, err
		}
		if err := writeJSON(namespaces, namespacesOf(corpus)); err != nil {
			return nil, err
		}
		noting := filepath.Join(scratch, "policies")
		if err := noteSeverities(policies, noting); err != nil {
			return nil, err
		}
		out, err := printed(ctx, nil, judge, noting, resources, namespaces)
		if err != nil {
			return nil, err
		}
		answer, err := readJudge(out, corpus)
		if err != nil {
			return nil, err
		}
		most := answer.mostSaid(corpus)
		said, err := apply(ctx, cli, policies, filepath.Join(scratch, "one"), most)
		if err != nil {
			return nil, err
		}
		if want := answer.of(most.ID); !slices.Equal(said.Verdicts.Sorted(), want.Sorted()) {
			return nil, fmt.Errorf("kyverno apply says %v of %s, its engine %v", said.Verdicts.Sorted(), most.Source, want.Sorted())
		}
		return answer, nil
	}}
}

// apply is `kyverno apply`. Namespaces reach it by a file of values: it does not look for them
// among the resources.
func apply(ctx context.Context, cli, policies, dir string, c *cases.Case) (*Answer, error) {
	one := []cases.Case{*c}
	if err := writeForKyverno(dir, one); err != nil {
		return nil, err
	}
	values := dir + "-values.yaml"
	err := writeJSON(values, map[string]any{
		"apiVersion": "cli.kyverno.io/v1alpha1", "kind": "Values",
		"metadata": map[string]any{"name": "values"}, "namespaces": namespacesOf(one),
	})
	if err != nil {
		return nil, err
	}
	files, err := validating(policies)
	if err != nil {
		return nil, err
	}
	out, err := printed(ctx, []int{1}, cli, append(append([]string{"apply"}, files...), "--resource", dir,
		"--values-file", values, "--policy-report", "--output-format", "json")...)
	if err != nil {
		return nil, err
	}
	return readApply(out, one)
}

// validating are the policies that judge: the others print what they would make of the case.
func validating(policies string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(policies, "*", "policy.yaml"))
	if err != nil {
		return nil, err
	}
	var found []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read Kyverno's policies: %w", err)
		}
		if bytes.Contains(text, []byte("kind: ValidatingPolicy\n")) {
			found = append(found, file)
		}
	}
	return found, nil
}

// noteSeverities writes the policies that judge with messages that tell severities. Kyverno's reports
// have one severity for each policy.
func noteSeverities(policies, to string) error {
	files, err := validating(policies)
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read Kyverno's policies: %w", err)
		}
		policy := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(text, &policy.Object); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		validations, _, err := unstructured.NestedSlice(policy.Object, "spec", "validations")
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, validation := range validations {
			entry, _ := validation.(map[string]any)
			message, _ := entry["messageExpression"].(string)
			if !strings.Contains(message, "string(f.text)") {
				return fmt.Errorf("%s: the message %q tells no finding", file, message)
			}
			entry["messageExpression"] = strings.Replace(message, "string(f.text)", "'severity ' + string(f.severity) + ': ' + string(f.text)", 1)
		}
		if err := unstructured.SetNestedSlice(policy.Object, validations, "spec", "validations"); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		dir := filepath.Join(to, filepath.Base(filepath.Dir(file)))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("write Kyverno's policies: %w", err)
		}
		// In lines: Kyverno's reader loses a document that is one line of a multiple of 4,096 bytes.
		text, err = yaml.Marshal(policy.Object)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(filepath.Join(dir, "policy.yaml"), text, 0o600); err != nil {
			return fmt.Errorf("write Kyverno's policies: %w", err)
		}
	}
	return nil
}

func writeForKyverno(dir string, corpus []cases.Case) error {
	bare := slices.Clone(corpus)
	for i := range bare {
		bare[i].Around = nil
	}
	return cases.WriteAll(dir, bare)
}

func namespacesOf(corpus []cases.Case) []cases.Object {
	list := []cases.Object{}
	for i := range corpus {
		if namespace := corpus[i].NamespaceObject(); namespace != nil {
			list = append(list, namespace)
		}
	}
	return list
}

func writeJSON(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return os.WriteFile(file, text, 0o600)
}

// said is the word of one policy on one resource.
type said struct{ Policy, Kind, Name, Result, Message string }

func readJudge(out []byte, corpus []cases.Case) (*Answer, error) {
	var list []said
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, fmt.Errorf("the engine of Kyverno said %.2000q: %w", out, err)
	}
	return readSaid(list, corpus)
}

func readApply(out []byte, corpus []cases.Case) (*Answer, error) {
	var report struct {
		Results []struct {
			Policy, Message, Result string
			Resources               []struct{ Kind, Name string }
		} `json:"results"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, fmt.Errorf("kyverno apply said %.2000q: %w", out, err)
	}
	var list []said
	for _, result := range report.Results {
		for _, r := range result.Resources {
			list = append(list, said{result.Policy, r.Kind, r.Name, result.Result, result.Message})
		}
	}
	return readSaid(list, corpus)
}

func readSaid(list []said, corpus []cases.Case) (*Answer, error) {
	answer, byID := newAnswer(), index(corpus)
	judged := map[string]bool{}
	for _, s := range list {
		c := byID[s.Name]
		if c == nil || c.Kind != s.Kind {
			return nil, fmt.Errorf("kyverno: %s is about %s %s, which is no case", s.Policy, s.Kind, s.Name)
		}
		judged[c.ID] = true
		switch s.Result {
		case "pass":
		case "fail":
			if err := answer.addMessage(c.ID, s.Message); err != nil {
				return nil, fmt.Errorf("kyverno: %s: %w", c.Source, err)
			}
		default:
			return nil, fmt.Errorf("kyverno: %s: %s is %s: %s", c.Source, s.Policy, s.Result, s.Message)
		}
	}
	for i := range corpus {
		if !judged[corpus[i].ID] {
			answer.Unjudged[corpus[i].ID] = otherKind
		}
	}
	return answer, nil
}

// of are the verdicts on one case.
func (a *Answer) of(id string) Verdicts {
	found := Verdicts{}
	for verdict, severity := range a.Verdicts {
		if verdict.Case == id {
			found[verdict] = severity
		}
	}
	return found
}

// mostSaid is the case with the most verdicts, the first of several.
func (a *Answer) mostSaid(corpus []cases.Case) *cases.Case {
	count := map[string]int{}
	for verdict := range a.Verdicts {
		count[verdict.Case]++
	}
	most := &corpus[0]
	for i := range corpus {
		if count[corpus[i].ID] > count[most.ID] {
			most = &corpus[i]
		}
	}
	return most
}
