// Command images drafts a record for policies/rego/headroom/images from a Dockerfile and start scripts. It has the names
// of the scripts, and what may stand on java's line, in the order of the text. It runs nothing and knows no shell:
// somebody has to read the scripts, and to put the parts right.
//
//	go run -C lab ./images /tmp/product/Dockerfile /tmp/product/docker-entrypoint.sh
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lab"
)

func main() {
	lab.Main("images", func(context.Context) error {
		if len(os.Args) < 2 {
			return errors.New("usage: images FILE…, with absolute paths")
		}
		var d draft
		for _, file := range os.Args[1:] {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			d.read(filepath.Base(file), string(text))
		}
		fmt.Print(d)
		return nil
	})
}

// draft is what was seen in the files so far.
type draft struct {
	bases, entrypoints, files []string
	parts                     []string
}

var (
	base       = regexp.MustCompile(`(?mi)^FROM\s+(?:--\S+\s+)?(\S+)`)
	entrypoint = regexp.MustCompile(`(?mi)^(?:ENTRYPOINT|CMD)\s+(.*)$`)
	word       = regexp.MustCompile(`[^\s"',\[\]]+`)

	// An entrypoint that a shell runs: in shell form, or behind sh -c. What follows java is its own line.
	inShell = regexp.MustCompile(`^[^\[]|-c["']`)
	javas   = regexp.MustCompile(`(?:^|[\s"'/])java\s+(.*)$`)

	// A default as ${NAME:-text}, : "${NAME:=text}", NAME=${NAME:-text}, ENV NAME text or NAME="text" of flags.
	defaults = regexp.MustCompile(`\$\{(\w+):?[-=]"?([^}"]*)"?\}`)
	assigned = regexp.MustCompile(`(?m)^\s*(?:export\s+|ENV\s+)?(\w+)[= ]"?(-[XDs-][^"\n]*)"?`)
	onLine   = regexp.MustCompile(`(?m)^.*(?:java"?|\$\{?(?:JAVA|_RUNJAVA|RUNNER)\}?"?)\s+(.*\$.*)$`)
	variable = regexp.MustCompile(`\$\{?(\w+)`)
	sized    = regexp.MustCompile(`(-Xm[sxn]|-XX:\w+=)\$\{?(\w+)\}?`)
	options  = regexp.MustCompile(`(?:OPT|ARGS|FLAGS|HEAP|MEM|GC)`)
)

// read takes in a Dockerfile or a script.
func (d *draft) read(name, text string) {
	d.files = append(d.files, name)
	for _, m := range base.FindAllStringSubmatch(text, -1) {
		d.bases = append(d.bases, m[1])
	}
	lines, script := []string{}, text
	for _, m := range entrypoint.FindAllStringSubmatch(text, -1) {
		if java := javas.FindStringSubmatch(m[1]); java != nil && inShell.MatchString(m[1]) {
			lines, script = append(lines, java[1]), strings.Replace(script, m[0], "", 1)
		} else {
			d.entrypoints = append(d.entrypoints, word.FindAllString(m[1], -1)...)
		}
	}
	defaultOf := map[string]string{}
	for _, m := range append(assigned.FindAllStringSubmatch(text, -1), defaults.FindAllStringSubmatch(text, -1)...) {
		defaultOf[m[1]] = strings.TrimSpace(m[2])
	}
	sizes := map[string]bool{}
	for _, m := range sized.FindAllStringSubmatch(text, -1) {
		sizes[m[2]] = true
		d.add(fmt.Sprintf("{size: %s, becomes: %q%s}", m[2], m[1]+"{}", withDefault(defaultOf[m[2]])))
	}
	for _, line := range lines {
		d.addLine(line, defaultOf)
	}
	for _, line := range onLine.FindAllStringSubmatch(script, -1) {
		for _, m := range variable.FindAllStringSubmatch(line[1], -1) {
			if options.MatchString(m[1]) && !sizes[m[1]] {
				d.add(fmt.Sprintf("{variable: %s%s}", m[1], withDefault(defaultOf[m[1]])))
			}
		}
	}
}

// addLine takes in the options and variables of a java line, up to what it runs.
func (d *draft) addLine(line string, defaultOf map[string]string) {
	for _, w := range word.FindAllString(line, -1) {
		m := variable.FindStringSubmatch(w)
		switch {
		case w == "-jar" || !strings.HasPrefix(w, "-") && m == nil:
			return
		case strings.HasPrefix(w, "-X") && m == nil:
			d.add(fmt.Sprintf("{options: %q}", w))
		case strings.HasPrefix(w, "$"):
			d.add(fmt.Sprintf("{variable: %s%s}", m[1], withDefault(defaultOf[m[1]])))
		}
	}
}

func (d *draft) add(part string) {
	if !slices.Contains(d.parts, part) {
		d.parts = append(d.parts, part)
	}
}

func withDefault(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf(", default: %q", text)
}

func (d draft) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A draft. Its bases: %s.\nNAME:\n  - names: [REPOSITORY]\n    read:\n", strings.Join(d.bases, ", "))
	for _, name := range d.files {
		fmt.Fprintf(&b, "      - {repository: OWNER/NAME, path: %s, tag: TAG}\n", name)
	}
	b.WriteString("    runtime: jvm\n    java:\n      - {tag: '', least: 8}\n")
	fmt.Fprintf(&b, "    entrypoint: [%s]\n    line:\n", strings.Join(d.entrypoints, ", "))
	for _, part := range d.parts {
		fmt.Fprintf(&b, "      - %s\n", part)
	}
	b.WriteString("    examples:\n      - {image: \"IMAGE\", line: \"LINE\"}\n")
	return b.String()
}
