package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/format"
	"go.yaml.in/yaml/v3"
)

const imagesDir = "policies/rego/headroom/images"

// images writes the families of known images, and start scripts by name, as Rego, as conftest reads no other data beside
// the policies. It writes records by number; images by the last part of their names, by which they are looked up.
func images() ([]generated, error) {
	t := imageTable{
		names:    map[string]map[string][]any{},
		scripts:  map[string]map[string]string{},
		starters: map[string]string{},
		shown:    map[string]string{},
		records:  map[string]any{},
		examples: map[string][]any{},
		offHeap:  map[string]any{},
		lines:    map[string][]any{},
	}
	// Images refer to scripts, so scripts come first.
	for _, folder := range []string{"scripts/", ""} {
		files, err := filepath.Glob(filepath.Join(imagesDir, folder, "*.yaml"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if err := t.add(file, folder); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	table, err := regoFile(filepath.Join(imagesDir, "table.rego"), "headroom.images", []constant{
		{"names of images by their last part, each with its record.", "names", members(t.names)},
		{"scripts that start java, by their last part, each with its record.", "scripts", members(t.scripts)},
		{"starters are words of commands that tell an image of no name of its own.", "starters", members(t.starters)},
		{"shown are patterns of variables that launchers of such images alone read.", "shown", members(t.shown)},
		{"records by family and place.", "records", t.records},
		{"off_heap are the variables of all of them that size memory outside the heap.", "off_heap", t.offHeap},
	})
	if err != nil {
		return nil, err
	}
	tests, err := regoFile(filepath.Join(imagesDir, "examples_test.rego"), "headroom.images_test", []constant{
		{"examples of the families' files.", "examples", members(t.examples)},
	})
	if err != nil {
		return nil, err
	}
	for _, family := range slices.Sorted(maps.Keys(t.examples)) {
		for from := 0; from < len(t.examples[family]); from += examplesOfATest {
			tests.text = fmt.Appendf(tests.text, "\ntest_%s_%d if every_line_is_as_read(%q, %d, %d)\n",
				strings.NewReplacer("-", "_", "/", "_").Replace(family), from/examplesOfATest+1, family, from, from+examplesOfATest)
		}
	}
	written, err := programs()
	if err != nil {
		return nil, err
	}
	return []generated{table, tests, written}, nil
}

// imageTable is what table.rego has, and the examples.
type imageTable struct {
	names    map[string]map[string][]any
	scripts  map[string]map[string]string
	starters map[string]string
	shown    map[string]string // records by a pattern of variables that only their launchers read
	records  map[string]any
	examples map[string][]any
	offHeap  map[string]any
	lines    map[string][]any // what each script puts on java's line
}

// add reads the file of a family, or of the scripts of a program.
func (t *imageTable) add(file, folder string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var family map[string][]map[string]any
	if err := yaml.Unmarshal(text, &family); err != nil {
		return err
	}
	key := strings.TrimSuffix(filepath.Base(file), ".yaml")
	if len(family) != 1 || len(family[key]) == 0 {
		return fmt.Errorf("its one key is to be %s, a list of images or scripts", key)
	}
	for i, record := range family[key] {
		if unknown := unknownKeys(record); len(unknown) > 0 {
			return fmt.Errorf("no such keys: %s (docs/adding-an-image.md)", strings.Join(unknown, ", "))
		}
		if err := t.expand(record); err != nil {
			return err
		}
		id := fmt.Sprintf("%s%s/%d", folder, key, i)
		if err := t.name(id, record); err != nil {
			return err
		}
		if list, ok := record["examples"].([]any); ok {
			t.examples[folder+key] = append(t.examples[folder+key], list...)
		}
		parts, _ := record["off_heap"].([]any)
		for _, part := range parts {
			part, _ := part.(map[string]any)
			// Which JVM a heap is of depends on the image.
			if name, ok := part["variable"].(string); ok && part["heap"] != true {
				t.offHeap[name] = withoutDefault(part)
			}
		}
		t.records[id] = judged(record)
	}
	return nil
}

// expand puts the line of a script in the place of its name, and the names of the script among the entrypoints.
func (t *imageTable) expand(record map[string]any) error {
	line, _ := record["line"].([]any)
	var parts []any
	for _, part := range line {
		script, refers := part.(map[string]any)["script"].(string)
		if !refers {
			parts = append(parts, part)
			continue
		}
		its, known := t.lines[script]
		if !known {
			return fmt.Errorf("no script %s in images/scripts", script)
		}
		parts = append(parts, its...)
		entrypoint, _ := record["entrypoint"].([]any)
		brings := func(file any) bool { return strings.HasSuffix("/"+fmt.Sprint(file), "/"+script) }
		if !slices.ContainsFunc(entrypoint, brings) {
			record["entrypoint"] = append(slices.Clone(entrypoint), script)
		}
	}
	if parts != nil {
		record["line"] = parts
	}
	return nil
}

// name enters a record under the names of its images, the names of its scripts, or the words that tell it.
func (t *imageTable) name(id string, record map[string]any) error {
	if list, ok := record["scripts"].([]any); ok {
		record["entrypoint"] = list
		line, _ := record["line"].([]any)
		for _, script := range list {
			script := fmt.Sprint(script)
			if _, other := t.lines[script]; other {
				return fmt.Errorf("another file has the script %s, too", script)
			}
			t.lines[script] = line
			last := script[strings.LastIndex(script, "/")+1:]
			if t.scripts[last] == nil {
				t.scripts[last] = map[string]string{}
			}
			t.scripts[last][script] = id
		}
		return nil
	}
	list, _ := record["names"].([]any)
	for _, name := range list {
		name, _ := name.(string)
		last := name[strings.LastIndex(name, "/")+1:]
		if t.names[last] == nil {
			t.names[last] = map[string][]any{}
		}
		// Several records share a name only if the tag tells them apart.
		for _, other := range t.names[last][name] {
			if t.records[other.(string)].(map[string]any)["tag"] == nil || record["tag"] == nil {
				return fmt.Errorf("%s has %s, too", other, name)
			}
		}
		t.names[last][name] = append(t.names[last][name], id)
	}
	if pattern, ok := record["shown_by"].(string); ok {
		t.shown[pattern] = id
	}
	if len(list) == 0 {
		entrypoint, _ := record["entrypoint"].([]any)
		for _, word := range entrypoint {
			t.starters[fmt.Sprint(word)] = id
		}
	}
	return nil
}

// conftest gives a test five seconds.
const examplesOfATest = 4

// keys are those of docs/adding-an-image.md.
var (
	keys = strings.Fields("names scripts shown_by tag read runtime java vm entrypoint command line not_jvm ignores unsets drops_environment " +
		"processes native unbounded unbounded_when bounded_by off_heap plans takes refuses roles note examples")
	partKeys = strings.Fields("options script variable argument size percent file unknown becomes unit default of least most pair sets when")
	whenKeys = strings.Fields("tag words not_words option not_option mounted not_mounted set unset equals lacks")
)

func unknownKeys(record map[string]any) []string {
	unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(record)), func(key string) bool { return slices.Contains(keys, key) })
	line, _ := record["line"].([]any)
	for _, part := range line {
		part, _ := part.(map[string]any)
		when, _ := part["when"].(map[string]any)
		for key := range part {
			if !slices.Contains(partKeys, key) {
				unknown = append(unknown, "line."+key)
			}
		}
		for key := range when {
			if !slices.Contains(whenKeys, key) {
				unknown = append(unknown, "when."+key)
			}
		}
	}
	return unknown
}

// judged is what the policies read of a record; the rest is for people.
func judged(record map[string]any) map[string]any {
	kept := map[string]any{}
	for _, key := range []string{"tag", "java", "entrypoint", "command", "line", "not_jvm", "ignores", "unsets", "drops_environment", "unbounded", "unbounded_when", "bounded_by", "off_heap", "plans", "takes", "vm"} {
		if value, ok := record[key]; ok {
			kept[key] = value
		}
	}
	return kept
}

// withoutDefault is a setting as it counts under another image, whose default is not known.
func withoutDefault(part map[string]any) map[string]any {
	kept := maps.Clone(part)
	delete(kept, "default")
	delete(kept, "when")
	return kept
}

// constant is an object; each of its members has a line.
type constant struct {
	comment, name string
	value         map[string]any
}

func members[V any](of map[string]V) map[string]any {
	all := map[string]any{}
	for key, value := range of {
		all[key] = value
	}
	return all
}

// regoFile is a generated file of constants.
func regoFile(file, packageName string, constants []constant) (generated, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Code generated by \"make generate\" from the YAML files beside it. DO NOT EDIT.\npackage %s\n\n", packageName)
	for _, c := range constants {
		fmt.Fprintf(&b, "# %s\n%s := {\n", c.comment, c.name)
		for _, key := range slices.Sorted(maps.Keys(c.value)) {
			text, err := plainJSON(c.value[key])
			if err != nil {
				return generated{}, fmt.Errorf("%s: %w", file, err)
			}
			fmt.Fprintf(&b, "\t%q: %s,\n", key, text)
		}
		b.WriteString("}\n\n")
	}
	source, err := format.Source(file, []byte(b.String()))
	if err != nil {
		return generated{}, fmt.Errorf("format %s: %w", file, err)
	}
	return generated{file, source}, nil
}
