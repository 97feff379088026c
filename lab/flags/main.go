// Command flags writes the two tables of what JVMs take, which the policies read. The one of flags has name,
// type, unit, range, default, and what each release does with the flag. The one of all other options says which
// releases take them and where. It asks the JDKs themselves; `make flags` installs them below .tools/jdks and
// runs it. The tables are flag_table.rego and word_table.rego of policies/rego/headroom/runtime/jvm, one line a
// flag and one a word, and their diff is reviewed.
//
// What is recorded of a build that is not on this machine stays where another build of the release is asked.
// A release whose JDK is not on this machine, or only in an older build than the one that was
// recorded, keeps what the table has of it. With -check nothing is written: the releases whose
// recorded build is on this machine are asked again, and it fails where the table differs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
)

// releases are those that the table is about.
var releases = []int{8, 11, 17, 21, 25, 26, 28}

// platform is where the table is made: which flags a JDK has depends on it.
const platform = "linux/amd64"

func main() {
	check := flag.Bool("check", false, "write nothing; fail when the table is not what these JDKs say")
	flag.Parse()
	lab.Main("flags", func(context.Context) error { return run(*check) })
}

// The files that are written.
const (
	tableFile = "policies/rego/headroom/runtime/jvm/flag_table.rego"
	wordsFile = "policies/rego/headroom/runtime/jvm/word_table.rego"
)

func run(check bool) error {
	texts := map[string]string{}
	for _, file := range []string{tableFile, wordsFile} {
		text, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		texts[file] = string(text)
	}
	recorded, err := readTable(texts[tableFile] + texts[wordsFile])
	if err != nil {
		return err
	}
	found, err := jdks.Find()
	if err != nil {
		return err
	}
	if here := runtime.GOOS + "/" + runtime.GOARCH; here != platform {
		if !check {
			return fmt.Errorf("the table is of %s, and this is %s", platform, here)
		}
		say("the table is of %s, and this is %s: no JDK is asked", platform, here)
		found = nil
	}
	columns, err := columnsOf(recorded, found, check)
	if err != nil {
		return err
	}
	fresh := merge(columns)
	flags, err := fresh.rego()
	if err != nil {
		return err
	}
	return errors.Join(
		settle(tableFile, texts[tableFile], string(flags), check),
		settle(wordsFile, texts[wordsFile], string(fresh.regoOfWords()), check),
	)
}

// settle writes a file that changed, or only says so.
func settle(file, was, is string, check bool) error {
	switch {
	case was == is:
		return nil
	case check:
		return fmt.Errorf("%s is not what `make flags` writes:\n%s", file, difference(was, is))
	}
	return os.WriteFile(file, []byte(is), 0o644)
}

func say(format string, values ...any) { fmt.Printf("flags: "+format+"\n", values...) }

// columnsOf asks the JDKs of each release, and takes the rest from what is recorded.
func columnsOf(recorded *table, found []jdks.JDK, check bool) ([]*column, error) {
	names := recorded.names()
	asked := map[int][]*column{}
	var fresh []*column
	for _, release := range releases {
		builds := recorded.builds[slices.Index(releases, release)]
		chosen := choose(found, release, builds, check)
		switch {
		case len(chosen) > 0:
		case len(builds) == 0:
			return nil, fmt.Errorf("JDK %d is not on this machine and nothing is recorded of it; `make jdks` installs it", release)
		default:
			say("JDK %d is not asked: %s, of which the table is, is not on this machine", release, strings.Join(builds, " and "))
		}
		if len(chosen) > 0 && lacks(chosen, builds) {
			asked[release] = append(asked[release], recorded.column(release))
		}
		for _, jdk := range chosen {
			say("JDK %d is asked: build %s", release, jdk.Build)
			c, err := listed(jdk)
			if err != nil {
				return nil, fmt.Errorf("JDK %d, build %s: %w", release, jdk.Build, err)
			}
			asked[release], fresh = append(asked[release], c), append(fresh, c)
			for name := range c.flags {
				names[name] = true
			}
		}
	}
	// What one release does with a flag that only another knows, here or in the table.
	known := slices.Clone(fresh)
	for _, release := range releases {
		known = append(known, recorded.column(release))
	}
	forms := formsOf(known, names)
	for _, c := range fresh {
		if err := c.ask(forms); err != nil {
			return nil, fmt.Errorf("JDK %d, build %s: %w", c.release, c.jdk.Build, err)
		}
		if err := c.try(words); err != nil {
			return nil, err
		}
	}
	var columns []*column
	for _, release := range releases {
		if builds := asked[release]; len(builds) > 0 {
			columns = append(columns, oneRelease(builds))
		} else {
			columns = append(columns, recorded.column(release))
		}
	}
	return columns, nil
}

// lacks says whether a build that is recorded is not among those that are asked: what it takes stays recorded.
func lacks(chosen []jdks.JDK, recorded []string) bool {
	return slices.ContainsFunc(recorded, func(build string) bool {
		return !slices.ContainsFunc(chosen, func(j jdks.JDK) bool { return j.Build == build })
	})
}

// choose are the JDKs to ask about a release: all of it, unless the newest is older than the newest
// that is recorded; to check, exactly those that are recorded.
func choose(found []jdks.JDK, release int, recorded []string, check bool) []jdks.JDK {
	var chosen []jdks.JDK
	for _, jdk := range found {
		if jdk.Feature == release && (!check || slices.Contains(recorded, jdk.Build)) {
			chosen = append(chosen, jdk)
		}
	}
	slices.SortFunc(chosen, func(a, b jdks.JDK) int { return compareBuilds(a.Build, b.Build) })
	if check && len(chosen) < len(recorded) {
		return nil
	}
	if len(chosen) > 0 && len(recorded) > 0 &&
		compareBuilds(chosen[len(chosen)-1].Build, slices.MaxFunc(recorded, compareBuilds)) < 0 {
		return nil
	}
	return chosen
}

// difference are the lines that only one of two texts has.
func difference(was, is string) string {
	var b strings.Builder
	for _, side := range []struct{ sign, text, other string }{{"-", was, is}, {"+", is, was}} {
		other := map[string]bool{}
		for line := range strings.SplitSeq(side.other, "\n") {
			other[line] = true
		}
		for line := range strings.SplitSeq(side.text, "\n") {
			if !other[line] {
				fmt.Fprintf(&b, "%s %s\n", side.sign, line)
			}
		}
	}
	return b.String()
}
