//go:build integration

// Package assistant drives `headroom mcp` as an assistant's client does: a process, spoken to over its standard input
// and output.
package assistant

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/headroom-dev/headroom/internal/assistant"
	"github.com/headroom-dev/headroom/tests/harness/apitest"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

var binary string

func TestMain(m *testing.M) { os.Exit(program.Main(m, &binary)) }

// connect starts the program and a client of it.
func connect(t *testing.T, arguments ...string) *mcp.ClientSession {
	t.Helper()
	command := exec.Command(binary, append([]string{"mcp"}, arguments...)...)
	command.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the end of the server: %v", err)
		}
	})
	return session
}

func call(t *testing.T, session *mcp.ClientSession, tool string, with map[string]any) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: with})
	if err != nil {
		t.Fatal(err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		t.Fatalf("%s: %s", tool, text)
	}
	if len(text) > assistant.AnswerBytes {
		t.Errorf("%s: %d bytes", tool, len(text))
	}
	return text
}

// TestDiffApplies lints a folder, gives the diff to git, and lints again.
func TestDiffApplies(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(program.Limited, "latency-sensitive}", "latency-sensitive, runtime.headroom.dev/app: node}", 1)
	program.Write(t, dir, map[string]string{"deploy/cart.yaml": text})
	session := connect(t, "--root", dir)
	if text := call(t, session, "lint", map[string]any{"path": "deploy"}); !strings.Contains(text, "1. error HR202") {
		t.Fatal(text)
	}
	diff, _, _ := strings.Cut(call(t, session, "fix", map[string]any{"path": "deploy"}), "\n\n")
	if now, err := os.ReadFile(filepath.Join(dir, "deploy", "cart.yaml")); err != nil || string(now) != text {
		t.Fatalf("fix wrote the file: %v", err)
	}
	apply := exec.Command("git", "apply", "--unidiff-zero", "-")
	apply.Dir, apply.Stdin = dir, strings.NewReader(diff+"\n")
	if out, err := apply.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, diff)
	}
	if text := call(t, session, "lint", map[string]any{"path": "deploy"}); strings.Contains(text, "HR202") {
		t.Error(text)
	}
}

// raw is a server that is sent bytes. It gives what it answers until one line has a text, or until it ends.
func raw(t *testing.T, sent, until string) (stdout, stderr string) {
	t.Helper()
	command := exec.Command(binary, "mcp", "--root", t.TempDir())
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said, got bytes.Buffer
	command.Stderr = &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.WriteString(in, sent) // a server that has ended takes no more
		if until == "" {
			_ = in.Close()
		}
	}()
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadString('\n')
		got.WriteString(line)
		if err != nil || until != "" && strings.Contains(line, until) {
			break
		}
	}
	_ = in.Close()
	_ = command.Wait() // how it ends is up to what it was sent
	return got.String(), said.String()
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
	`"clientInfo":{"name":"raw","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// TestFrames sends what is no protocol. The server ends or answers an error; it says nothing else on standard output.
func TestFrames(t *testing.T) {
	large := strings.Repeat("a", 20<<20)
	for name, c := range map[string]struct {
		sent   string
		answer string // what standard output has
	}{
		"nothing":           {"", ""},
		"the end":           {hello, `"id":1,"result"`},
		"no JSON":           {hello + "GET / HTTP/1.1\n", ""},
		"half a frame":      {hello + `{"jsonrpc":"2.0","id":2,"meth`, ""},
		"another version":   {hello + `{"jsonrpc":"1.0","id":2,"method":"ping"}` + "\n", ""},
		"an unknown method": {hello + `{"jsonrpc":"2.0","id":2,"method":"shell/run","params":{}}` + "\n", `"id":2,"error"`},
		"an unknown tool":   {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write","arguments":{}}}` + "\n", `"id":2,"error"`},
		"no arguments":      {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lint"}}` + "\n", `"isError":true`},
		"wrong arguments":   {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lint","arguments":{"path":7}}}` + "\n", `"id":2`},
		"a frame of 20 MiB": {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lint","arguments":{"manifest":"` + large + `"}}}` + "\n", ""},
		"2 MiB of manifest": {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lint","arguments":{"manifest":"` + large[:2<<20] + `"}}}` + "\n", "at most 1048576 are read"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr := raw(t, c.sent, c.answer)
			if !strings.Contains(stdout, c.answer) || strings.Contains(stderr, "panic") || strings.Contains(stderr, "goroutine ") {
				t.Errorf("%.900q, %.500q", stdout, stderr)
			}
			for decoder := json.NewDecoder(strings.NewReader(stdout)); ; {
				var message struct{ JSONRPC string }
				err := decoder.Decode(&message)
				if err == io.EOF {
					break
				}
				if err != nil || message.JSONRPC != "2.0" {
					t.Fatalf("standard output has what is no message: %v in %.500q", err, stdout)
				}
			}
		})
	}
}

// TestCancelledAndAtOnce gives up every other of many calls; the rest is answered, each with its own file.
func TestCancelledAndAtOnce(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		program.Write(t, dir, map[string]string{
			fmt.Sprintf("%d.yaml", i): strings.Replace(program.Limited, "name: cart", fmt.Sprintf("name: cart%d-", i), 1),
		})
	}
	session := connect(t, "--root", dir)
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%2 == 1 {
				cancel()
			}
			result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "lint", Arguments: map[string]any{"path": fmt.Sprintf("%d.yaml", i)}})
			if i%2 == 1 {
				return
			}
			if err != nil || !strings.Contains(result.Content[0].(*mcp.TextContent).Text, fmt.Sprintf("cart%d-", i)) {
				t.Errorf("%d: %v, %+v", i, err, result)
			}
		})
	}
	wait.Wait()
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestConfigChanges edits headroom.yaml while the server runs.
func TestConfigChanges(t *testing.T) {
	dir := t.TempDir()
	program.Write(t, dir, map[string]string{"cart.yaml": program.Limited})
	session := connect(t, "--root", dir)
	lint := func() string { return call(t, session, "lint", map[string]any{"path": "cart.yaml"}) }
	if text := lint(); !strings.Contains(text, "HR202") {
		t.Fatal(text)
	}
	program.Write(t, dir, map[string]string{"headroom.yaml": `apiVersion: headroom.dev/v1alpha1
kind: Config
rules: {HR202: {severity: "off"}}
`})
	if text := lint(); strings.Contains(text, "HR202") {
		t.Error(text)
	}
}

// TestStart has flags that do not fit.
func TestStart(t *testing.T) {
	for _, c := range []struct {
		flags []string
		said  string
	}{
		{[]string{"--root", "absent"}, "--root absent: no such file or folder"},
		{[]string{"--root", binary}, "--root " + binary},
		{[]string{"--prometheus", "http://localhost:1"}, "give --kubeconfig or --context"},
		{[]string{"--kubeconfig", "absent"}, "kubeconfig"},
		{[]string{"extra"}, "extra"},
	} {
		stdout, stderr, code := program.Run(t, exec.Command(binary, append([]string{"mcp"}, c.flags...)...))
		if code != 2 || stdout != "" || !strings.Contains(stderr, c.said) {
			t.Errorf("%q: code %d, %q, %q", c.flags, code, stdout, stderr)
		}
	}
}

// TestCluster judges and explains what runs in a real API server.
func TestCluster(t *testing.T) {
	server := apitest.New(t)
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, server.KubeConfig, 0o600); err != nil {
		t.Fatal(err)
	}
	apply := exec.Command(program.Tool(t, "kubectl"), "--kubeconfig", kubeconfig, "apply", "-f", "-")
	apply.Stdin = bytes.NewReader([]byte(live))
	if out, err := apply.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	session := connect(t, "--root", t.TempDir(), "--kubeconfig", kubeconfig)
	for _, c := range []struct {
		tool string
		with map[string]any
		has  string
	}{
		{"audit", map[string]any{"namespace": "default"}, "1. error HR202 latency-cpu-limit"},
		{"audit", map[string]any{"all_namespaces": true, "selector": "app=other"}, "no workload"},
		{"explain", map[string]any{"namespace": "default", "workload": "deploy/cart"}, "class    latency-sensitive"},
	} {
		text := call(t, session, c.tool, c.with)
		if !strings.Contains(text, c.has) || strings.Contains(text, "canary") {
			t.Errorf("%s: %s", c.tool, text)
		}
	}
}

const live = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart}
spec:
  selector: {matchLabels: {app: cart}}
  template:
    metadata:
      labels: {app: cart}
      annotations: {headroom.dev/workload-class: latency-sensitive}
    spec:
      containers:
        - name: app
          image: node:22
          env: [{name: TOKEN, value: canary}]
          resources:
            requests: {cpu: "1", memory: 1Gi}
            limits: {cpu: "2", memory: 1Gi}
`
