package main

import (
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

// equivalent are the changes that change nothing a test could see.
type equivalent []struct {
	File   string `json:"file"`
	Within string `json:"within"`
	Change string `json:"change"`
	Why    string `json:"why"`
}

func readEquivalent(file string) (equivalent, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read what changes nothing: %w", err)
	}
	var list equivalent
	if err := yaml.UnmarshalStrict(text, &list); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	for i, e := range list {
		if e.File == "" || e.Change == "" || e.Why == "" {
			return nil, fmt.Errorf("%s: entry %d lacks file, change or why", file, i+1)
		}
	}
	return list, nil
}

// why is the reason that a change changes nothing; "" where none is listed.
func (list equivalent) why(m mutant) string {
	for _, e := range list {
		if e.File == m.file && e.Within == m.within && e.Change == m.change {
			return e.Why
		}
	}
	return ""
}
