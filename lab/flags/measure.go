package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/jdks"
)

// What a release does with a flag. A capital letter says that it calls the flag deprecated.
const (
	product      = 'p'
	manageable   = 'm' // and can be changed while the JVM runs
	experimental = 'x' // after -XX:+UnlockExperimentalVMOptions
	diagnostic   = 'd' // after -XX:+UnlockDiagnosticVMOptions
	ignored      = 'i' // with a warning: support was removed
	refused      = '-'
	deprecated   = '!' // only while answers are read
)

// A column is what one release, or one build of it, says of every flag.
type column struct {
	release int
	builds  []string
	jdk     jdks.JDK
	flags   map[string]*cell
	words   map[string]answer
}

// A cell is one flag on one release.
type cell struct {
	state     byte
	kind      string // the JDK's own type; "" where the release does not have the flag
	least     string
	most      string
	standard  string // the default
	ranged    bool
	manages   bool // it can be changed while the JVM runs
	collector bool // another collector beside it is refused
}

// ergonomic stands for a default that the JVM works out from the machine or from other flags.
const ergonomic = "ergonomic"

var unlocked = []string{"-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions"}

// settings, of which a release passes over what it does not know, are two machines: a default that
// differs between them is the JVM's choice. Without the newer instructions of the processor, flags
// that depend on it show.
var settings = [][]string{
	{"-XX:+IgnoreUnrecognizedVMOptions", "-XX:ActiveProcessorCount=1", "-XX:MaxRAM=1g"},
	{"-XX:+IgnoreUnrecognizedVMOptions", "-XX:ActiveProcessorCount=16", "-XX:MaxRAM=64g", "-XX:UseAVX=0", "-XX:UseSSE=2"},
}

// set are the flags that settings set and, for that, have their initial value as default.
var set = []string{
	"ActiveProcessorCount", "IgnoreUnrecognizedVMOptions", "MaxRAM", "PrintFlagsFinal", "PrintFlagsRanges",
	"UnlockDiagnosticVMOptions", "UnlockExperimentalVMOptions",
}

// hardware are the flags whose default follows what no setting changes: the clock, the maker and the model of the
// processor (vm_version_x86.cpp).
var hardware = []string{
	"AllocatePrefetchInstr", "AllocatePrefetchLines", "ArrayOperationPartialInlineSize", "MaxLoopPad", "UseIntPolyIntrinsics",
	"UsePoly1305Intrinsics", "UseSHA1Intrinsics",
	"UseFPUForSpilling", "UseFastUnorderedTimeStamps", "UseXMMForArrayCopy",
}

// listed are the flags that a JDK has itself, with type, range and default.
func listed(jdk jdks.JDK) (*column, error) {
	c := &column{release: jdk.Feature, builds: []string{jdk.Build}, jdk: jdk, flags: map[string]*cell{}}
	initial := parseFlags(start(jdk, "-XX:+PrintFlagsInitial"))
	finals := make([]map[string]printed, 0, len(settings))
	for _, setting := range settings {
		finals = append(finals, parseFlags(start(jdk, slices.Concat(unlocked, setting, []string{"-XX:+PrintFlagsFinal", "-version"})...)))
	}
	if len(initial) < 500 || len(finals[0]) < 500 || len(finals[1]) != len(finals[0]) {
		return nil, fmt.Errorf("%d, %d and %d flags listed, which cannot be all", len(initial), len(finals[0]), len(finals[1]))
	}
	for name, p := range finals[0] {
		c.flags[name] = &cell{
			kind: p.kind, standard: standard(name, initial, finals),
			manages: strings.Contains(p.traits, "manageable"),
		}
	}
	if jdk.Feature == 8 { // knows no ranges
		return c, nil
	}
	for i, setting := range settings {
		ranges := parseRanges(start(jdk, slices.Concat(unlocked, setting, []string{"-XX:+PrintFlagsRanges", "-version"})...))
		if len(ranges) < 300 {
			return nil, fmt.Errorf("%d ranges listed, which cannot be all", len(ranges))
		}
		for name, p := range ranges {
			cell := c.flags[name]
			switch {
			case cell == nil:
				return nil, fmt.Errorf("%s has a range and is not listed", name)
			case i == 0:
				cell.least, cell.most, cell.ranged = p.least, p.most, p.least != ""
			case cell.least != p.least || cell.most != p.most: // it depends on the machine
				cell.least, cell.most, cell.ranged = "", "", false
			}
		}
	}
	return c, nil
}

func standard(name string, initial map[string]printed, finals []map[string]printed) string {
	first, known := initial[name]
	if slices.Contains(set, name) && known {
		return first.value
	}
	if slices.Contains(hardware, name) {
		return ergonomic
	}
	p := finals[0][name]
	for _, final := range finals {
		if final[name].ergonomic || final[name].value != p.value {
			return ergonomic
		}
	}
	if known && first.value != p.value || strings.Contains(p.traits, "ARCH") {
		return ergonomic
	}
	return p.value
}

// formsOf is how each flag is written, by name: as some release that has it wants it.
func formsOf(columns []*column, names map[string]bool) map[string]string {
	forms := map[string]string{}
	for name := range names {
		forms[name] = name + "=1"
		for _, c := range columns {
			if cell := c.flags[name]; cell != nil && letterOf(cell.kind) == "b" {
				forms[name] = "+" + name
			}
		}
	}
	for _, name := range []string{"UnlockDiagnosticVMOptions", "UnlockExperimentalVMOptions", "IgnoreUnrecognizedVMOptions"} {
		delete(forms, name) // would change the answer to the others
	}
	return forms
}

// form writes a flag with its default, where the release has one: any other value may have an
// effect on how it reads the rest.
func (c *cell) form(name string) string {
	switch {
	case c.standard == "false":
		return "-" + name
	case letterOf(c.kind) == "b":
		return "+" + name
	case c.standard == "" || c.standard == ergonomic:
		return name + "=1"
	}
	return name + "=" + c.standard
}

// ask learns what the release does with each flag, from one start each with and without the locks
// open. A JVM reads on in a file of flags after one that it refuses.
func (c *column) ask(forms map[string]string) error {
	const nobody = "HeadroomKnowsNoSuchFlag" // so that the JVM never starts
	forms = maps.Clone(forms)
	for name, cell := range c.flags {
		if _, ok := forms[name]; ok {
			forms[name] = cell.form(name)
		}
	}
	lines := slices.Sorted(maps.Values(forms))
	dir, err := os.MkdirTemp("", "flags-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var said [2]map[string]byte
	for i, before := range [][]string{nil, {"+UnlockDiagnosticVMOptions", "+UnlockExperimentalVMOptions"}} {
		file := filepath.Join(dir, "flags")
		text := strings.Join(slices.Concat(before, lines, []string{"+" + nobody}), "\n") + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		out := start(c.jdk, "-XX:Flags="+file, "-version")
		said[i] = parseAnswers(out)
		if said[i][nobody] != refused {
			return fmt.Errorf("it does not say which flags it refuses: %s", out[max(0, len(out)-500):])
		}
	}
	plain, open := said[0], said[1]
	for name := range forms {
		if err := c.settle(name, plain[name], open[name]); err != nil {
			return err
		}
	}
	for name, form := range optionsOnly {
		if parseAnswers(start(c.jdk, "-XX:"+form, "-version"))[name] != refused {
			c.flags[name] = &cell{state: product}
		}
	}
	for name, cell := range c.flags {
		if cell.state == 0 { // not asked: it is listed
			cell.state = product
		}
		if collectorName.MatchString(name) && cell.state != refused && cell.state != ignored {
			cell.collector = excludes(c.jdk, name)
		}
	}
	return nil
}

func (c *column) settle(name string, plain, open byte) error {
	known := c.flags[name]
	switch {
	case plain == refused || plain == ignored:
		if known != nil && plain == refused {
			return fmt.Errorf("%s is listed and refused", name)
		}
		c.flags[name] = &cell{state: plain}
		return nil
	case known == nil: // taken without a word, and not listed
		known = &cell{}
		c.flags[name] = known
	}
	known.state = product
	if known.manages {
		known.state = manageable
	}
	if plain == experimental || plain == diagnostic {
		known.state = plain
	}
	if plain == deprecated || open == deprecated {
		known.state -= 'a' - 'A'
	}
	return nil
}

// optionsOnly look like flags and are read from the command line and from variables only: as they are written there, by
// name. Java 8 reads all but the first two by hand (arguments.cpp), most as another name of a flag.
var optionsOnly = map[string]string{
	"Flags":                            "Flags=" + os.DevNull,
	"VMOptionsFile":                    "VMOptionsFile=" + os.DevNull,
	"CMSMarkStackSize":                 "CMSMarkStackSize=4m",
	"CMSMarkStackSizeMax":              "CMSMarkStackSizeMax=8m",
	"CMSPermGenSweepingEnabled":        "+CMSPermGenSweepingEnabled",
	"G1MarkStackSize":                  "G1MarkStackSize=4m",
	"MaxTLERatio":                      "MaxTLERatio=1",
	"ParCMSPromoteBlocksToClaim":       "ParCMSPromoteBlocksToClaim=16",
	"ParallelCMSThreads":               "ParallelCMSThreads=1",
	"ParallelGCOldGenAllocBufferSize":  "ParallelGCOldGenAllocBufferSize=1024",
	"ParallelGCToSpaceAllocBufferSize": "ParallelGCToSpaceAllocBufferSize=1024",
	"ParallelMarkingThreads":           "ParallelMarkingThreads=1",
	"PermMarkSweepDeadRatio":           "PermMarkSweepDeadRatio=1",
	"PrintTLE":                         "+PrintTLE",
	"ResizeTLE":                        "+ResizeTLE",
	"TLEFragmentationRatio":            "TLEFragmentationRatio=1",
	"TLESize":                          "TLESize=1",
	"TLEThreadRatio":                   "TLEThreadRatio=1",
	"UseGCTimeLimit":                   "+UseGCTimeLimit",
	"UseTLE":                           "+UseTLE",
}

var (
	collectorName = regexp.MustCompile(`^Use\w*GC$`)
	together      = regexp.MustCompile(`(?i)collector combinations|multiple garbage collectors`)
)

// excludes says whether a JVM with this collector and another does not start.
func excludes(jdk jdks.JDK, name string) bool {
	other := "UseSerialGC"
	if name == other {
		other = "UseParallelGC"
	}
	return together.MatchString(start(jdk, slices.Concat(unlocked, []string{"-XX:+" + other, "-XX:+" + name, "-version"})...))
}

// lenient says which of two builds takes a flag, the other not: what some build of a release takes
// is not refused by the release.
var lenient = []byte{refused, diagnostic, 'D', experimental, 'X', ignored, 'P', product, 'M', manageable}

// oneRelease puts the builds of a release together, the newest last: it has the say but for what
// an older one takes.
func oneRelease(builds []*column) *column {
	newest := builds[len(builds)-1]
	for _, older := range builds[:len(builds)-1] {
		for name, was := range older.flags {
			is, ok := newest.flags[name]
			if !ok || strings.IndexByte(string(lenient), is.state) < strings.IndexByte(string(lenient), was.state) {
				if ok && is.kind != "" {
					is.state = was.state
				} else {
					newest.flags[name] = was
				}
			}
		}
		join(newest.words, older.words)
		newest.builds = slices.Concat(older.builds, newest.builds)
	}
	slices.SortFunc(newest.builds, compareBuilds)
	newest.builds = slices.Compact(newest.builds)
	return newest
}

// startTimeout is hundreds of times what a JVM needs: no answer rests on the speed of the machine.
const startTimeout = 10 * time.Minute

// start runs java and gives what it prints. One that does not start, prints why.
func start(jdk jdks.JDK, args ...string) string {
	out, _ := startIn("", jdk, nil, args...) // its exit status is no answer; the text is checked
	return out
}

func command(jdk jdks.JDK, args ...string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	cmd := exec.CommandContext(ctx, jdk.Java, args...) //nolint:gosec // what the machine calls java
	// Without the variables that a JVM reads its flags from.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/", "LC_ALL=C"}
	return cmd, cancel
}
