package editor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Options say how files are judged.
type Options struct {
	// Rules gives the config and the lock of images for a folder.
	Rules func(folder string) (engine.Options, error)
	// Source says how files are read, as headroom lint reads them.
	Source source.Options
	// Version is headroom's.
	Version string
	// Log is where messages go that no editor shows.
	Log io.Writer
}

// Codes of the Language Server Protocol.
const (
	codeNotInitialized = -32002
	codeCancelled      = -32800
)

// server is one conversation with an editor.
type server struct {
	options Options
	conn    *jsonrpc2.Conn
	out     *frames // below conn, for what is encoded already
	ctx     context.Context
	work    chan struct{} // has one where something is to be judged
	logMu   sync.Mutex

	mu       sync.Mutex
	started  bool // initialize was asked
	ended    bool // shutdown was asked
	exited   bool // exit was said
	markdown bool // the client shows it in a hover
	watches  bool // the editor tells of files that change, if asked to
	encoding string
	roots    []string
	places   map[string]*place  // folders and files that are judged, by root
	buffers  map[string]*buffer // by URI
	running  map[jsonrpc2.ID]context.CancelFunc
}

// Serve speaks with an editor until it says exit, or the stream or the context ends. clean says that shutdown was
// asked before, as it should be.
func Serve(ctx context.Context, in io.Reader, out io.Writer, closing func() error, o Options) (clean bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		options: o, ctx: ctx, work: make(chan struct{}, 1), encoding: utf16Encoding,
		places: map[string]*place{}, buffers: map[string]*buffer{}, running: map[jsonrpc2.ID]context.CancelFunc{},
	}
	failed := make(chan error, 1)
	s.out = newFrames(in, out, closing, s.log)
	stream := watched{s.out, failed}
	quiet := jsonrpc2.SetLogger(logger(s.log))
	s.mu.Lock()
	s.conn = jsonrpc2.NewConn(ctx, stream, s, quiet)
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.judgeAll()
	}()
	<-s.conn.DisconnectNotify()
	cancel()
	<-done
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case err = <-failed:
	default:
	}
	return s.ended && s.exited, err
}

// watched keeps why a stream ended, which jsonrpc2 only logs.
type watched struct {
	*frames
	failed chan error
}

func (w watched) ReadObject(v any) error {
	err := w.frames.ReadObject(v)
	if errors.Is(err, errHeader) {
		select {
		case w.failed <- err:
		default:
		}
		return io.EOF
	}
	return err
}

type logger func(format string, args ...any)

func (l logger) Printf(format string, args ...any) { l(format, args...) }

func (s *server) log(format string, args ...any) {
	s.logMu.Lock()
	defer s.logMu.Unlock()
	_, _ = fmt.Fprintf(s.options.Log, "headroom: "+format+"\n", args...)
}

// Handle takes messages one after the other. Notifications change what is open at once; requests are answered beside.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	s.mu.Lock()
	s.conn = conn
	s.mu.Unlock()
	if req.Notif {
		s.guard(req.Method, func() { s.notified(req) })
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.running[req.ID] = cancel
	s.mu.Unlock()
	answer := func() {
		defer func() {
			s.mu.Lock()
			delete(s.running, req.ID)
			s.mu.Unlock()
			cancel()
		}()
		s.answer(ctx, req)
	}
	if req.Method == "initialize" || req.Method == "shutdown" { // what follows rests on these
		answer()
		return
	}
	go answer()
}

// guard keeps a bug of ours from ending the conversation.
func (s *server) guard(what string, do func()) (broken bool) {
	defer func() {
		if r := recover(); r != nil {
			broken = true
			s.log("internal: %s failed, which is a bug in headroom; please report it: %v\n%s", what, r, debug.Stack())
		}
	}()
	do()
	return false
}

func (s *server) answer(ctx context.Context, req *jsonrpc2.Request) {
	var result any
	var failure *jsonrpc2.Error
	if s.guard(req.Method, func() { result, failure = s.asked(ctx, req) }) {
		failure = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "a bug in headroom; its log tells more"}
	}
	if ctx.Err() != nil && s.ctx.Err() == nil {
		failure = &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"}
	}
	response := &jsonrpc2.Response{ID: req.ID, Error: failure}
	if failure == nil {
		if err := response.SetResult(result); err != nil {
			response.Error = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
		}
	}
	_ = s.conn.SendResponse(ctx, response) // the editor may be gone
}

// asked answers a request.
func (s *server) asked(ctx context.Context, req *jsonrpc2.Request) (any, *jsonrpc2.Error) {
	s.mu.Lock()
	started, ended := s.started, s.ended
	s.mu.Unlock()
	switch {
	case req.Method == "initialize" && started, ended:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: req.Method + " is not asked for now"}
	case req.Method == "initialize":
		return s.initialize(req)
	case !started:
		return nil, &jsonrpc2.Error{Code: codeNotInitialized, Message: "initialize comes first"}
	}
	var p documentParams
	switch req.Method {
	case "shutdown":
		s.mu.Lock()
		s.ended = true
		s.mu.Unlock()
		return nil, nil
	case "textDocument/hover", "textDocument/codeAction", "textDocument/completion":
		if !params(req.Params, &p) {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "the parameters cannot be read"}
		}
	default:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "headroom has no " + req.Method}
	}
	b := s.buffer(p.Document.URI)
	if b == nil {
		return nil, nil
	}
	switch req.Method {
	case "textDocument/hover":
		return s.hover(ctx, b, p.Position), nil
	case "textDocument/codeAction":
		return s.actions(ctx, b, p), nil
	default:
		return s.complete(ctx, b, p.Position), nil
	}
}

// notified takes what the editor says without asking.
func (s *server) notified(req *jsonrpc2.Request) {
	s.mu.Lock()
	started := s.started
	s.mu.Unlock()
	if req.Method == "exit" {
		s.mu.Lock()
		s.exited = true
		s.mu.Unlock()
		_ = s.conn.Close() // ends the conversation
		return
	}
	if !started {
		return
	}
	switch req.Method {
	case "initialized":
		s.watch()
	case "$/cancelRequest":
		s.cancelled(req)
	case "textDocument/didOpen":
		s.opened(req)
	case "textDocument/didChange":
		s.changed(req)
	case "textDocument/didClose":
		s.closed(req)
	case "textDocument/didSave", "workspace/didChangeWatchedFiles":
		s.saved(req)
	case "workspace/didChangeWorkspaceFolders":
		s.moved(req)
	}
}

func (s *server) cancelled(req *jsonrpc2.Request) {
	var p struct {
		ID jsonrpc2.ID `json:"id"`
	}
	if !params(req.Params, &p) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[p.ID]; cancel != nil {
		cancel()
	}
}
