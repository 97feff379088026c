package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

const chartDir = "charts/headroom"

// chartPage writes the values of the chart into its README, each with the comment that it has in values.yaml.
func chartPage() (generated, error) {
	text, err := os.ReadFile(filepath.Join(chartDir, "values.yaml"))
	if err != nil {
		return generated{}, err
	}
	table, err := valuesTable(string(text))
	if err != nil {
		return generated{}, fmt.Errorf("%s/values.yaml: %w", chartDir, err)
	}
	file := filepath.Join(chartDir, "README.md")
	page, err := os.ReadFile(file)
	if err != nil {
		return generated{}, err
	}
	if page, err = between(page, "values", table); err != nil {
		return generated{}, fmt.Errorf("%s: %w", file, err)
	}
	return generated{file, page}, nil
}

// valuesTable has a row for each value that has a comment, behind it or in the lines above. A map in which no value has
// one is a value itself.
func valuesTable(text string) (string, error) {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(text), &root); err != nil {
		return "", err
	}
	t := valueRows{lines: strings.Split(text, "\n")}
	if err := t.add("", root.Content[0]); err != nil {
		return "", err
	}
	return "| value | default | what |\n|---|---|---|\n" + t.rows.String(), nil
}

type valueRows struct {
	lines []string
	rows  strings.Builder
}

func (t *valueRows) add(prefix string, values *yaml.Node) error {
	for i := 0; i < len(values.Content); i += 2 {
		key, value := values.Content[i], values.Content[i+1]
		name, says := prefix+key.Value, t.comment(key)
		whole := !t.explains(value)
		if whole && says == "" {
			return fmt.Errorf("line %d: %s has no comment that says what it is", key.Line, name)
		}
		if says != "" {
			shown, err := defaultOf(value)
			if err != nil {
				return err
			}
			if !whole {
				shown = ""
			}
			fmt.Fprintf(&t.rows, "| `%s` | %s | %s |\n", name, shown, says)
		}
		if !whole {
			if err := t.add(name+".", value); err != nil {
				return err
			}
		}
	}
	return nil
}

// explains says whether some value in a map has a comment of its own.
func (t *valueRows) explains(value *yaml.Node) bool {
	if value.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(value.Content); i += 2 {
		if t.comment(value.Content[i]) != "" || t.explains(value.Content[i+1]) {
			return true
		}
	}
	return false
}

var page = regexp.MustCompile(`\bdocs/[a-z-]+\.md`)

// comment is what the lines above a key say, and what stands behind its value.
func (t *valueRows) comment(key *yaml.Node) string {
	var said []string
	at := key.Line - 1
	for first := at - 1; first >= 0; first-- {
		line, is := strings.CutPrefix(strings.TrimSpace(t.lines[first]), "#")
		if !is {
			break
		}
		said = append([]string{strings.TrimSpace(line)}, said...)
	}
	if _, behind, is := strings.Cut(t.lines[at], " # "); is {
		said = append(said, behind)
	}
	text := strings.ReplaceAll(strings.Join(said, " "), "|", `\|`)
	return page.ReplaceAllString(text, "[$0](../../$0)")
}

// maxDefault is how long a default is that still fits into a cell.
const maxDefault = 40

func defaultOf(value *yaml.Node) (string, error) {
	var v any
	if err := value.Decode(&v); err != nil {
		return "", err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	if len(text) > maxDefault {
		return "[values.yaml](values.yaml)", nil
	}
	return "`" + string(text) + "`", nil
}
