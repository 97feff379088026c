package editor

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

// buffer is a file that the editor has open. The server's lock is for its fields, but for the last three, for which
// its place's is.
type buffer struct {
	uri, path string
	template  bool // of Helm, by the editor's word
	content   *content
	version   int
	dirty     bool
	cancel    context.CancelFunc // of its judgement, nil at rest
	place     *place

	judged *content         // what was judged
	found  []engine.Finding // of that, in the order of lines
	told   string           // the diagnostics that the editor has, as they were sent
}

// stale has a buffer judged anew. What is being worked out is of no use.
func (b *buffer) stale() {
	b.dirty = true
	if b.cancel != nil {
		b.cancel()
	}
}

// isConfig says whether a buffer is a headroom.yaml.
func (b *buffer) isConfig() bool { return filepath.Base(b.path) == settings.FileName }

func (s *server) buffer(uri string) *buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buffers[uri]
}

func (s *server) wake() {
	select {
	case s.work <- struct{}{}:
	default:
	}
}

func (s *server) opened(req *jsonrpc2.Request) {
	var p openParams
	path, ok := "", params(req.Params, &p)
	if ok {
		path, ok = pathOf(p.Document.URI)
	}
	if !ok || !readable(path) {
		return
	}
	s.mu.Lock()
	b := &buffer{uri: p.Document.URI, path: path, template: isTemplate(p.Document.LanguageID)}
	s.buffers[b.uri] = b
	s.set(b, newContent(p.Document.Text, s.encoding == utf8Encoding), p.Document.Version)
	s.mu.Unlock()
	s.wake()
}

// isTemplate says whether an editor's language is that of Helm's templates: values have one of their own, as yaml.helm-values.
func isTemplate(language string) bool {
	return strings.Contains(language, "helm") && !strings.Contains(language, "values")
}

// readable says whether headroom lint would read a file of that name.
func readable(path string) bool {
	switch filepath.Ext(path) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// set gives a buffer another text.
func (s *server) set(b *buffer, c *content, version int) {
	b.version, b.content = version, c
	b.stale()
}

func (s *server) changed(req *jsonrpc2.Request) {
	var p documentParams
	if !params(req.Params, &p) {
		return
	}
	s.mu.Lock()
	b := s.buffers[p.Document.URI]
	if b != nil {
		c := b.content
		for _, change := range p.Changes {
			if len(c.text)+len(change.Text) <= maxFrame { // beyond that nothing is kept
				c = c.changed(change)
			}
		}
		s.set(b, c, p.Document.Version)
	}
	s.mu.Unlock()
	s.wake()
}

func (s *server) closed(req *jsonrpc2.Request) {
	var p documentParams
	if !params(req.Params, &p) {
		return
	}
	s.mu.Lock()
	b := s.buffers[p.Document.URI]
	delete(s.buffers, p.Document.URI)
	s.mu.Unlock()
	if b == nil {
		return
	}
	_ = s.conn.Notify(s.ctx, "textDocument/publishDiagnostics", publishParams{URI: b.uri, Diagnostics: []diagnostic{}})
	s.lookAgain()
}

// saved has everything looked at again that is on the disk.
func (s *server) saved(*jsonrpc2.Request) { s.lookAgain() }

func (s *server) lookAgain() {
	s.mu.Lock()
	for _, p := range s.places {
		p.old.Store(true)
	}
	for _, b := range s.buffers {
		b.stale()
	}
	s.mu.Unlock()
	s.wake()
}
