package assistant

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/edit"
)

type fixInput struct {
	Input
	Rules []string `json:"rules,omitempty" jsonschema:"make the fixes of these rules alone, by ID or name"`
}

func (s *server) fix(ctx context.Context, in fixInput) (string, error) {
	paths, options, err := s.read(in.Input)
	if err != nil {
		return "", err
	}
	options.FolderCharts = nil // snippets are made of a chart that was named
	e, err := s.Engine(ctx)
	if err != nil {
		return "", err
	}
	result, err := lint.Fix(ctx, e, lint.FixOptions{Paths: paths, Source: options, Rules: in.Rules, Workers: 1})
	if err != nil {
		return "", err
	}
	return fixed(result), nil
}

// fixed is the diffs, and what becomes of each object in words. A diff that does not fit is left out whole.
func fixed(r *lint.FixResult) string {
	var told, diffs strings.Builder
	for _, line := range problemLines(r.Problems) {
		told.WriteString(line + "\n")
	}
	for _, skip := range r.Skipped {
		fmt.Fprintf(&told, "%s: left out: %s\n", short(skip.File), short(skip.Reason))
	}
	left := 0
	for i := range r.Files {
		if !fixedFile(&told, &diffs, &r.Files[i]) {
			left++
		}
	}
	rendered := variablesOf(r.Rendered)
	for i := range r.Rendered {
		tellObject(&told, &r.Rendered[i])
	}
	for _, snippet := range r.Snippets {
		text := fmt.Sprintf("# %s: %s\n%s\n", short(snippet.Origin), short(snippet.Where),
			strings.TrimSpace(terminal.Lines(snippet.Text)))
		switch {
		case slices.ContainsFunc(strings.Split(snippet.Text, "\n"), rendered.show):
			fmt.Fprintf(&told, "%s: the snippet is not shown, as it has values of variables; headroom fix prints it\n",
				short(snippet.Origin))
		case diffs.Len()+len(text) > AnswerBytes/2:
			left++
		default:
			diffs.WriteString(text)
		}
	}
	if left > 0 {
		fmt.Fprintf(&told, "[%s of changes left out, as an answer has at most %d bytes: ask for one path.]\n",
			words.Count(left, "more file"), AnswerBytes)
	}
	if diffs.Len() == 0 {
		told.WriteString("Nothing to apply.\n")
	}
	if n := len(r.Remaining); n > 0 {
		fmt.Fprintf(&told, "%s that no fix may change: tool lint says what to do.\n",
			words.Plural(n, "finding remains", "findings remain"))
	}
	return diffs.String() + "\n" + told.String()
}

// fixedFile tells of a file; false where its diff does not fit.
func fixedFile(told, diffs *strings.Builder, file *lint.FixedFile) bool {
	for i := range file.Objects {
		tellObject(told, &file.Objects[i])
	}
	if !file.Changed() {
		return true
	}
	diff, hidden := edit.Bare(file.Name, file.Before, file.After, variablesOf(file.Objects).show)
	if diffs.Len()+len(diff) > AnswerBytes/2 {
		return false
	}
	diffs.WriteString(diff)
	if hidden > 0 {
		fmt.Fprintf(told, "%s: %s not shown in the diff, as the lines have values of variables; headroom fix makes them\n",
			short(file.Name), words.Plural(hidden, "change is", "changes are"))
	}
	return true
}

// tellObject says what becomes of one object, in short.
func tellObject(b *strings.Builder, o *lint.FixedObject) {
	fmt.Fprintf(b, "%s: %s", sentences.Place(o.File, o.Line), sentences.Title(o.Resource))
	if o.Left != "" {
		fmt.Fprintf(b, ": left alone: %s", short(o.Left))
	}
	b.WriteString("\n")
	for _, a := range o.Applied {
		container := ""
		if a.Container != "" {
			container = short(a.Container) + ": "
		}
		fmt.Fprintf(b, "  %s %s%s\n", a.Rule, container, short(sentences.Change(a)))
	}
	for _, price := range sentences.Prices(o.Fixed) {
		b.WriteString("  " + short(price) + "\n")
	}
}

// variables are the values of environment variables, which are not to leave.
type variables map[string]bool

// variablesOf collects the values in the manifests of objects, line by line, and arguments that name a secret.
func variablesOf(objects []lint.FixedObject) variables {
	v := variables{}
	for i := range objects {
		v.visit(objects[i].Before)
	}
	return v
}

func (v variables) visit(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			switch key {
			case "env":
				list, _ := below.([]any)
				for _, entry := range list {
					variable, _ := entry.(map[string]any)
					v.add(variable["value"])
				}
			case "args", "command":
				list, _ := below.([]any)
				for _, entry := range list {
					if text, _ := entry.(string); namesSecret(text) {
						v.add(text)
					}
				}
			}
			v.visit(below)
		}
	case []any:
		for _, below := range value {
			v.visit(below)
		}
	}
}

func (v variables) add(value any) {
	text, ok := value.(string)
	if !ok {
		return
	}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			v[line] = true
		}
	}
}

func namesSecret(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc([]string{"pass", "secret", "token", "key", "credential", "://"}, func(word string) bool {
		return strings.Contains(text, word)
	})
}

// shortValue is a value of so few letters that other fields may have it, too.
const shortValue = 4

// show says of a line that it would show a value.
func (v variables) show(line string) bool {
	for value := range v {
		if !strings.Contains(line, value) {
			continue
		}
		if len(value) >= shortValue || strings.Contains(line, "value") || strings.Contains(line, "env") {
			return true
		}
	}
	return false
}
