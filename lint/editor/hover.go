package editor

import (
	"context"

	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

// hover explains the container that a line is about: its resources, its flags, its name or its image.
func (s *server) hover(ctx context.Context, b *buffer, at position) any {
	place, c, done := s.settled(ctx, b)
	if place == nil {
		return nil
	}
	defer done()
	line := at.Line + 1
	object := place.folder.Object(nameOf(b), line)
	if object == nil {
		return nil
	}
	explained, err := place.folder.Explain(ctx, object)
	if err != nil {
		return nil
	}
	for i := range explained {
		if e := &explained[i]; e.Skipped == "" && speaksOf(object, e, line) {
			free, _ := place.engine.Value(ctx, "data.headroom.config.settings.memory.headroom")
			share, _ := free.(float64)
			contents := markup{plaintext, explain.Plain(e, share)}
			if s.markdown {
				contents = markup{markdown, explain.Markdown(e, share)}
			}
			return hover{Contents: contents, Range: c.lineSpan(line)}
		}
	}
	return nil
}

// speaksOf says whether a line is about what an explanation tells.
func speaksOf(o *lint.Object, e *engine.Explanation, line int) bool {
	if !o.Within(e.Path, line) {
		return false
	}
	if line == o.Line(e.Path) {
		return true
	}
	for _, field := range []string{"/name", "/image", "/resources"} {
		if o.Within(e.Path+field, line) {
			return true
		}
	}
	for _, flag := range e.Flags {
		if o.Within(flag.Path, line) {
			return true
		}
	}
	return false
}
