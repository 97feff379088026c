package source

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"

	"github.com/headroom-dev/headroom/internal/pattern"
)

var (
	errorLine     = pattern.Lazy(`^yaml: line (\d+): (.*)$`)
	unknownAnchor = pattern.Lazy(`^yaml: unknown anchor '(.*)' referenced$`)
)

// syntaxError makes of the library's error one that a person can act on.
// yaml/v3 gives the line where the enclosing block began; yaml/v2, whose
// grammar is the same, gives the line where reading stopped. Hence the text is
// read once more.
func syntaxError(s segment, lines *lineMap, err error) *lineError {
	second := decodeV2(s.text)
	switch {
	case second == nil:
	case !strings.Contains(second.Error(), "invalid map key"):
		err = second
	case err.Error() == second.Error(): // it prints the key, as Go writes it
		return failAt(s.line, "a key is a list or a map; Kubernetes takes strings only")
	}
	text, line := err.Error(), s.line
	if match := unknownAnchor().FindStringSubmatch(text); match != nil {
		if at := bytes.Index(s.text, []byte("*"+match[1])); at >= 0 {
			line = s.lineAt(at)
		}
		return failAt(line, "alias *%s has no anchor in front of it", match[1])
	}
	if match := errorLine().FindStringSubmatch(text); match != nil {
		counted, _ := strconv.Atoi(match[2-1])
		if text = match[2]; isParserError(text) {
			counted++ // v2 counts these, and only these, from 0
		}
		// What is missing at the end is missing behind the last line that has text.
		last := s.lineAt(len(bytes.TrimRight(s.text, " \t\n")))
		line = min(lines.line(counted), last)
	}
	text = strings.TrimPrefix(text, "yaml: ")
	if hint := syntaxHint(s, text, line); hint != "" {
		text += "; " + hint
	}
	return failAt(line, "broken YAML: %s", text)
}

// decodeV2 reads a text to its end the way kubectl reads a document.
func decodeV2(text []byte) error {
	decoder := yamlv2.NewDecoder(bytes.NewReader(text))
	for {
		if err := decoder.Decode(new(any)); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// isParserError tells errors of the grammar from errors of the characters.
func isParserError(text string) bool {
	switch text {
	case "did not find expected <stream-start>", "did not find expected <document start>",
		"did not find expected node content", "did not find expected '-' indicator",
		"did not find expected key", "did not find expected ',' or ']'",
		"did not find expected ',' or '}'", "found undefined tag handle",
		"found duplicate %YAML directive", "found incompatible YAML document",
		"found duplicate %TAG directive":
		return true
	}
	return false
}

// unclosed is what the library says of a text that ends within brackets.
var unclosed = pattern.Lazy(`',' or|node content|<document start>`)

// open says that more brackets are opened than closed, but in quotes on one line.
func open(text []byte) bool {
	bare := quoted().ReplaceAll(text, nil)
	count := func(brackets string) (n int) {
		for i := range len(brackets) {
			n += bytes.Count(bare, []byte{brackets[i]})
		}
		return n
	}
	return count("[{") > count("]}")
}

var quoted = pattern.Lazy(`"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|(?m)(?:^|[ \t])#.*$`)

// syntaxHint names the mistakes that the library describes in its own terms.
func syntaxHint(s segment, text string, line int) string {
	switch {
	case strings.Contains(text, "cannot start any token") && bytes.Contains(s.textOf(line), []byte{'\t'}):
		return "a tab indents this line, and YAML takes blanks only"
	case !bytes.Contains(s.text, []byte("{{")) && unclosed().MatchString(text) && open(s.text):
		return "is a bracket, [ or {, not closed, here or above?"
	case strings.Contains(text, "',' or"):
		return "is a comma missing, or do quotes belong around a value?"
	case strings.Contains(text, "did not find expected key"), strings.Contains(text, "'-' indicator"):
		return "is this line indented like its neighbours?"
	case strings.Contains(text, "mapping values are not allowed"):
		return "a second colon on this line, or one that is indented too far; quote the value if it holds a colon"
	case strings.Contains(text, "could not find expected ':'"):
		return "a key without a colon, here or on the line above"
	}
	return ""
}

// textOf gives one line of the segment by the file's count.
func (s segment) textOf(line int) []byte {
	rest := s.text
	for ; line > s.line && len(rest) > 0; line-- {
		_, rest, _ = bytes.Cut(rest, []byte{'\n'})
	}
	first, _, _ := bytes.Cut(rest, []byte{'\n'})
	return first
}
