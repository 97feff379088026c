// Package cel assembles the CEL that stands in for the Rego where no Rego can run: in the API
// server's own admission policies and in Kyverno's. Its fragments are files beside this one; a
// table, a pattern or a figure in them comes from the Rego.
package cel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/headroom-dev/headroom/policies"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Variable is a named expression; it may use those before it as variables.<name>.
type Variable struct {
	Name       string `json:"name" yaml:"name"`
	Expression string `json:"expression" yaml:"expression"`
}

// fragments reads files and fills in what comes from the Rego, from macros and from the list of
// the rules that have CEL.
type fragments struct {
	macros *template.Template
}

func newFragments(ctx context.Context, e *engine.Engine, rules []engine.Rule) (*fragments, error) {
	literals := map[string]string{}
	ids, slugs := namesOf(rules)
	macros := template.New("macros").Option("missingkey=error").Funcs(template.FuncMap{
		"rego": func(ref string) (string, error) {
			if known, ok := literals[ref]; ok {
				return known, nil
			}
			value, err := e.Value(ctx, ref)
			if err != nil {
				return "", err
			}
			literals[ref] = Literal(value)
			return literals[ref], nil
		},
		"args":  func(list ...string) []string { return list },
		"ids":   func() string { return ids },
		"slugs": func() string { return slugs },
	})
	files, err := fs.Glob(policies.Files, "export/cel/macros/*.cel")
	if err != nil {
		return nil, fmt.Errorf("list CEL macros: %w", err)
	}
	for _, file := range files {
		text, err := policies.Files.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read a CEL macro: %w", err)
		}
		if _, err := macros.New(path.Base(file)).Parse(plain(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return &fragments{macros}, nil
}

// namesOf are the IDs of rules as a CEL list, and as a CEL map by slug. The other rules have no
// findings here that an exemption could name.
func namesOf(rules []engine.Rule) (ids, slugs string) {
	list, bySlug := make([]any, 0, len(rules)), make(map[string]any, len(rules))
	for _, rule := range rules {
		list = append(list, rule.ID)
		bySlug[rule.Slug] = rule.ID
	}
	return Literal(list), Literal(bySlug)
}

// read gives the expression of a file.
func (f *fragments) read(file string) (string, error) {
	text, err := policies.Files.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read a CEL fragment: %w", err)
	}
	macros, err := f.macros.Clone()
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	parsed, err := macros.New(path.Base(file)).Parse(plain(text))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, nil); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	expression := strings.TrimSpace(out.String())
	if expression == "" {
		return "", fmt.Errorf("%s: has no expression", file)
	}
	return expression, nil
}

// model gives the variables of a folder, in the order of their file names: 12-name.cel.
func (f *fragments) model(folder string) ([]Variable, error) {
	files, err := fs.Glob(policies.Files, path.Join(folder, "*.cel"))
	if err != nil {
		return nil, fmt.Errorf("list CEL fragments: %w", err)
	}
	variables := make([]Variable, 0, len(files))
	for _, file := range files {
		_, name, found := strings.Cut(strings.TrimSuffix(path.Base(file), ".cel"), "-")
		if !found {
			return nil, fmt.Errorf("%s: a file of the model is called NN-name.cel", file)
		}
		expression, err := f.read(file)
		if err != nil {
			return nil, err
		}
		variables = append(variables, Variable{name, expression})
	}
	return variables, nil
}

// exists tells a rule that has no fragment from one that cannot be read.
func exists(file string) bool {
	_, err := fs.Stat(policies.Files, file)
	return !errors.Is(err, fs.ErrNotExist)
}

// plain is a fragment without its comments, which speak to its readers alone.
func plain(text []byte) string {
	var kept []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			kept = append(kept, strings.TrimRight(line, " \t\r\n"))
		}
	}
	return strings.Join(kept, "\n")
}
