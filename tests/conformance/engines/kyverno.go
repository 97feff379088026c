package engines

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/tests/conformance/cases"
)

// Kyverno runs `kyverno apply` with the folder of its policies. Namespaces reach it by a file
// of values: it does not look for them among the resources.
func Kyverno(binary, policies, scratch string) Engine {
	return Engine{Name: "kyverno", OnlyK: true, Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
		resources, values := filepath.Join(scratch, "resources"), filepath.Join(scratch, "values.yaml")
		if err := writeForKyverno(resources, values, corpus); err != nil {
			return nil, err
		}
		out, err := printed(ctx, []int{1}, binary, "apply", policies, "--resource", resources,
			"--values-file", values, "--policy-report", "--output-format", "json", "--continue-on-fail")
		if err != nil {
			return nil, err
		}
		return readKyverno(out, corpus)
	}}
}

func writeForKyverno(resources, values string, corpus []cases.Case) error {
	var namespaces []cases.Object
	bare := make([]cases.Case, len(corpus))
	for i, c := range corpus {
		if namespace := c.NamespaceObject(); namespace != nil {
			namespaces = append(namespaces, namespace)
		}
		c.Around = nil
		bare[i] = c
	}
	if err := cases.WriteAll(resources, bare); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "cli.kyverno.io/v1alpha1", "kind": "Values",
		"metadata": map[string]any{"name": "values"}, "namespaces": namespaces,
	})
	if err != nil {
		return fmt.Errorf("write values for Kyverno: %w", err)
	}
	return os.WriteFile(values, text, 0o600)
}

func readKyverno(out []byte, corpus []cases.Case) (*Answer, error) {
	var report struct {
		Kind    string `json:"kind"`
		Results []struct {
			Policy    string `json:"policy"`
			Message   string `json:"message"`
			Result    string `json:"result"`
			Resources []struct{ Kind, Name string }
		} `json:"results"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, fmt.Errorf("kyverno said %.2000q: %w", out, err)
	}
	answer, byID := newAnswer(), index(corpus)
	judged := map[string]bool{}
	for _, result := range report.Results {
		for _, r := range result.Resources {
			c := byID[r.Name]
			if c == nil || c.Kind != r.Kind {
				return nil, fmt.Errorf("kyverno: %s is about %s %s, which is no case", result.Policy, r.Kind, r.Name)
			}
			judged[c.ID] = true
			switch result.Result {
			case "pass":
			case "fail":
				if err := answer.addMessage(c.ID, result.Message); err != nil {
					return nil, fmt.Errorf("kyverno: %s: %w", c.Source, err)
				}
			default:
				return nil, fmt.Errorf("kyverno: %s: %s is %s: %s", c.Source, result.Policy, result.Result, result.Message)
			}
		}
	}
	for i := range corpus {
		if !judged[corpus[i].ID] {
			answer.Unjudged[corpus[i].ID] = notAsked
		}
	}
	return answer, nil
}
