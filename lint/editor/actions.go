package editor

import (
	"context"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll.headroom"
)

// maxActions is for how many findings of a range changes are worked out: each takes judging an object a few times.
const maxActions = 20

// maxEdits bounds the texts of all edits of an answer, in bytes: an edit repeats its line, which a file of one line is. It
// is chosen.
const maxEdits = 4 << 20

// chooser gathers what can be done about findings.
type chooser struct {
	place   *place
	buffer  *buffer
	content *content
	ctx     context.Context
	only    []string
	found   []codeAction
	bytes   int // of the edits
}

// actions are what can be done about the findings on the lines of a range.
func (s *server) actions(ctx context.Context, b *buffer, p documentParams) []codeAction {
	place, c, done := s.settled(ctx, b)
	if place == nil {
		return nil
	}
	defer done()
	choose := &chooser{place: place, buffer: b, content: c, ctx: ctx, only: p.Context.Only}
	first, last := p.Range.Start.Line+1, max(p.Range.Start.Line, p.Range.End.Line)+1
	fixable, asked := false, 0
	others := byRule(b.found)
	for i := range b.found {
		f := &b.found[i]
		if f.File != nameOf(b) { // a template's, told at the line of its values
			continue
		}
		fixable = fixable || f.Fixable
		if f.Line < first || f.Line > last || asked == maxActions || choose.bytes > maxEdits || !choose.wants(quickFix) {
			continue
		}
		asked++
		choose.finding(f, diagnosticOf(b.uri, c, f, others))
	}
	if fixable && choose.wants(fixAll) {
		if after, err := place.folder.Fix(ctx, nameOf(b), 0); err == nil {
			choose.add(codeAction{Title: "Fix all that headroom can fix in this file", Kind: fixAll}, after)
		}
	}
	return choose.found
}

// wants says whether the editor asked for a kind of action.
func (c *chooser) wants(kind string) bool {
	return len(c.only) == 0 || slices.ContainsFunc(c.only, func(only string) bool {
		return kind == only || strings.HasPrefix(kind, only+".")
	})
}

// finding adds the fix of a finding, and the two ways to exempt from its rule. Both lack the reason, without which they
// exempt nothing.
func (c *chooser) finding(f *engine.Finding, d diagnostic) {
	name := f.Rule + " " + f.Slug
	about := []diagnostic{d}
	if f.Fixable {
		if after, err := c.place.folder.Fix(c.ctx, nameOf(c.buffer), f.Line, f.Rule); err == nil {
			c.add(codeAction{Title: "Fix " + name, Kind: quickFix, Diagnostics: about, Preferred: true}, after)
		}
	}
	if f.Bound {
		return
	}
	if !strings.HasSuffix(c.buffer.path, ".json") {
		c.comment(f, about)
	}
	if after, err := c.place.folder.Exempt(nameOf(c.buffer), f.Line, f.Rule, ""); err == nil {
		title := "Exempt " + sentences.Title(f.Resource) + " from " + f.Rule + " with an annotation: write the reason"
		c.add(codeAction{Title: title, Kind: quickFix, Diagnostics: about}, after)
	}
}

// comment adds a comment above the finding's line.
func (c *chooser) comment(f *engine.Finding, about []diagnostic) {
	line := c.content.line(f.Line - 1)
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	start := position{Line: f.Line - 1}
	end := "\n"
	if strings.Contains(c.content.text, "\r\n") {
		end = "\r\n"
	}
	edit := textEdit{span{start, start}, indent + "# " + source.IgnoreMark + " " + f.Rule + " " + end}
	title := "Ignore " + f.Rule + " " + f.Slug + " here with a comment: write the reason"
	c.found = append(c.found, codeAction{
		Title: title, Kind: quickFix, Diagnostics: about, Edit: &workspaceEdit{map[string][]textEdit{c.buffer.uri: {edit}}},
	})
}

// add adds an action that makes another text of the file, if it is another one.
func (c *chooser) add(action codeAction, after []byte) {
	var edits []textEdit
	for _, h := range edit.Hunks([]byte(c.content.text), after) {
		c.bytes += len(h.Text)
		edits = append(edits, textEdit{span{c.content.position(h.Start), c.content.position(h.End)}, h.Text})
	}
	if len(edits) == 0 || c.bytes > maxEdits {
		return
	}
	action.Edit = &workspaceEdit{map[string][]textEdit{c.buffer.uri: edits}}
	c.found = append(c.found, action)
}

// settled judges a buffer as it is now, and keeps its place locked until done is called. There is no place where
// nothing is judged.
func (s *server) settled(ctx context.Context, b *buffer) (p *place, c *content, done func()) {
	s.mu.Lock()
	p = s.placeOf(b)
	s.mu.Unlock()
	if b.template || b.isConfig() {
		return nil, nil, nil
	}
	p.mu.Lock()
	c, found, err := s.judge(ctx, p, b)
	if err != nil || found == nil {
		p.mu.Unlock()
		return nil, nil, nil
	}
	return p, c, p.mu.Unlock
}
