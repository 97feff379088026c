// Command coverage reads `opa test --coverage` from standard input and names the lines of
// the policies that no test reaches.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

type report struct {
	Files map[string]struct {
		NotCovered []struct {
			Start struct{ Row int } `json:"start"`
			End   struct{ Row int } `json:"end"`
		} `json:"not_covered"`
	} `json:"files"`
	Coverage float64 `json:"coverage"`
}

func main() {
	var r report
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		fmt.Fprintln(os.Stderr, "coverage: read the report:", err)
		os.Exit(1)
	}
	var lines []string
	for file, f := range r.Files {
		if strings.HasSuffix(file, "_test.rego") {
			continue
		}
		for _, gap := range f.NotCovered {
			lines = append(lines, fmt.Sprintf("%s:%d-%d is not covered", file, gap.Start.Row, gap.End.Row))
		}
	}
	sort.Strings(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
	fmt.Printf("coverage %.2f %%\n", r.Coverage)
}
