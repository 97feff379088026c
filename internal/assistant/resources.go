package assistant

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/headroom-dev/headroom/docs/facts"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	rulesURI   = "headroom://rules"
	classesURI = "headroom://classes"
	factsURI   = "headroom://facts"
)

// resources adds the lists, each under its own address, and what is in them under templates.
func (s *server) resources(m *mcp.Server) {
	add := func(uri, title, each, about string, text func(ctx context.Context, name string) (string, error)) {
		read := func(ctx context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			asked := request.Params.URI
			body, err := text(ctx, strings.TrimPrefix(strings.TrimPrefix(asked, uri), "/"))
			if err != nil {
				return nil, err
			}
			if body == "" {
				return nil, mcp.ResourceNotFoundError(asked)
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
				{URI: asked, MIMEType: "text/markdown", Text: bounded(body)},
			}}, nil
		}
		m.AddResource(&mcp.Resource{URI: uri, Name: title, Description: about, MIMEType: "text/markdown"}, read)
		m.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: uri + "/{name}", Name: each, Description: each + ", in Markdown", MIMEType: "text/markdown",
		}, read)
	}
	add(rulesURI, "rules", "one rule, by its ID or name", "all rules, a line each", rulePage)
	add(classesURI, "classes", "one class", "the classes of workloads, and what each needs", s.classPage)
	add(factsURI, "facts", "one fact, by its number", "the facts that rules and messages cite, as (T7)", factPage)
}

func rulePage(_ context.Context, name string) (string, error) {
	known, err := engine.Rules()
	if err != nil {
		return "", err
	}
	if name == "" {
		return ruleList(known), nil
	}
	rule, err := lint.RuleNamed(known, name)
	if err != nil {
		return "", nil //nolint:nilerr // a name that is no rule is a resource that is not there
	}
	return rule.Page(), nil
}

func factPage(_ context.Context, number string) (string, error) {
	if number == "" {
		return facts.Index(), nil
	}
	text, _ := facts.Named(number)
	return text, nil
}

// classPage is the row of a class in the matrix, with the config's changes, or all rows.
func (s *server) classPage(ctx context.Context, name string) (string, error) {
	e, err := s.Engine(ctx)
	if err != nil {
		return "", err
	}
	value, err := e.Value(ctx, "data.headroom.config.settings.matrix")
	if err != nil {
		return "", err
	}
	matrix, _ := value.(map[string]any)
	var b strings.Builder
	b.WriteString("| class | requests.cpu is | limits.cpu is |\n|---|---|---|\n")
	for _, class := range slices.Sorted(maps.Keys(matrix)) {
		if row, _ := matrix[class].(map[string]any); name == "" || name == class {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", class, share(row["request"]), share(row["limit"]))
		}
	}
	if strings.Count(b.String(), "\n") == 2 {
		return "", nil
	}
	b.WriteString("\nThe annotation headroom.dev/workload-class on the pod template names the class; " +
		"class.headroom.dev/CONTAINER that of one container.\nWithout a class no rule of this table applies.\n")
	if text, ok := facts.Named("T15"); ok {
		b.WriteString("\n" + text)
	}
	return b.String(), nil
}

// share is a request or a limit of the matrix in words.
func share(value any) string {
	if times, ok := value.(map[string]any); ok {
		if factor, ok := times["timesAverage"].(float64); ok {
			return words.Plain(factor) + " times the average use"
		}
	}
	switch value {
	case "average":
		return "the average use"
	case "peak":
		return "the peak of the use"
	case "measured":
		return "what was measured"
	case "allocation":
		return "what the tenant is allotted"
	}
	return fmt.Sprint(value)
}
