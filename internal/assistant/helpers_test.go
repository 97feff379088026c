package assistant_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/headroom-dev/headroom/internal/assistant"
	"github.com/headroom-dev/headroom/policies/engine"
)

// deployment is a workload with one certain error, and what HR202's fix changes.
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop}
spec:
  template:
    metadata:
      annotations: {headroom.dev/workload-class: latency-sensitive, runtime.headroom.dev/app: node}
    spec:
      containers:
        - name: app
          image: node:22
          resources:
            requests: {cpu: "1", memory: 1Gi}
            limits:
              cpu: "2"
              memory: 1Gi
`

// write puts files into a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// connect starts a server for a folder, which becomes the working directory, and a client of it.
func connect(t *testing.T, dir string, change ...func(*assistant.Options)) *mcp.ClientSession {
	t.Helper()
	t.Chdir(dir)
	root, err := os.OpenRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	e, err := engine.New(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := assistant.Options{
		Version: "test", Root: root, Engine: func(context.Context) (*engine.Engine, error) { return e, nil },
	}
	for _, c := range change {
		c(&o)
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := assistant.New(o).Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

type arguments map[string]any

// call calls a tool; failed is true where the answer is an error.
func call(t *testing.T, session *mcp.ClientSession, tool string, with arguments) (text string, failed bool) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: with})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, with, err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s: %d contents", tool, len(result.Content))
	}
	text = result.Content[0].(*mcp.TextContent).Text
	if len(text) > assistant.AnswerBytes {
		t.Errorf("%s: an answer of %d bytes", tool, len(text))
	}
	return text, result.IsError
}

// answer is an answer that is no error.
func answer(t *testing.T, session *mcp.ClientSession, tool string, with arguments) string {
	t.Helper()
	text, failed := call(t, session, tool, with)
	if failed {
		t.Fatalf("%s %v: %s", tool, with, text)
	}
	return text
}

// has checks that an answer has some texts, in that order.
func has(t *testing.T, text string, wanted ...string) {
	t.Helper()
	rest := text
	for _, part := range wanted {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Errorf("no %q, or not in its place, in\n%s", part, text)
			return
		}
		rest = after
	}
}
