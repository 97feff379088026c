//go:build integration

// Package editor_test drives headroom lsp as editors do: as a client of the protocol, and in a real Neovim.
package editor_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

var headroom string

func TestMain(m *testing.M) { os.Exit(program.Main(m, &headroom)) }

// pipe is both ends of a process.
type pipe struct {
	io.Reader
	io.WriteCloser
}

type published struct {
	URI         string `json:"uri"`
	Diagnostics []struct {
		Code  string `json:"code"`
		Range struct {
			Start struct {
				Line int `json:"line"`
			} `json:"start"`
		} `json:"range"`
	} `json:"diagnostics"`
}

// session is a process, and the client that speaks with it, with the library's own codec.
type session struct {
	t         *testing.T
	command   *exec.Cmd
	conn      *jsonrpc2.Conn
	published chan published
}

func (s *session) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	switch {
	case req.Method == "textDocument/publishDiagnostics":
		var p published
		if json.Unmarshal(*req.Params, &p) == nil {
			s.published <- p
		}
	case !req.Notif:
		_ = conn.Reply(ctx, req.ID, nil)
	}
}

func start(t *testing.T, dir string) *session {
	t.Helper()
	s := &session{t: t, command: exec.CommandContext(t.Context(), headroom, "lsp"), published: make(chan published, 100)}
	s.command.Dir, s.command.Stderr = dir, os.Stderr
	in, err := s.command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	s.conn = jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(pipe{out, in}, jsonrpc2.VSCodeObjectCodec{}), s)
	return s
}

func (s *session) call(method string, params any) json.RawMessage {
	s.t.Helper()
	var result json.RawMessage
	if err := s.conn.Call(s.t.Context(), method, params, &result); err != nil {
		s.t.Fatalf("%s: %v", method, err)
	}
	return result
}

func (s *session) notify(method string, params any) {
	if err := s.conn.Notify(s.t.Context(), method, params); err != nil {
		s.t.Fatal(err)
	}
}

type object = map[string]any

// TestClient has the findings of headroom lint for each file, before and after an edit, and ends as the protocol wants.
func TestClient(t *testing.T) {
	dir := t.TempDir()
	program.Write(t, dir, map[string]string{
		"a.yaml": program.Limited, "b/c.yaml": program.Sound, ".git/x": "",
		"headroom.yaml": "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrules: {HR301: {severity: info}}\n",
	})
	s := start(t, dir)
	s.call("initialize", object{
		"workspaceFolders": []object{{"uri": "file://" + dir}},
		"capabilities":     object{"workspace": object{"didChangeWatchedFiles": object{"dynamicRegistration": true}}},
	})
	s.notify("initialized", object{})
	uri := "file://" + filepath.Join(dir, "a.yaml")
	s.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "yaml", "version": 1, "text": program.Limited}})
	sameAsLint(t, dir, "a.yaml", (<-s.published).places())
	s.notify("textDocument/didChange", object{"textDocument": object{"uri": uri, "version": 2}, "contentChanges": []object{{"text": "\n" + program.Sound}}})
	told := <-s.published
	program.Write(t, dir, map[string]string{"a.yaml": "\n" + program.Sound})
	sameAsLint(t, dir, "a.yaml", told.places())
	s.call("shutdown", nil)
	s.notify("exit", nil)
	if err := s.command.Wait(); err != nil {
		t.Errorf("after shutdown and exit: %v", err)
	}
}

// places are the rules and the lines, from 1, sorted.
func (p published) places() []string {
	var all []string
	for _, d := range p.Diagnostics {
		line, _ := json.Marshal(d.Range.Start.Line + 1)
		all = append(all, d.Code+" "+string(line))
	}
	slices.Sort(all)
	return all
}

func sameAsLint(t *testing.T, dir, file string, got []string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), headroom, "lint", ".", "-o", "json")
	command.Dir = dir
	said, _, _ := program.Run(t, command)
	var report struct {
		Findings []struct {
			Rule string `json:"rule"`
			File string `json:"file"`
			Line int    `json:"line"`
		} `json:"findings"`
	}
	if err := json.Unmarshal([]byte(said), &report); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var want []string
	for _, f := range report.Findings {
		if f.File == file {
			line, _ := json.Marshal(f.Line)
			want = append(want, f.Rule+" "+string(line))
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, headroom lint has %q", got, want)
	}
}

// TestEnds has the exit codes: 1 without shutdown, 2 for what does not speak the protocol.
func TestEnds(t *testing.T) {
	for said, want := range map[string]int{"": 1, "GET / HTTP/1.1\r\n\r\n": 2, "Content-Length: 4\r\n\r\nnull": 1} {
		command := exec.CommandContext(t.Context(), headroom, "lsp")
		command.Stdin = strings.NewReader(said)
		if _, stderr, code := program.Run(t, command); code != want {
			t.Errorf("%q: exit code %d, wanted %d: %s", said, code, want, stderr)
		}
	}
}

// TestNeovim opens a file in a real Neovim with the settings of docs/editors.md, and fixes it there.
func TestNeovim(t *testing.T) {
	nvim := repo.Path(".tools/neovim/nvim")
	if _, err := os.Stat(nvim); err != nil {
		t.Skip("no Neovim: make neovim found none and could unpack none here")
	}
	dir := t.TempDir()
	counted := strings.NewReplacer("- name: app\n", "- name: app\n          command: [java, -XX:ActiveProcessorCount=2, -Xmx300m, -jar, a.jar]\n")
	program.Write(t, dir, map[string]string{"a.yaml": counted.Replace(program.Limited), ".git/x": "", "init.lua": settingsOf(t), "drive.lua": drive})
	command := exec.CommandContext(t.Context(), nvim, "--headless", "-u", "init.lua", "a.yaml", "-c", "luafile drive.lua")
	command.Dir = dir
	command.Env = append(os.Environ(), "PATH="+filepath.Dir(headroom)+":"+os.Getenv("PATH"), "HOME="+dir, "XDG_STATE_HOME="+dir)
	said, stderr, code := program.Run(t, command)
	said += stderr
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	for _, wanted := range []string{"found HR202 14", "hover latency-sensitive", "action Fix HR202 latency-cpu-limit", "left 0"} {
		if !strings.Contains(said, wanted) {
			t.Errorf("no %q in %s", wanted, said)
		}
	}
	after, err := os.ReadFile(filepath.Join(dir, "a.yaml"))
	if err != nil || string(after) != counted.Replace(program.Sound) {
		t.Errorf("%v: the file is\n%s", err, after)
	}
}

// settingsOf are those for Neovim from 0.7 on, as the page has them.
func settingsOf(t *testing.T) string {
	page, err := os.ReadFile(repo.Path("docs/editors.md"))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "```lua\n")
	if len(parts) != 3 {
		t.Fatalf("docs/editors.md has %d blocks of Lua", len(parts)-1)
	}
	settings, _, _ := strings.Cut(parts[2], "```")
	return "vim.o.swapfile = false\n" + settings
}

// drive waits for findings, asks for a hover and for actions, makes the fix, and waits until the finding is gone.
const drive = `
local said = {}
local function ask(method, more)
  local params = vim.tbl_extend("force", {
    textDocument = vim.lsp.util.make_text_document_params(),
  }, more)
  local answers = vim.lsp.buf_request_sync(0, method, params, 600000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end
local function codes(code)
  return vim.tbl_filter(function(d) return d.code == code end, vim.diagnostic.get(0))
end
vim.wait(120000, function() return #codes("HR202") > 0 end, 50)
for _, d in ipairs(codes("HR202")) do
  print("found " .. d.code .. " " .. (d.lnum + 1) .. "\n")
end
local at = { line = 13, character = 20 }
local hover = ask("textDocument/hover", { position = at })
print("hover " .. (hover.contents.value:find("latency%-sensitive") and "latency-sensitive" or hover.contents.value) .. "\n")
local actions = ask("textDocument/codeAction", { range = { start = at, ["end"] = at }, context = { diagnostics = {} } })
for _, action in ipairs(actions) do
  print("action " .. action.title .. "\n")
  if action.isPreferred then
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
  end
end
vim.wait(120000, function() return #codes("HR202") == 0 end, 50)
print("left " .. #codes("HR202") .. "\n")
vim.cmd("silent write")
vim.cmd("qall!")
`
