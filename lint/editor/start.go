package editor

import (
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// How characters are counted.
const (
	utf8Encoding  = "utf-8"
	utf16Encoding = "utf-16"
)

// The kinds of text that a hover can have; a client says which it shows.
const (
	markdown  = "markdown"
	plaintext = "plaintext"
)

func (s *server) initialize(req *jsonrpc2.Request) (any, *jsonrpc2.Error) {
	var p initializeParams
	if !params(req.Params, &p) {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the parameters cannot be read"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started = true
	if slices.Contains(p.Capabilities.General.PositionEncodings, utf8Encoding) {
		s.encoding = utf8Encoding
	}
	s.markdown = slices.Contains(p.Capabilities.TextDocument.Hover.ContentFormat, markdown)
	s.watches = p.Capabilities.Workspace.WatchedFiles.DynamicRegistration
	if len(p.Folders) == 0 && p.RootURI != "" {
		p.Folders = []workspaceFolder{{URI: p.RootURI}}
	}
	for _, folder := range p.Folders {
		s.addRoot(folder.URI)
	}
	return fields{
		"capabilities": capabilities(s.encoding),
		"serverInfo":   fields{"name": "headroom", "version": s.options.Version},
	}, nil
}

func (s *server) addRoot(uri string) {
	if path, ok := pathOf(uri); ok && !slices.Contains(s.roots, path) {
		s.roots = append(s.roots, path)
	}
}

// moved takes other folders. What is open is judged anew, each file in the folder that it is in now.
func (s *server) moved(req *jsonrpc2.Request) {
	var p foldersChanged
	if !params(req.Params, &p) {
		return
	}
	s.mu.Lock()
	for _, folder := range p.Event.Removed {
		if path, ok := pathOf(folder.URI); ok {
			s.roots = slices.DeleteFunc(s.roots, func(root string) bool { return root == path })
		}
	}
	for _, folder := range p.Event.Added {
		s.addRoot(folder.URI)
	}
	s.places = map[string]*place{}
	for _, b := range s.buffers {
		b.place = nil
		b.stale()
	}
	s.mu.Unlock()
	s.wake()
}

// watch asks to be told of files that change, where the editor can do so.
func (s *server) watch() {
	s.mu.Lock()
	watches := s.watches
	s.mu.Unlock()
	if !watches {
		return
	}
	patterns := []fields{}
	for _, name := range []string{"**/*.yaml", "**/*.yml", "**/*.json"} {
		patterns = append(patterns, fields{"globPattern": name})
	}
	go func() { // the answer comes through the stream that this would hold up
		_ = s.conn.Call(s.ctx, "client/registerCapability", fields{"registrations": []fields{{
			"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": fields{"watchers": patterns},
		}}}, nil) // an editor that does not is asked no more: files are looked at now and then
	}()
}

// rootOf is the folder that a file is judged in, the innermost of the editor's; else the file alone.
func (s *server) rootOf(path string) string {
	found := ""
	for _, root := range s.roots {
		if below, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(below) && len(root) > len(found) {
			found = root
		}
	}
	if found == "" {
		return path
	}
	return found
}

// pathOf is the file that a URI names.
func pathOf(uri string) (string, bool) {
	parsed, err := url.Parse(uri)
	if err != nil || parsed.Scheme != "file" || parsed.Host != "" && parsed.Host != "localhost" || parsed.Path == "" {
		return "", false
	}
	path := parsed.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.Clean(filepath.FromSlash(path)), true
}
