package editor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

// debounce is how long a text is left alone: letters come in rows.
const debounce = 15 * time.Millisecond

// judgeAll judges what has changed, round by round, until the conversation ends.
func (s *server) judgeAll() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.work:
		}
		select {
		case <-s.ctx.Done():
			return
		case <-time.After(debounce):
		}
		for _, b := range s.round() {
			if s.ctx.Err() != nil {
				return
			}
			s.guard("judging "+filepath.Base(b.path), func() { s.publish(b) })
		}
		s.lookNowAndThen()
	}
}

// round are the buffers to judge: those that changed, then the others in the same places, around which something may
// have changed. Where nothing has, their findings are known.
func (s *server) round() []*buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first, rest []*buffer
	touched := map[*place]bool{}
	for _, b := range s.buffers {
		if b.dirty {
			first = append(first, b)
			touched[s.placeOf(b)] = true
		}
	}
	for _, b := range s.buffers {
		if !b.dirty && touched[s.placeOf(b)] {
			rest = append(rest, b)
		}
	}
	return append(first, rest...)
}

// lookNowAndThen looks for files that changed, where the editor does not tell of them: behind a round, which no letter
// waits for. What is open is judged again only where something changed.
func (s *server) lookNowAndThen() {
	s.mu.Lock()
	places := slices.Collect(maps.Values(s.places))
	if s.watches {
		places = nil
	}
	s.mu.Unlock()
	for _, p := range places {
		s.guard("looking at "+p.root, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.folder == nil || time.Since(p.folder.Looked()) < lookInterval {
				return
			}
			if changed, err := p.folder.Look(s.ctx); err != nil || changed {
				p.old.Store(true)
				s.judgeAgain(p)
			}
		})
	}
}

// judgeAgain has all judged that is open in a place.
func (s *server) judgeAgain(p *place) {
	s.mu.Lock()
	for _, b := range s.buffers {
		if b.place == p {
			b.stale()
		}
	}
	s.mu.Unlock()
	s.wake()
}

// publish judges a buffer, and tells the editor what it does not know yet.
func (s *server) publish(b *buffer) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	s.mu.Lock()
	p := s.placeOf(b)
	b.dirty, b.cancel = false, cancel
	version, c := b.version, b.content
	s.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []diagnostic{}
	switch {
	case int64(len(c.text)) > s.options.Source.MaxBytes():
		list = append(list, tooLarge(b, c, s.options.Source.MaxBytes()))
	case b.isConfig():
		list = configDiagnostics(b, c)
	case b.template:
	default:
		judged, found, err := s.judge(ctx, p, b)
		if ctx.Err() != nil || judged != c && err == nil { // a later round has the text of then
			return
		}
		s.tellFailure(p, err)
		if err == nil && found != nil {
			list = diagnostics(b.uri, c, found)
		}
	}
	said, err := json.Marshal(list)
	if err != nil || string(said) == b.told {
		return
	}
	s.mu.Lock()
	open := s.buffers[b.uri] == b
	s.mu.Unlock()
	if !open {
		return
	}
	b.told = string(said)
	uri, _ := json.Marshal(b.uri)
	_ = s.out.notify("textDocument/publishDiagnostics",
		fmt.Appendf(nil, `{"uri":%s,"version":%d,"diagnostics":%s}`, uri, version, said))
}

// tellFailure shows once why nothing is judged, as where the config cannot be read.
func (s *server) tellFailure(p *place, err error) {
	said := ""
	if err != nil {
		said = terminal.Lines(err.Error())
	}
	if said != "" && said != p.failed {
		s.log("%s: nothing is judged: %s", p.root, said)
		shown := fields{"type": severityWarning, "message": "headroom judges nothing here: " + said}
		_ = s.conn.Notify(s.ctx, "window/showMessage", shown)
	}
	p.failed = said
}

func tooLarge(b *buffer, c *content, most int64) diagnostic {
	return diagnostic{
		Range: c.lineSpan(1), Severity: severityWarning, Source: "headroom", Code: "unread",
		Message: fmt.Sprintf("%s is not judged: it has %d bytes, and headroom reads at most %d of a file.",
			terminal.Printable(filepath.Base(b.path)), len(c.text), most),
	}
}

// diagnostics are what was found, as the editor takes it. Templates of Helm are left alone.
func diagnostics(uri string, c *content, r *report.Report) []diagnostic {
	list := []diagnostic{}
	if len(r.Problems) > 0 && strings.Contains(c.text, "{{") {
		return list
	}
	for _, p := range r.Problems {
		list = append(list, diagnostic{
			Range: c.lineSpan(max(1, p.Line)), Severity: severityError, Source: "headroom", Code: "unread",
			Message: terminal.Printable(p.Message),
		})
	}
	others := byRule(r.Findings)
	for i := range r.Findings {
		list = append(list, diagnosticOf(uri, c, &r.Findings[i], others))
	}
	return list
}

var severities = map[string]int{
	engine.SeverityError: severityError, engine.SeverityWarning: severityWarning, engine.SeverityInfo: severityInformation,
}

// subject is what a finding is about.
type subject struct {
	rule, container string
	resource        engine.Resource
}

// byRule are findings by what they are of: the first of each.
func byRule(findings []engine.Finding) map[subject]*engine.Finding {
	found := make(map[subject]*engine.Finding, len(findings))
	for i := range findings {
		f := &findings[i]
		if at := (subject{f.Rule, f.Container, f.Resource}); found[at] == nil {
			found[at] = f
		}
	}
	return found
}

func diagnosticOf(uri string, c *content, f *engine.Finding, others map[subject]*engine.Finding) diagnostic {
	d := diagnostic{
		Range: c.lineSpan(f.Line), Severity: severities[f.Severity], Source: "headroom", Code: f.Rule,
		Description: &link{engine.Rule{ID: f.Rule}.HelpURI()}, Message: sentences.Verdict(f),
	}
	if f.Container != "" {
		d.Message = terminal.Printable(f.Container) + ": " + d.Message
	}
	if path, ok := pathOf(uri); ok && f.File != filepath.ToSlash(path) {
		d.Message += "\nIn " + terminal.Printable(f.File) + ", by this value."
	}
	if f.Group == f.Rule {
		return d
	}
	if other := others[subject{f.Group, f.Container, f.Resource}]; other != nil {
		d.Related = append(d.Related, related{
			location{uri, c.lineSpan(other.Line)}, "the same cause: " + other.Rule + " " + other.Slug,
		})
	}
	return d
}

// configDiagnostics are what is wrong with a headroom.yaml.
func configDiagnostics(b *buffer, c *content) []diagnostic {
	list := []diagnostic{}
	_, err := settings.Parse(filepath.Base(b.path), []byte(c.text))
	for _, p := range problemsOf(err) {
		list = append(list, diagnostic{
			Range: c.lineSpan(max(1, p.Line)), Severity: severityError, Source: "headroom", Code: "config",
			Message: terminal.Printable(p.Message),
		})
	}
	return list
}

// problemsOf takes a joined error apart.
func problemsOf(err error) []settings.Problem {
	var one settings.Problem
	var several interface{ Unwrap() []error }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &several):
		var all []settings.Problem
		for _, e := range several.Unwrap() {
			all = append(all, problemsOf(e)...)
		}
		return all
	case errors.As(err, &one):
		return []settings.Problem{one}
	}
	return []settings.Problem{{Line: 1, Message: err.Error()}}
}
