// Package yamlfile reads the files that people write for headroom: a config, a lock, a baseline, a scenario. Each is one
// YAML document of a bounded length, and each mistake is told with its line.
package yamlfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/agnivade/levenshtein"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/policies/aliases"
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	File    string
	Line    int // counts from 1; 0 when the file could not be read at all
	Message string
}

func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message)
}

// Read gives what is in a file of at most so many bytes; it may be a pipe, or a link to something endless.
func Read(file string, most int64) ([]byte, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, Problem{File: file, Message: "cannot be read: " + Cause(err)}
	}
	defer func() { _ = opened.Close() }() // it was only read
	return ReadFrom(opened, file, most)
}

// ReadFrom is Read for what is open already.
func ReadFrom(from io.Reader, file string, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, most+1))
	if err != nil {
		return nil, Problem{File: file, Message: "cannot be read: " + Cause(err)}
	}
	if int64(len(text)) > most {
		return nil, Problem{File: file, Message: fmt.Sprintf("is too long; at most %d bytes are read", most)}
	}
	return text, nil
}

// Cause is an error of the file system without the path, which stands before it already.
func Cause(err error) string {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// Document is the one document of a text; needs says what an empty one lacks.
func Document(file, needs string, text []byte) (*yaml.Node, error) {
	var document, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return nil, Syntax(file, err)
	}
	// Further documents would be ignored without a word.
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, Problem{File: file, Line: second.Line, Message: "has more than one document"}
	case !errors.Is(err, io.EOF):
		return nil, Syntax(file, err)
	}
	if len(document.Content) == 0 {
		return nil, Problem{File: file, Line: 1, Message: "is empty; it needs at least " + needs}
	}
	if err := aliases.Check(&document); err != nil {
		return nil, Problem{File: file, Line: 1, Message: err.Error()}
	}
	return document.Content[0], nil
}

var yamlLine = pattern.Lazy(`line (\d+):? ?`)

// Syntax takes the line out of the YAML library's message.
func Syntax(file string, err error) Problem {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n  ")
	problem := Problem{File: file, Line: 1}
	if at := yamlLine().FindStringSubmatch(text); at != nil {
		problem.Line, _ = strconv.Atoi(at[1]) // digits
		text = yamlLine().ReplaceAllString(text, "")
	}
	problem.Message = "is not valid YAML: " + Told(text)
	return problem
}

// maxTold bounds how much of the user's text a message quotes, in bytes.
const maxTold = 300

// Told is a message in one printable line of a bounded length.
func Told(text string) string {
	cut := len(text) > maxTold
	if cut {
		text = strings.ToValidUTF8(text[:maxTold], "")
	}
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	if cut {
		text += "…"
	}
	return text
}

// MaxProblems is as many as a person reads at a time.
const MaxProblems = 20

// Reader collects what is wrong, so that a file is corrected in one go.
type Reader struct {
	File     string
	Problems []Problem
}

// Fail notes a problem at a node.
func (r *Reader) Fail(node *yaml.Node, format string, arguments ...any) {
	if len(r.Problems) < MaxProblems {
		r.Problems = append(r.Problems, Problem{File: r.File, Line: node.Line, Message: fmt.Sprintf(format, arguments...)})
	}
}

// Fields are those of an object, each there once and all known; false for what is no object. One that is null is not there.
func (r *Reader) Fields(node *yaml.Node, what string, known []string) (fields map[string]*yaml.Node, is bool) {
	node, fields = Target(node), map[string]*yaml.Node{}
	if node.Kind != yaml.MappingNode {
		r.Fail(node, "%s has fields: %s", what, strings.Join(known, ", "))
		return fields, false
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], Target(node.Content[i+1])
		switch line := lines[key.Value]; {
		case !slices.Contains(known, key.Value):
			r.Fail(key, "unknown key %q; %s", Short(key.Value), suggestion(key.Value, what, known))
		case line > 0:
			r.Fail(key, "%s is there twice; it was in line %d", key.Value, line)
		case value.ShortTag() != "!!null":
			fields[key.Value] = value
		}
		lines[key.Value] = key.Line
	}
	return fields, true
}

func suggestion(key, what string, known []string) string {
	best, distance := "", 3
	for _, name := range known {
		if len(key) > 2*len(name)+3 {
			continue // far from it, and slow to compare
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(key), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return what + " has " + strings.Join(known, ", ")
}

// Target follows an alias.
func Target(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// Short cuts a value of the file for a message.
func Short(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// Err has all problems, from the top of the file to its end; nil without one.
func (r *Reader) Err() error {
	slices.SortStableFunc(r.Problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return Joined(r.Problems)
}

// Joined makes one error of problems.
func Joined(problems []Problem) error {
	all := make([]error, len(problems))
	for i, p := range problems {
		all[i] = p
	}
	return errors.Join(all...)
}
