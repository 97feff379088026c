package editor

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/headroom-dev/headroom/docs/schema"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// completer offers what may stand where somebody types.
type completer struct {
	content *content
	line    int    // of the cursor, from 0
	before  string // what stands on its line in front of the cursor
	behind  string
	classes []string
	items   []completionItem
}

func (s *server) complete(ctx context.Context, b *buffer, at position) any {
	s.mu.Lock()
	c := b.content
	place := s.placeOf(b)
	s.mu.Unlock()
	line := c.line(at.Line)
	if at.Line < 0 || at.Line >= len(c.starts) {
		return completionList{Items: []completionItem{}}
	}
	cursor := c.offset(at) - c.starts[at.Line]
	k := completer{content: c, line: at.Line, before: line[:cursor], behind: line[cursor:], items: []completionItem{}}
	k.classes = s.classes(ctx, place, b)
	if b.isConfig() {
		k.config()
	} else if !b.template {
		k.manifest()
	}
	return completionList{Items: k.items}
}

// classes are those that the place's config has.
func (s *server) classes(ctx context.Context, p *place, b *buffer) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.ready(ctx, p, b) != nil {
		return nil
	}
	found, _ := p.engine.Value(ctx, "data.headroom.config.classes")
	var names []string
	list, _ := found.([]any)
	for _, name := range list {
		if text, ok := name.(string); ok {
			names = append(names, text)
		}
	}
	slices.Sort(names)
	return names
}

// rulesOnce are all rules; reading them takes a moment.
var rulesOnce = sync.OnceValue(func() []engine.Rule {
	rules, _ := engine.Rules() // they are part of the binary
	return rules
})

var schemas = sync.OnceValues(func() (annotations, config node) {
	return newNode(schema.Annotations), newNode(schema.Config)
})

// offer adds an item that takes the place of the last letters in front of the cursor.
func (k *completer) offer(typed, label, insert string, kind int, detail, documentation string) {
	if !strings.HasPrefix(strings.ToLower(label), strings.ToLower(typed)) {
		return
	}
	end := k.content.starts[k.line] + len(k.before)
	k.items = append(k.items, completionItem{
		Label: label, Kind: kind, Detail: detail, Documentation: documentation,
		TextEdit: textEdit{span{k.content.position(end - len(typed)), k.content.position(end)}, insert},
	})
}

// key adds a key, with its colon where it has none yet.
func (k *completer) key(typed, name, detail string) {
	insert := name
	if !strings.Contains(k.behind, ":") {
		insert += ": "
	}
	k.offer(typed, name, insert, kindProperty, "", detail)
}

func (k *completer) rules(typed, before string, asKeys bool) {
	for _, rule := range rulesOnce() {
		if asKeys {
			k.key(typed, before+rule.ID, rule.Title)
			continue
		}
		k.offer(typed, before+rule.ID, before+rule.ID, kindEnum, rule.Slug, rule.Title)
	}
}

var (
	inComment = regexp.MustCompile(`#[ \t]*` + source.IgnoreMark + `[ \t]+([\w,-]*)$`)
	atComment = regexp.MustCompile(`#[ \t]*([a-z:]*)$`)
	atValue   = regexp.MustCompile(`^[ \t]*(?:- +)?["']?([\w./-]+)["']?[ \t]*:[ \t]+["'\[]?([^"'#]*)$`)
	atItem    = regexp.MustCompile(`^[ \t]*- +["']?([\w./-]*)$`)
	atKey     = regexp.MustCompile(`^([ \t]*(?:- +)?)["']?([\w./-]*)$`)
)

// lastOf is the last of words with commas between them.
func lastOf(text string) string {
	return strings.TrimLeft(text[strings.LastIndexAny(text, ",[")+1:], " ")
}

func (k *completer) manifest() {
	if m := inComment.FindStringSubmatch(k.before); m != nil {
		k.rules(lastOf(m[1]), "", false)
		return
	}
	if m := atComment.FindStringSubmatch(k.before); m != nil {
		k.offer(m[1], source.IgnoreMark, source.IgnoreMark+" ", kindValue, "exempt what stands here from a rule", "")
		return
	}
	annotations, _ := schemas()
	if m := atValue.FindStringSubmatch(k.before); m != nil {
		k.annotationValue(annotations, m[1], m[2])
		return
	}
	m := atKey.FindStringSubmatch(k.before)
	if m == nil {
		return
	}
	if above := k.above(len(m[1])); len(above) == 0 || above[len(above)-1] != "annotations" {
		return
	}
	on := k.annotated(annotations)
	for _, name := range on.keys("properties") {
		k.key(m[2], name, on.child("properties").child(name).text("description"))
	}
	for _, pattern := range on.keys("patternProperties") {
		prefix := strings.ReplaceAll(strings.TrimPrefix(pattern, "^"), `\`, "")
		says := on.child("patternProperties").child(pattern).text("description")
		if prefix == "ignore.headroom.dev/" {
			k.rules(m[2], prefix, true)
			continue
		}
		for _, name := range k.containers() {
			k.key(m[2], prefix+name, says)
		}
	}
}

// annotated is the schema of the annotations of the object that the cursor is in.
func (k *completer) annotated(annotations node) node {
	name := "workload"
	if first, last := k.document(); slices.ContainsFunc(k.lines(first, last), func(line string) bool {
		return strings.TrimSpace(line) == "kind: Namespace"
	}) {
		name = "namespace"
	}
	return annotations.child("definitions").child(name)
}

func (k *completer) annotationValue(annotations node, key, typed string) {
	if !strings.Contains(key, "headroom.dev/") {
		return
	}
	on := k.annotated(annotations)
	found := on.child("properties").child(key)
	for _, pattern := range on.keys("patternProperties") {
		if prefix := strings.ReplaceAll(strings.TrimPrefix(pattern, "^"), `\`, ""); strings.HasPrefix(key, prefix) {
			found = on.child("patternProperties").child(pattern)
		}
	}
	last := lastOf(typed)
	switch refs := found.refs(); {
	case slices.Contains(refs, "class"), slices.Contains(refs, "classes"):
		for _, class := range k.classes {
			k.offer(last, class, class, kindEnum, "class", "")
		}
	case slices.Contains(refs, "rules"):
		k.rules(last, "", false)
	default:
		for _, value := range found.values() {
			k.offer(last, value, value, kindEnum, "", "")
		}
	}
}
