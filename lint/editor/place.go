package editor

import (
	"context"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/headroom-dev/headroom/internal/allowance"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

// lookInterval is after which time a folder is looked at again where the editor does not say that files change.
const lookInterval = 5 * time.Second

// place is a folder of the editor's, or a file that is in none, and what judges there.
type place struct {
	root string
	old  atomic.Bool // the disk is to be looked at

	mu     sync.Mutex
	rules  engine.Options
	engine *engine.Engine
	folder *lint.Folder
	open   map[string]*content // what the folder has of the editor's files
	failed string              // why nothing is judged, as it was told
	ended  error               // that it takes too much memory
}

// placeOf is where a buffer is judged. The server is locked.
func (s *server) placeOf(b *buffer) *place {
	if b.place == nil {
		root := s.rootOf(b.path)
		if s.places[root] == nil {
			s.places[root] = &place{root: root, open: map[string]*content{}}
			s.places[root].old.Store(true)
		}
		b.place = s.places[root]
	}
	return b.place
}

// alone says that no folder of the editor's has the file.
func (p *place) alone(b *buffer) bool { return p.root == b.path }

// ready reads the config, and looks at the folder, where that is due. The place is locked.
func (s *server) ready(ctx context.Context, p *place, b *buffer) error {
	if p.folder != nil && !p.old.Load() {
		return nil
	}
	p.old.Store(false)
	dir := p.root
	if p.alone(b) {
		dir = filepath.Dir(p.root)
	}
	rules, err := s.options.Rules(dir)
	if err != nil {
		p.folder = nil
		p.old.Store(true)
		return err
	}
	if p.folder == nil || !reflect.DeepEqual(rules, p.rules) {
		if p.engine, err = engine.New(ctx, rules); err != nil {
			return err
		}
		options := s.options.Source
		if p.alone(b) {
			options.FolderCharts = nil
		}
		p.rules, p.folder, p.open = rules, lint.NewFolder(p.engine, []string{p.root}, options), map[string]*content{}
	}
	_, err = p.folder.Look(ctx)
	return err
}

// give hands the folder what the editor has, and takes back what it has no longer. The place is locked.
func (s *server) give(p *place) {
	s.mu.Lock()
	open := map[string]*content{}
	for _, b := range s.buffers {
		if b.place == p && !b.template && int64(len(b.content.text)) <= s.options.Source.MaxBytes() {
			open[nameOf(b)] = b.content
		}
	}
	s.mu.Unlock()
	for name := range p.open {
		if open[name] == nil {
			p.folder.Close(name)
		}
	}
	for name, c := range open {
		if p.open[name] != c {
			p.folder.Open(name, []byte(c.text))
		}
	}
	p.open = open
}

// nameOf is a buffer's file as the folder names it.
func nameOf(b *buffer) string { return filepath.ToSlash(b.path) }

// judge judges a buffer as it is now. The place is locked. There is no report of what headroom lint would not judge.
func (s *server) judge(ctx context.Context, p *place, b *buffer) (*content, *report.Report, error) {
	if p.ended != nil { // it would again
		return nil, nil, p.ended
	}
	within, done := allowance.Begin(ctx)
	c, found, err := s.judgeNow(within, p, b)
	if context.Cause(within) != context.Cause(ctx) {
		c, found, p.folder, p.open = nil, nil, nil, map[string]*content{}
	}
	if p.ended = done(); p.ended != nil {
		return nil, nil, p.ended
	}
	return c, found, err
}

func (s *server) judgeNow(ctx context.Context, p *place, b *buffer) (*content, *report.Report, error) {
	if err := s.ready(ctx, p, b); err != nil {
		return nil, nil, err
	}
	s.give(p)
	c := p.open[nameOf(b)]
	if c == nil {
		s.mu.Lock()
		c = b.content
		s.mu.Unlock()
		return c, nil, nil
	}
	found, err := p.folder.Judge(ctx, nameOf(b))
	if err != nil {
		return nil, nil, err
	}
	b.judged, b.found = c, nil
	if found != nil {
		b.found = found.Findings
	}
	return c, found, nil
}
