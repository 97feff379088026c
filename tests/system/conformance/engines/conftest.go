package engines

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// Conftest runs conftest with the Rego as it stands in policies. It judges each document
// alone; cases with neighbours are combined into one input, as its users would.
func Conftest(binary, policies, scratch string) Engine {
	return Engine{Name: "conftest", Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
		alone, together := filepath.Join(scratch, "alone"), filepath.Join(scratch, "together")
		for _, dir := range []string{alone, together} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return nil, fmt.Errorf("write the corpus: %w", err)
			}
		}
		for i := range corpus {
			dir := alone
			if len(corpus[i].Around) > 0 {
				dir = together
			}
			if _, err := corpus[i].Write(dir); err != nil {
				return nil, err
			}
		}
		answer := newAnswer()
		for dir, more := range map[string][]string{alone: nil, together: {"--combine"}} {
			out, err := printed(ctx, []int{1}, binary, append([]string{
				"test", "--policy", policies, "--namespace", "main", "--namespace", "infos", "--output", "json",
				"--show-builtin-errors", dir,
			}, more...)...)
			if err != nil {
				return nil, err
			}
			if err := answer.readConftest(out, corpus); err != nil {
				return nil, err
			}
		}
		return answer, nil
	}}
}

func (a *Answer) readConftest(out []byte, corpus []cases.Case) error {
	type finding struct {
		Rule      string          `json:"rule"`
		Severity  string          `json:"severity"`
		Resource  engine.Resource `json:"resource"`
		Container string          `json:"container"`
	}
	type entry struct {
		Msg     string `json:"msg"`
		Finding struct {
			finding
			With []finding `json:"with"` // what follows from it
		} `json:"metadata"`
	}
	var outcomes []struct {
		Warnings   []entry `json:"warnings"`
		Failures   []entry `json:"failures"`
		Exceptions []any   `json:"exceptions"`
	}
	if err := json.Unmarshal(out, &outcomes); err != nil {
		return fmt.Errorf("conftest said %.300q: %w", out, err)
	}
	byID := index(corpus)
	for _, o := range outcomes {
		if len(o.Exceptions) > 0 {
			return fmt.Errorf("conftest has exceptions: %v", o.Exceptions)
		}
		for _, e := range append(o.Failures, o.Warnings...) {
			for _, f := range append(e.Finding.With, e.Finding.finding) {
				if err := a.add(byID, f.Resource, Verdict{Rule: f.Rule, Container: f.Container}, f.Severity); err != nil {
					return fmt.Errorf("conftest: %q: %w", e.Msg, err)
				}
			}
		}
	}
	return nil
}
