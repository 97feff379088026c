package editor

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/headroom-dev/headroom/internal/allowance"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

const workload = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
  namespace: shop
spec:
  template:
    metadata:
      annotations:
        headroom.dev/workload-class: latency-sensitive
    spec:
      containers:
        - name: cart
          image: eclipse-temurin:21
          env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx400m}]
          command: [java, -jar, a.jar]
          resources:
            requests: {cpu: "1", memory: 1Gi}
            limits:
              cpu: 1500m
              memory: 1Gi
`

// client is an editor.
type client struct {
	t         *testing.T
	conn      *jsonrpc2.Conn
	dir       string
	published chan publishParams
	shown     chan string
	done      chan error
	clean     bool
}

func (c *client) Handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p publishParams
		_ = json.Unmarshal(*req.Params, &p)
		c.published <- p
	case "window/showMessage":
		c.shown <- string(*req.Params)
	}
}

func start(t *testing.T, capabilities string) *client {
	t.Helper()
	c := &client{
		t: t, dir: t.TempDir(), published: make(chan publishParams, 100), shown: make(chan string, 100), done: make(chan error, 1),
	}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	rules := func(folder string) (engine.Options, error) {
		if _, err := os.Stat(filepath.Join(folder, "broken")); err == nil {
			return engine.Options{}, io.ErrUnexpectedEOF
		}
		if _, err := os.Stat(filepath.Join(folder, "large")); err == nil {
			allowance.End("gave up at a.yaml")
		}
		return engine.Options{Now: 1795262400000000000}, nil
	}
	go func() {
		clean, err := Serve(context.Background(), toServer, fromServer, toServer.Close, Options{
			Rules: rules, Version: "v", Log: io.Discard, Source: source.Options{FolderCharts: &source.HelmChart{}},
		})
		c.clean = clean
		_ = fromServer.Close()
		c.done <- err
	}()
	c.conn = jsonrpc2.NewConn(context.Background(), newFrames(toClient, fromClient, fromClient.Close, func(string, ...any) {}), c,
		jsonrpc2.SetLogger(logger(func(string, ...any) {})))
	t.Cleanup(func() { _ = c.conn.Close() })
	c.call("initialize", `{"workspaceFolders":[{"uri":"`+uriOf(c.dir)+`"}],"capabilities":`+capabilities+`}`)
	c.notify("initialized", `{}`)
	return c
}

func (c *client) call(method, params string) json.RawMessage {
	c.t.Helper()
	var result json.RawMessage
	if err := c.conn.Call(context.Background(), method, json.RawMessage(params), &result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
	return result
}

func (c *client) notify(method, params string) {
	if err := c.conn.Notify(context.Background(), method, json.RawMessage(params)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) uri(name string) string { return uriOf(filepath.Join(c.dir, name)) }

func quoted(text string) string {
	q, _ := json.Marshal(text)
	return string(q)
}

func (c *client) open(name, text string) {
	c.notify("textDocument/didOpen", `{"textDocument":{"uri":`+quoted(c.uri(name))+`,"languageId":"yaml","version":1,"text":`+quoted(text)+`}}`)
}

func (c *client) change(name, text string) {
	c.notify("textDocument/didChange", `{"textDocument":{"uri":`+quoted(c.uri(name))+`,"version":2},"contentChanges":[{"text":`+quoted(text)+`}]}`)
}

// told waits for diagnostics of a file, and gives their codes.
func (c *client) told(name string) string {
	c.t.Helper()
	for {
		select {
		case p := <-c.published:
			if p.URI != c.uri(name) {
				continue
			}
			var codes []string
			for _, d := range p.Diagnostics {
				codes = append(codes, d.Code)
			}
			return strings.Join(codes, " ")
		case <-time.After(10 * time.Minute):
			c.t.Fatal("no diagnostics")
		}
	}
}

func at(uri string, line, character int) string {
	place, _ := json.Marshal(fields{"textDocument": fields{"uri": uri}, "position": position{line, character}})
	return string(place)
}

func TestAConversation(t *testing.T) {
	c := start(t, `{}`)
	c.open("a.yaml", workload)
	if codes := c.told("a.yaml"); !strings.Contains(codes, "HR202") {
		t.Errorf("opened: %s", codes)
	}
	var actions []codeAction
	whole := `{"textDocument":{"uri":` + quoted(c.uri("a.yaml")) + `},"range":{"start":{"line":19,"character":0},"end":{"line":19,"character":1}},"context":{}}`
	if err := json.Unmarshal(c.call("textDocument/codeAction", whole), &actions); err != nil || len(actions) != 4 {
		t.Fatalf("%v: %+v", err, actions)
	}
	for _, action := range actions {
		text := newContent(workload, false)
		edits := action.Edit.Changes[c.uri("a.yaml")]
		for i := len(edits) - 1; i >= 0; i-- {
			text = text.changed(contentChange{&edits[i].Range, edits[i].NewText})
		}
		after := strings.ReplaceAll(strings.ReplaceAll(text.text, `HR202: ""`, `HR202: "known"`), "ignore HR202 \n", "ignore HR202 known\n")
		c.change("a.yaml", after)
		if codes := c.told("a.yaml"); strings.Contains(codes, "HR202") || strings.Contains(codes, "HR106") {
			t.Errorf("%s: %s\n%s", action.Title, codes, after)
		}
		c.change("a.yaml", workload)
		c.told("a.yaml")
	}
	said := string(c.call("textDocument/hover", at(c.uri("a.yaml"), 19, 16)))
	for _, wanted := range []string{"latency-sensitive", "Memory budget", "2 at once", "-Xmx400m"} {
		if !strings.Contains(said, wanted) {
			t.Errorf("hover without %q: %s", wanted, said)
		}
	}
	if !strings.Contains(said, `"plaintext"`) || strings.Contains(said, "**") {
		t.Errorf("Markdown for a client that did not ask for it: %s", said)
	}
	if said := c.call("textDocument/hover", at(c.uri("a.yaml"), 1, 1)); string(said) != "null" {
		t.Errorf("hover on the kind: %s", said)
	}
	c.notify("textDocument/didClose", `{"textDocument":{"uri":`+quoted(c.uri("a.yaml"))+`}}`)
	if codes := c.told("a.yaml"); codes != "" {
		t.Errorf("closed: %s", codes)
	}
	c.call("shutdown", `null`)
	c.notify("exit", `null`)
	if err := <-c.done; err != nil || !c.clean {
		t.Errorf("the end: %v, %v", err, c.clean)
	}
}

// What stands in other files, open or saved, counts at once.
func TestOtherFiles(t *testing.T) {
	c := start(t, `{}`)
	flags := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flags, namespace: shop}\ndata: {JAVA_TOOL_OPTIONS: -Xmx%}\n"
	if err := os.WriteFile(filepath.Join(c.dir, "flags.yaml"), []byte(strings.Replace(flags, "%", "400m", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	c.open("a.yaml", strings.Replace(workload, "env: [{name: JAVA_TOOL_OPTIONS, value: -Xmx400m}]", "envFrom: [{configMapRef: {name: flags}}]", 1))
	if codes := c.told("a.yaml"); strings.Contains(codes, "HR303") || strings.Contains(codes, "HR406") {
		t.Errorf("with a heap of 400 MiB: %s", codes)
	}
	c.open("flags.yaml", strings.Replace(flags, "%", "900m", 1))
	if codes := c.told("a.yaml"); !strings.Contains(codes, "HR303") {
		t.Errorf("with a heap of 900 MiB in an open file: %s", codes)
	}
	c.notify("textDocument/didClose", `{"textDocument":{"uri":`+quoted(c.uri("flags.yaml"))+`}}`)
	if codes := c.told("a.yaml"); strings.Contains(codes, "HR303") {
		t.Errorf("with the saved file: %s", codes)
	}
}

func TestHoverInMarkdown(t *testing.T) {
	c := start(t, `{"textDocument":{"hover":{"contentFormat":["markdown","plaintext"]}}}`)
	c.open("a.yaml", workload)
	c.told("a.yaml")
	said := string(c.call("textDocument/hover", at(c.uri("a.yaml"), 19, 16)))
	if !strings.Contains(said, `"markdown"`) || !strings.Contains(said, "**Memory budget**") {
		t.Errorf("no Markdown: %s", said)
	}
}

func TestLeftAloneAndRefused(t *testing.T) {
	c := start(t, `{"general":{"positionEncodings":["utf-8"]}}`)
	for name, test := range map[string]struct{ text, codes string }{
		"template.yaml": {"a: {{ .Values.a }}\n  b\n", ""},
		"broken.yaml":   {"\n\na: b\nb: [\n", "unread"},
		"large.yaml":    {strings.Repeat("a", 9<<20), "unread"},
		"headroom.yaml": {"apiVersion: headroom.dev/v1alpha1\nkind: Config\nno: 1\n", "config"},
	} {
		c.open(name, "a: [\n")
		if codes := c.told(name); codes == "" {
			t.Errorf("%s: nothing is said of half an object", name)
		}
		c.change(name, test.text)
		if codes := c.told(name); codes != test.codes {
			t.Errorf("%s: %s, wanted %s", name, codes, test.codes)
		}
	}
}

func TestAConfigThatCannotBeRead(t *testing.T) {
	c := start(t, `{}`)
	if err := os.WriteFile(filepath.Join(c.dir, "broken"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.open("a.yaml", workload)
	if codes := c.told("a.yaml"); codes != "" {
		t.Error(codes)
	}
	if said := <-c.shown; !strings.Contains(said, "judges nothing here") {
		t.Error(said)
	}
}

// A folder that takes too much memory is told once and not read again; the server goes on.
func TestAFolderThatTakesTooMuch(t *testing.T) {
	c := start(t, `{}`)
	large := filepath.Join(c.dir, "large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.open("a.yaml", workload)
	if codes := c.told("a.yaml"); codes != "" {
		t.Error(codes)
	}
	if said := <-c.shown; !strings.Contains(said, "gave up at a.yaml") {
		t.Error(said)
	}
	if err := os.Remove(large); err != nil {
		t.Fatal(err)
	}
	if said := c.call("textDocument/hover", at(c.uri("a.yaml"), 12, 12)); string(said) != "null" {
		t.Errorf("it is judged again: %s", said)
	}
}

func TestWhatIsNotAsked(t *testing.T) {
	c := start(t, `{}`)
	failed := func(method, params string, code int64) {
		t.Helper()
		err := c.conn.Call(context.Background(), method, json.RawMessage(params), nil)
		if e, ok := err.(*jsonrpc2.Error); !ok || e.Code != code {
			t.Errorf("%s: %v, wanted %d", method, err, code)
		}
	}
	failed("initialize", `{}`, jsonrpc2.CodeInvalidRequest)
	failed("textDocument/rename", `{}`, jsonrpc2.CodeMethodNotFound)
	failed("textDocument/hover", `5`, jsonrpc2.CodeInvalidParams)
	for _, method := range []string{"textDocument/didOpen", "textDocument/didChange", "$/cancelRequest", "textDocument/didClose", "$/unknown"} {
		c.notify(method, `5`)
		c.notify(method, `{}`)
	}
	if found := c.call("textDocument/hover", at("file:///nowhere.yaml", 0, 0)); string(found) != "null" {
		t.Errorf("of a file that is not open: %s", found)
	}
	c.call("shutdown", `null`)
	failed("textDocument/hover", at("file:///nowhere.yaml", 0, 0), jsonrpc2.CodeInvalidRequest)
	_ = c.conn.Close()
	if <-c.done; c.clean {
		t.Error("an end without exit is clean")
	}
}

func TestCompletion(t *testing.T) {
	c := start(t, `{}`)
	config := "apiVersion: headroom.dev/v1alpha1\nkind: Config\ndefaultClass: \nignore:\n  - rules: [HR30]\n    re\nrules:\n  HR202:\n    severity: \n"
	for _, test := range []struct {
		name, text      string
		line, character int
		first           string
	}{
		{"a.yaml", strings.Replace(workload, "workload-class: latency-sensitive", "workload-class: la", 1), 9, 40, "latency-sensitive"},
		{"a.yaml", strings.Replace(workload, "headroom.dev/workload-class: latency-sensitive", "headroom.dev/w", 1), 9, 22, "headroom.dev/workload-class"},
		{"a.yaml", strings.Replace(workload, "headroom.dev/workload-class: latency-sensitive", "class.", 1), 9, 14, "class.headroom.dev/cart"},
		{"a.yaml", strings.Replace(workload, "headroom.dev/workload-class: latency-sensitive", "ignore.headroom.dev/HR30", 1), 9, 32, "ignore.headroom.dev/HR301"},
		{"a.yaml", strings.Replace(workload, "cpu: 1500m", "cpu: 1500m # headroom:ignore HR2", 1), 19, 46, "HR201"},
		{"a.yaml", strings.Replace(workload, "cpu: 1500m", "cpu: 1500m # he", 1), 19, 29, "headroom:ignore"},
		{"headroom.yaml", config, 2, 14, "batch"},
		{"headroom.yaml", config, 4, 16, "HR301"},
		{"headroom.yaml", config, 5, 6, "reason"},
		{"headroom.yaml", config, 7, 6, "HR201"},
		{"headroom.yaml", config, 8, 14, "off"},
	} {
		c.open(test.name, test.text)
		var list completionList
		if err := json.Unmarshal(c.call("textDocument/completion", at(c.uri(test.name), test.line, test.character)), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Items) == 0 || list.Items[0].Label != test.first {
			t.Errorf("%s:%d:%d: %+v, wanted %s first", test.name, test.line, test.character, list.Items, test.first)
		}
	}
}

// Findings of what a chart renders to stand at its values, and no action there speaks of the values' file.
func TestValuesOfAChart(t *testing.T) {
	c := start(t, `{}`)
	template := strings.Replace(workload, "              cpu: 1500m\n", "              cpu: {{ .Values.limit }}\n", 1)
	for name, text := range map[string]string{
		"cart/Chart.yaml": "apiVersion: v2\nname: cart\nversion: 0.1.0\n", "cart/values.yaml": "a: 1\nlimit: 1500m\n",
		"cart/templates/d.yaml": template,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(c.dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.open("cart/values.yaml", "a: 1\nlimit: 1500m\n")
	p := <-c.published
	if len(p.Diagnostics) == 0 || p.Diagnostics[0].Code != "HR202" || p.Diagnostics[0].Range.Start.Line != 1 ||
		!strings.Contains(p.Diagnostics[0].Message, "cart/templates/d.yaml, by this value") {
		t.Fatalf("%+v", p)
	}
	asked := `{"textDocument":{"uri":` + quoted(c.uri("cart/values.yaml")) + `},"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}},"context":{}}`
	if said := c.call("textDocument/codeAction", asked); string(said) != "null" {
		t.Errorf("actions: %s", said)
	}
	c.notify("textDocument/didOpen", `{"textDocument":{"uri":`+quoted(c.uri("cart/templates/d.yaml"))+
		`,"languageId":"helm","version":1,"text":`+quoted(template)+`}}`)
	c.change("cart/values.yaml", "a: 1\nlimit: 1500\n")
	if codes := c.told("cart/values.yaml"); strings.Contains(codes, "unread") {
		t.Errorf("%s", codes)
	}
}

func TestIsTemplate(t *testing.T) {
	for language, want := range map[string]bool{"helm": true, "helm-template": true, "yaml.helm-values": false, "yaml": false} {
		if isTemplate(language) != want {
			t.Errorf("%s: %v", language, !want)
		}
	}
}

// uriOf names a file.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
