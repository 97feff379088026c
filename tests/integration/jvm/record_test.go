//go:build integration

package jvm_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

const recordFile = "testdata/measured.json"

// A record is what JVMs were measured to do: flag sets, and for each the results with the builds that gave them.
// It lets the model be tested where no JVM is, and for the builds that this machine does not have.
type record struct {
	Builds map[string]int   `json:"builds"` // build: feature release
	Sets   map[string][]row `json:"sets"`
}

type row struct {
	Builds []string `json:"builds"`
	result
}

func loadRecord(t *testing.T) record {
	t.Helper()
	text, err := os.ReadFile(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("read %s: %v", recordFile, err)
	}
	return r
}

// of is what the build made of the flag set.
func (r record) of(set, build string) (result, bool) {
	for _, row := range r.Sets[set] {
		if slices.Contains(row.Builds, build) {
			return row.result, true
		}
	}
	return result{}, false
}

// supportedReleases are those HR409 speaks of when none is declared.
var supportedReleases = []int{8, 11, 17, 21, 25}

// refusing are the supported releases that do not start with the flag set, but for builds that it excepts.
func (r record) refusing(set flagSet) []int {
	refuse := map[int]bool{}
	for build, feature := range r.Builds {
		found, ok := r.of(set.Name, build)
		if ok && !found.Starts && slices.Contains(supportedReleases, feature) && set.exception(build) == nil {
			refuse[feature] = true
		}
	}
	return slices.Sorted(maps.Keys(refuse))
}

func (r record) add(set, build string, found result) {
	for i := range r.Sets[set] {
		if same := &r.Sets[set][i]; same.result == found {
			same.Builds = append(same.Builds, build)
			return
		}
	}
	r.Sets[set] = append(r.Sets[set], row{Builds: []string{build}, result: found})
}

// save writes one line a result, in the order of the flag sets, so that a changed JVM is a readable diff.
func (r record) save(t *testing.T, sets []flagSet) {
	t.Helper()
	var out strings.Builder
	builds, err := json.Marshal(r.Builds)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&out, "{\n  \"builds\": %s,\n  \"sets\": {\n", builds)
	for i, set := range sets {
		fmt.Fprintf(&out, "    %q: [\n", set.Name)
		for j, row := range r.Sets[set.Name] {
			line, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "      %s%s\n", line, comma(j, len(r.Sets[set.Name])))
		}
		fmt.Fprintf(&out, "    ]%s\n", comma(i, len(sets)))
	}
	out.WriteString("  }\n}\n")
	if err := os.WriteFile(recordFile, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func comma(i, n int) string {
	if i+1 < n {
		return ","
	}
	return ""
}
