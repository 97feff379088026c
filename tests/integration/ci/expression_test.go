//go:build integration

package ci

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The part of GitHub's expressions that action.yml uses: contexts, strings, numbers, ==, !=, !,
// &&, || and three functions. An unknown name is null, as GitHub has it; anything else that is
// not known here fails the test.

var (
	exprToken = regexp.MustCompile(`'(?:[^']|'')*'|[A-Za-z_][\w-]*(?:\.[\w*-]+)*|\d+|==|!=|&&|\|\||[!(),]`)
	exprHole  = regexp.MustCompile(`(?s)\$\{\{(.*?)\}\}`)
)

type expression struct {
	tokens  []string
	context map[string]any
	status  bool // no step has failed
	asked   bool // it asks for the status itself
}

// evaluate gives the value of an expression.
func (e *expression) evaluate(text string) (value any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("expression %q: %v", text, r)
		}
	}()
	if rest := strings.TrimSpace(exprToken.ReplaceAllString(text, "")); rest != "" {
		return nil, fmt.Errorf("expression %q: %q is not known here", text, rest)
	}
	e.tokens = exprToken.FindAllString(text, -1)
	value = e.or()
	if len(e.tokens) > 0 {
		return nil, fmt.Errorf("expression %q: %v is too much", text, e.tokens)
	}
	return value, nil
}

func (e *expression) peek() string {
	if len(e.tokens) == 0 {
		return ""
	}
	return e.tokens[0]
}

func (e *expression) take() string {
	token := e.tokens[0]
	e.tokens = e.tokens[1:]
	return token
}

func (e *expression) or() any {
	left := e.and()
	for e.peek() == "||" {
		e.take()
		if right := e.and(); !truth(left) {
			left = right
		}
	}
	return left
}

func (e *expression) and() any {
	left := e.equality()
	for e.peek() == "&&" {
		e.take()
		if right := e.equality(); truth(left) {
			left = right
		}
	}
	return left
}

func (e *expression) equality() any {
	left := e.unary()
	for e.peek() == "==" || e.peek() == "!=" {
		operator := e.take()
		left = equal(left, e.unary()) == (operator == "==")
	}
	return left
}

func (e *expression) unary() any {
	switch token := e.take(); {
	case token == "!":
		return !truth(e.unary())
	case token == "(":
		value := e.or()
		e.expect(")")
		return value
	case token[0] == '\'':
		return strings.ReplaceAll(token[1:len(token)-1], "''", "'")
	case token[0] >= '0' && token[0] <= '9':
		number, _ := strconv.ParseFloat(token, 64)
		return number
	case e.peek() == "(":
		return e.call(token)
	default:
		return lookup(e.context, strings.Split(token, "."))
	}
}

func (e *expression) expect(token string) {
	if got := e.take(); got != token {
		panic("want " + token + ", have " + got)
	}
}

func (e *expression) call(name string) any {
	e.expect("(")
	var arguments []any
	for e.peek() != ")" {
		arguments = append(arguments, e.or())
		if e.peek() == "," {
			e.take()
		}
	}
	e.expect(")")
	switch name {
	case "always":
		e.asked = true
		return true
	case "success":
		e.asked = true
		return e.status
	case "startsWith":
		// GitHub does not tell capitals from small letters.
		return strings.HasPrefix(strings.ToLower(text(arguments[0])), strings.ToLower(text(arguments[1])))
	}
	panic("function " + name + " is not known here")
}

func lookup(at any, path []string) any {
	for _, name := range path {
		fields, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = fields[name]
	}
	return at
}

func truth(v any) bool { return v != nil && v != false && v != "" && v != 0.0 }

// equal compares as GitHub does: strings without regard to capitals, different types as numbers.
func equal(a, b any) bool {
	left, isText := a.(string)
	if right, both := b.(string); isText && both {
		return strings.EqualFold(left, right)
	}
	x, okX := number(a)
	y, okY := number(b)
	return okX && okY && x == y
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case nil:
		return 0, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case float64:
		return v, true
	case string:
		if v == "" {
			return 0, true
		}
		f, err := strconv.ParseFloat(v, 64)
		return f, err == nil
	}
	return 0, false
}

func text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// fill puts values into the holes of a text.
func fill(t *testing.T, in string, context map[string]any) string {
	t.Helper()
	return exprHole.ReplaceAllStringFunc(in, func(hole string) string {
		value, err := (&expression{context: context}).evaluate(exprHole.FindStringSubmatch(hole)[1])
		if err != nil {
			t.Fatal(err)
		}
		return text(value)
	})
}

func TestExpressions(t *testing.T) {
	context := map[string]any{
		"inputs": map[string]any{"a-b": "x", "none": ""},
		"github": map[string]any{"event": map[string]any{"number": 5.0}, "event_name": "pull_request"},
	}
	for expr, want := range map[string]any{
		"inputs.a-b == 'X' && inputs.none != ''":        false,
		"inputs.none || github.event.number":            5.0,
		"github.event.pull_request.base.sha":            nil,
		"github.event.nothing == ''":                    true,
		"!(startsWith(github.event_name, 'pull')) || 1": 1.0,
		"'it''s'": "it's",
	} {
		if got, err := (&expression{context: context}).evaluate(expr); err != nil || got != want {
			t.Errorf("%s is %v, %v; want %v", expr, got, err, want)
		}
	}
	for _, expr := range []string{"toJSON(inputs)", "inputs.a-b ==", "1 < 2"} {
		if got, err := (&expression{context: context}).evaluate(expr); err == nil {
			t.Errorf("%s is %v, want an error", expr, got)
		}
	}
}
