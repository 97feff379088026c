package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/policies/aliases"
)

// Item is what one document turned out to be: an object to judge, a problem,
// or something that is no Kubernetes object.
type Item struct {
	File     string
	Line     int
	Problem  *Problem  // with a Document only where it could be read all the same
	Skipped  string    // why it is no Kubernetes object; "" when it is one
	Document *Document // the object; of no use when Skipped is set
}

// Parse reads all documents of a file, in order.
func Parse(file string, data []byte, opts Options) []Item {
	return slices.Collect(Items(file, data, opts))
}

// Items reads a file's documents one at a time, for files whose objects do not
// fit into memory all at once.
func Items(file string, data []byte, opts Options) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		text, err := decodeText(data)
		if err != nil {
			yield(problemItem(file, err))
			return
		}
		if strings.EqualFold(path.Ext(file), ".json") {
			jsonItems(file, text, opts, yield)
			return
		}
		if items, ok := sniffJSON(file, text, opts); ok {
			for _, item := range items {
				if !yield(item) {
					return
				}
			}
			return
		}
		left := opts.maxDocuments()
		found := false
		segments(text, opts.maxValues(), func(s segment) bool {
			found = true
			if left--; left < 0 {
				yield(problemItem(file, failAt(s.line, "more than %d documents in one file", opts.maxDocuments())))
				return false
			}
			return yield(parseSegment(file, s))
		})
		if !found {
			yield(Item{File: file, Line: 1, Skipped: reasonEmpty})
		}
	}
}

// sniffJSON reads as JSON what looks like it whatever the file's name is:
// kubectl does the same, and it is how "kubectl get -o json" arrives.
func sniffJSON(file string, text []byte, opts Options) (items []Item, ok bool) {
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return nil, false
	}
	ok = true
	jsonItems(file, text, opts, func(item Item) bool {
		ok = item.Problem == nil
		items = append(items, item)
		return ok
	})
	return items, ok
}

func problemItem(file string, err *lineError) Item {
	return Item{File: file, Line: err.line, Problem: &Problem{File: file, Line: err.line, Cause: err}}
}

// ofKubernetes finds a key of Kubernetes objects, but in a comment, and what may render to one. A template of
// another tool (values of a test, a pipeline) has neither. Helm's own are rendered, and not read here.
var ofKubernetes = pattern.Lazy(`(?m)^[^#\n]*\b(?:apiVersion|kind|containers)["']?[ \t]*:|` +
	`\{\{-? *(?:include|template|range|toYaml|tpl)\b|\{%[-+]? *(?:include|import|extends)\b`)

// directives are those of Terraform's templates (`%{ if … }`) and of Jinja's (`{% if … %}`).
var directives = pattern.Lazy(`(?m)^[ \t]*(?:%\{~?|\{%[-+]?)[ \t]*[a-z]+`)

// parseSegment reads the text of one document.
func parseSegment(file string, s segment) (item Item) {
	// A bug here must not keep the other documents from being judged.
	defer func() {
		if r := recover(); r != nil {
			item = problemItem(file, failAt(s.line, "%s (%v)", reasonBug, r))
		}
	}()
	value, positions, again, failure := parseValue(s)
	if failure != nil {
		braces, others := bytes.Contains(s.text, []byte("{{")), directives().Match(s.text)
		switch {
		case (braces || others) && !ofKubernetes().Match(s.text):
			return Item{File: file, Line: s.line, Skipped: reasonTemplate}
		case others:
			failure.cause += "; this looks like a template of Jinja or Terraform: render it first"
		case braces:
			failure.cause += "; this looks like a template, and a Helm chart is rendered with --helm-chart"
		}
		return problemItem(file, failure)
	}
	if value == nil {
		return Item{File: file, Line: s.line, Skipped: reasonEmpty}
	}
	item = newItem(file, int(positions[0].line), value, positions).with(again)
	if item.Document != nil {
		item.Document.Comments = ignores(s, value, positions)
	}
	return item
}

// with adds what an object's text gives twice.
func (i Item) with(t twice) Item {
	if i.Document == nil || t.line == 0 {
		return i
	}
	i.Document.Twice = t.problem(i.File)
	if i.Skipped == "" {
		i.Problem = i.Document.Twice
	}
	return i
}

// parseValue gives a document's value, of whatever shape, its positions, and what is given twice in it.
func parseValue(s segment) (any, []position, twice, *lineError) {
	if failure := checkText(s); failure != nil {
		return nil, nil, twice{}, failure
	}
	return readYAML(s)
}

func tooManyValues(line, limit int) *lineError {
	return failAt(line, "more than %d values in one document; a larger file limit allows for more", limit)
}

// readYAML reads a document with the YAML library.
func readYAML(s segment) (any, []position, twice, *lineError) {
	// Every value but the first few ends a line or stands in front of a comma.
	if estimate := bytes.Count(s.text, []byte{'\n'}) + bytes.Count(s.text, []byte{','}); s.values > 0 &&
		estimate > s.values {
		return nil, nil, twice{}, tooManyValues(s.line, s.values)
	}
	if value, positions, ok := readApart(s); ok {
		return value, positions, twice{}, nil
	}
	return readWhole(s)
}

// readWhole reads a document in one piece.
func readWhole(s segment) (any, []position, twice, *lineError) {
	root, lines, failure := parseNode(s)
	if failure != nil || root == nil {
		return nil, nil, twice{}, failure
	}
	b := builder{lines: lines}
	at := b.begin("", lines.line(root.Line))
	if failure := b.value(root, at, 0); failure != nil {
		return nil, nil, twice{}, failure
	}
	b.end(at)
	if err := aliases.Check(root); err != nil {
		return nil, nil, twice{}, failAt(s.line, "%v", err)
	}
	value, err := valueOf(s.text)
	if err != nil {
		if failure := b.suspects.refused(err); failure != nil {
			return nil, nil, twice{}, failure
		}
		return nil, nil, twice{}, syntaxError(s, lines, err)
	}
	return value, slices.Clip(b.positions), b.twice, nil
}

// parseNode parses the one document of a segment; nil if the segment is empty.
func parseNode(s segment) (root *yaml.Node, lines *lineMap, failure *lineError) {
	lines = newLineMap(s)
	decoder := yaml.NewDecoder(bytes.NewReader(s.text))
	var document yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, lines, nil
	} else if err != nil {
		return nil, nil, syntaxError(s, lines, err)
	}
	// Both libraries stop at the end of the document and would ignore the rest.
	switch err := decoder.Decode(new(yaml.Node)); {
	case err == nil && lines.odd(): // only there can a marker stand that segments missed
		return nil, nil, failAt(s.line, "a line end other than a newline hides another document")
	case err == nil:
		return nil, nil, failAt(s.line, "broken YAML: more than one document without a --- in between")
	case !errors.Is(err, io.EOF):
		return nil, nil, syntaxError(s, lines, err)
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, nil, failAt(s.line, "the YAML library gave no document")
	}
	return document.Content[0], lines, nil
}

// newItem judges whether a value is a Kubernetes object.
func newItem(file string, line int, value any, positions []position) Item {
	item := Item{File: file, Line: line}
	object, isObject := value.(map[string]any)
	if nested(object, maxNesting) {
		return problemItem(file, failAt(line, "Lists stand in each other more than %d deep", maxNesting))
	}
	item.Skipped = reasonToSkip(file, value)
	if !isObject {
		return item
	}
	item.Document = newDocument(file, line, object, positions)
	if cause, field := Untyped(object); cause != "" && !isKustomization(file) {
		return problemItem(file, failAt(item.Document.LineOf([]any{field}), "%s", cause))
	}
	return item
}

const reasonBug = "this document cannot be read, which is a bug in headroom; please report it"

const reasonEmpty = "an empty document"

// reasonToSkip says why a document is no Kubernetes object; "" when it is one.
func reasonToSkip(file string, value any) string {
	object, isObject := value.(map[string]any)
	switch value.(type) {
	case nil:
		return reasonEmpty
	case []any:
		return "a list at the top, not a Kubernetes object"
	}
	if !isObject {
		return "a single value, not a Kubernetes object"
	}
	version, hasVersion := object["apiVersion"].(string)
	kind, hasKind := object["kind"].(string)
	switch {
	case isKustomization(file), strings.HasPrefix(version, "kustomize.config.k8s.io/"):
		return "a kustomization; render it with --kustomize"
	case !hasVersion && !hasKind:
		return "not a Kubernetes object: no apiVersion and no kind"
	case !hasVersion || version == "":
		return "not a Kubernetes object: no apiVersion"
	case !hasKind || kind == "":
		return "not a Kubernetes object: no kind"
	}
	return ""
}

func isKustomization(file string) bool {
	return slices.Contains(kustomizationNames, path.Base(file))
}

// String is for logs and tests.
func (i Item) String() string {
	switch {
	case i.Problem != nil:
		return i.Problem.Error()
	case i.Skipped != "":
		return fmt.Sprintf("%s:%d: skipped: %s", i.File, i.Line, i.Skipped)
	}
	return fmt.Sprintf("%s:%d: %v", i.File, i.Line, i.Document.Object["kind"])
}
