package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/repo"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// policiesOfKyverno has one folder for each rule that CEL can judge.
const policiesOfKyverno = "policies/export/kyverno"

// corpus judges the manifests of other projects, where there are any, one object a file, with those who say the same
// of them. Kyverno's command line is worth a single run: it compiles each policy for each object.
func corpus(t tools, folder string, rounds int) error {
	if t.kyverno == "" {
		return nil
	}
	projects := repo.Projects()
	if len(projects) == 0 {
		fmt.Printf("No manifests of other projects: neither $%s nor ../shared/corpus is a folder.\n", repo.CorpusVariable)
		return nil
	}
	n, err := writeCorpus(folder, projects)
	if err != nil {
		return err
	}
	programs := t.programs(folder)
	var compared []program
	for _, p := range programs {
		if p.name != "kube-score" && !strings.HasSuffix(p.name, "small rule") {
			compared = append(compared, p)
		}
	}
	results, err := alternate(rounds, compared)
	if err != nil {
		return err
	}
	policies, err := filepath.Glob(filepath.Join(policiesOfKyverno, "*", "policy.yaml"))
	if err != nil {
		return err
	}
	kyverno := program{
		name: fmt.Sprintf("kyverno apply, %d policies", len(policies)),
		args: append(append([]string{t.kyverno, "apply"}, policies...), "--resource", folder, "--remove-color"),
	}
	once, err := alternate(1, []program{kyverno})
	if err != nil {
		return err
	}
	out := processTable(fmt.Sprintf("The %d objects of other projects, %d runs of each in turn, one of Kyverno", n, rounds))
	for i := range results {
		out.add(compared[i].name, &results[i], "", "")
	}
	out.add(kyverno.name, &once[0], "", "")
	out.Print()
	return nil
}

func writeCorpus(folder string, projects []string) (int, error) {
	ctx := context.Background()
	e, err := engine.New(ctx, engine.Options{})
	if err != nil {
		return 0, err
	}
	all, err := cases.Load(".", projects, func(apiVersion, kind string) (bool, error) {
		known, err := e.Kind(ctx, apiVersion, kind)
		return known.Inert, err
	})
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, err
	}
	n := 0
	for _, c := range all {
		if !c.Foreign || c.Kind == "Namespace" {
			continue
		}
		c.Around = nil
		if _, err := c.Write(folder); err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}
