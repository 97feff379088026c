// Package assistant serves what headroom knows to programs that speak the Model Context Protocol: assistants that
// write and review manifests. It reads; nothing is written, to no file and no cluster.
package assistant

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/headroom-dev/headroom/internal/allowance"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Bounds of what is read and said, in bytes. An answer takes room in a model's context, where 16 KiB are some
// 4000 tokens.
const (
	AnswerBytes   = 16 << 10
	ManifestBytes = 1 << 20
)

// Options say what a server may read, and how it judges.
type Options struct {
	Version string
	// Root is the folder that paths of tools are below, and it has to be the working directory, as charts are rendered
	// from there.
	Root *os.Root
	// Engine gives the policies, with the config as it now is. It is called from any goroutine.
	Engine func(context.Context) (*engine.Engine, error)
	// Cluster is nil where no cluster may be asked.
	Cluster *Cluster
	// Patience is how long one call may work; zero is for ever.
	Patience time.Duration
}

// instructions tell an assistant what the server is for; clients put them in front of a model.
const instructions = `headroom judges the CPU and memory settings of Kubernetes workloads: requests, limits, JVM flags, worker pools.
Call lint on a manifest that you write or change, before you show it. Call fix for the changes that are safe, as a diff;
apply the diff yourself. Call explain for the arithmetic of one workload. A number that headroom does not give was not
measured: do not make one up, tell the user what to measure. Nothing is ever written, to no file and no cluster.`

// server carries what the tools share.
type server struct {
	Options
	turns chan struct{} // one for each call that works at the same time
}

// New makes a server with all tools and resources; those of a cluster only where there is one.
func New(o Options) *mcp.Server {
	s := &server{Options: o, turns: make(chan struct{}, runtime.GOMAXPROCS(0))}
	m := mcp.NewServer(&mcp.Implementation{Name: "headroom", Title: "headroom", Version: o.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}})
	s.tools(m)
	s.resources(m)
	return m
}

// tool adds one that reads; open where it asks what is outside of this machine.
func tool[In any](s *server, m *mcp.Server, name, title, description string, open bool,
	answer func(context.Context, In) (string, error),
) {
	about := &mcp.Tool{Name: name, Title: title, Description: description, InputSchema: schemaOf[In](), Annotations: &mcp.ToolAnnotations{
		Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &open,
	}}
	mcp.AddTool(m, about, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		text, err := s.inTurn(ctx, func(ctx context.Context) (string, error) { return answer(ctx, in) })
		result := &mcp.CallToolResult{}
		if err != nil {
			text, result.IsError = terminal.Lines(words.WithoutGo(err.Error())), true
		}
		result.Content = []mcp.Content{&mcp.TextContent{Text: bounded(text)}}
		return result, nil, nil
	})
}

// schemaOf describes the arguments of a tool. A list may be left out and is never null: clients that know one type for
// each argument would refuse the tool.
func schemaOf[In any]() *jsonschema.Schema {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // our own type
	}
	for _, argument := range schema.Properties {
		if slices.Contains(argument.Types, "array") {
			argument.Type, argument.Types = "array", nil
		}
	}
	return schema
}

// inTurn lets as many calls work at a time as there are processors: each may have megabytes of manifests alive. Calls
// that take too much memory together, or one that takes too long, are ended, and say so.
func (s *server) inTurn(ctx context.Context, work func(context.Context) (string, error)) (string, error) {
	select {
	case s.turns <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() {
		if len(s.turns) == 1 { // no other call holds what was read
			source.Forget()
		}
		<-s.turns
	}()
	within, done := allowance.Begin(ctx)
	tooLong := allowance.TooMuch(fmt.Sprintf("ended after %v; ask for less: one file, a smaller folder or one namespace", s.Patience))
	if s.Patience > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeoutCause(within, s.Patience, tooLong)
		defer cancel()
	}
	text, err := work(within)
	if ended := done(); ended != nil {
		return "", ended
	}
	if errors.Is(context.Cause(within), tooLong) {
		return "", tooLong
	}
	return text, err
}
