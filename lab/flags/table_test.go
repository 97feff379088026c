package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

func committed(t *testing.T) (string, *table) {
	t.Helper()
	var text strings.Builder
	for _, file := range []string{tableFile, wordsFile} {
		part, err := os.ReadFile(repo.Path(file))
		if err != nil {
			t.Fatal(err)
		}
		text.Write(part)
	}
	table, err := readTable(text.String())
	if err != nil {
		t.Fatal(err)
	}
	return text.String(), table
}

// Without any JDK, `make flags` leaves the table as it is.
func TestKeepsWhatIsRecorded(t *testing.T) {
	text, recorded := committed(t)
	if len(recorded.rows) < 1000 {
		t.Fatalf("%d flags read", len(recorded.rows))
	}
	columns, err := columnsOf(recorded, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	merged := merge(columns)
	flags, err := merged.rego()
	if err != nil {
		t.Fatal(err)
	}
	if fresh := string(flags) + string(merged.regoOfWords()); fresh != text {
		t.Errorf("the tables change:\n%s", difference(text, fresh))
	}
}

// A release that is neither here nor recorded stops the tool: half a table is not written.
func TestNoHalfTable(t *testing.T) {
	empty, err := readTable("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := columnsOf(empty, nil, false); err == nil || !strings.Contains(err.Error(), "JDK 8 is not on this machine") {
		t.Errorf("error %v", err)
	}
}

func TestChoose(t *testing.T) {
	old, recent := jdks.JDK{Build: "17.0.3+7", Feature: 17}, jdks.JDK{Build: "17.0.15+6", Feature: 17}
	for _, c := range []struct {
		name     string
		found    []jdks.JDK
		recorded []string
		check    bool
		want     []jdks.JDK
	}{
		{"all of a release", []jdks.JDK{recent, {Build: "21", Feature: 21}, old}, nil, false, []jdks.JDK{old, recent}},
		{"not an older one", []jdks.JDK{old}, []string{"17.0.15+6"}, false, nil},
		{"a newer one", []jdks.JDK{recent}, []string{"17.0.3+7"}, false, []jdks.JDK{recent}},
		{"to check, the recorded one", []jdks.JDK{recent, old}, []string{"17.0.3+7"}, true, []jdks.JDK{old}},
		{"to check, not a part", []jdks.JDK{recent}, []string{"17.0.3+7", "17.0.15+6"}, true, nil},
	} {
		if got := choose(c.found, 17, c.recorded, c.check); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What one build of a release takes is not refused; else the newest has the say.
func TestOneRelease(t *testing.T) {
	build := func(name string, states map[string]byte) *column {
		c := &column{release: 11, builds: []string{name}, flags: map[string]*cell{}, words: map[string]answer{}}
		for flag, state := range states {
			c.flags[flag] = &cell{state: state, kind: "bool"}
		}
		return c
	}
	one := oneRelease([]*column{
		build("11.0.5", map[string]byte{"UseAOT": product, "Gone": product, "Ignored": ignored, "Locked": diagnostic}),
		build("11.0.33", map[string]byte{"UseAOT": experimental, "New": product, "Ignored": product, "Locked": 'P'}),
	})
	for flag, want := range map[string]byte{
		"UseAOT": product, "Gone": product, "Ignored": product, "Locked": 'P', "New": product,
	} {
		if got := one.flags[flag]; got == nil || got.state != want {
			t.Errorf("%s: %+v, want %c", flag, got, want)
		}
	}
	if !slices.Equal(one.builds, []string{"11.0.5", "11.0.33"}) {
		t.Errorf("builds %v", one.builds)
	}
	// What is recorded of two builds stays, where only the newer is asked again.
	again := oneRelease([]*column{one, build("11.0.33", map[string]byte{"Gone": refused})})
	if !slices.Equal(again.builds, []string{"11.0.5", "11.0.33"}) || again.flags["Gone"].state != product {
		t.Errorf("builds %v, Gone %c", again.builds, again.flags["Gone"].state)
	}
}

func TestRuns(t *testing.T) {
	for want, texts := range map[string][]string{
		"-":          {"", "", "", "", "", "", ""},
		"50":         {"", "50", "50", "", "50", "", ""},
		"8:25,17:50": {"25", "25", "50", "50", "50", "50", "50"},
		"11:+,21:-":  {"", "+", "+", "-", "-", "", ""},
	} {
		got := runs(texts)
		if want != got {
			t.Errorf("%q: %q", texts, got)
		}
		for i, text := range texts {
			if text != "" && at(got, i) != text {
				t.Errorf("%q on %d: %q, want %q", got, releases[i], at(got, i), text)
			}
		}
	}
}

func TestUnits(t *testing.T) {
	_, recorded := committed(t)
	of := map[string]string{}
	for _, r := range recorded.rows {
		of[r.name] = r.unit
	}
	for name, unit := range map[string]string{
		"MaxHeapSize": "B", "MaxRAM": "B", "ThreadStackSize": "KiB", "MaxGCPauseMillis": "ms", "MaxRAMPercentage": "%",
		"UseG1GC": "collector", "UseTLAB": "-", "NewRatio": "-", "G1PeriodicGCInterval": "-",
	} {
		if of[name] != unit {
			t.Errorf("%s counts %q, want %q", name, of[name], unit)
		}
	}
}

// A number that the model reads and that is not in used.go would be undefined, and the rule silent.
func TestModelReadsWhatIsListed(t *testing.T) {
	text, _ := committed(t)
	_, set, _ := strings.Cut(text, "\nnumeric := {")
	set, _, _ = strings.Cut(set, "}")
	read := regexp.MustCompile(`\bnumbers\.([A-Z]\w+)`)
	seen := 0
	err := filepath.WalkDir(repo.Path("policies/rego"), func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".rego" {
			return err
		}
		source, err := os.ReadFile(file)
		for _, m := range read.FindAllSubmatch(source, -1) {
			seen++
			if !strings.Contains(set, `"`+string(m[1])+`"`) {
				t.Errorf("numbers.%s is read and not numeric", m[1])
			}
		}
		return err
	})
	if err != nil || seen < 20 {
		t.Errorf("%d numbers read: %v", seen, err)
	}
}
