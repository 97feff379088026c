// Command coverage reads `opa test --coverage` from standard input, names the lines of the
// policies that no test reaches, and fails when there are any. Lines of the tests do not
// count: opa's own --threshold would take them in, and rounds.
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
}

func main() {
	var r report
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		fmt.Fprintln(os.Stderr, "coverage: read the report:", err)
		os.Exit(1)
	}
	var lines []string
	files := 0
	for file, f := range r.Files {
		if strings.HasSuffix(file, "_test.rego") {
			continue
		}
		files++
		for _, gap := range f.NotCovered {
			lines = append(lines, fmt.Sprintf("%s:%d-%d is not covered", file, gap.Start.Row, gap.End.Row))
		}
	}
	sort.Strings(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
	if files == 0 || len(lines) > 0 {
		fmt.Printf("coverage: %d gaps in %d files\n", len(lines), files)
		os.Exit(1)
	}
	fmt.Printf("coverage: every line of %d files\n", files)
}
