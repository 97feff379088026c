package editor

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// config offers the keys and values of a headroom.yaml.
func (k *completer) config() {
	_, schema := schemas()
	if m := atValue.FindStringSubmatch(k.before); m != nil {
		path := append(k.above(indentOf(k.before)), m[1])
		k.configValue(schema, path, lastOf(m[2]))
		return
	}
	if m := atItem.FindStringSubmatch(k.before); m != nil {
		if path := k.above(indentOf(k.before)); schema.descend(path).isTexts() {
			k.configValue(schema, path, m[1])
			return
		}
	}
	m := atKey.FindStringSubmatch(k.before)
	if m == nil {
		return
	}
	path := k.above(len(m[1]))
	on := schema.descend(path)
	if len(path) == 1 && path[0] == "rules" {
		k.rules(m[2], "", true)
		return
	}
	for _, name := range on.keys("properties") {
		k.key(m[2], name, on.child("properties").child(name).text("description"))
	}
}

func (k *completer) configValue(schema node, path []string, typed string) {
	switch last := path[len(path)-1]; {
	case last == "rules":
		k.rules(typed, "", false)
	case last == "class", last == "defaultClass":
		for _, class := range k.classes {
			k.offer(typed, class, class, kindEnum, "class", "")
		}
	default:
		for _, value := range schema.descend(path).values() {
			k.offer(typed, value, value, kindEnum, "", "")
		}
	}
}

// indentOf is where the key of a line begins, behind the dash of a list.
func indentOf(line string) int {
	return len(line) - len(strings.TrimLeft(line, " -"))
}

// key is one that a line is in, and how far it is indented; without a name for a line that has none.
type key struct {
	indent int
	name   string
}

// below leaves the keys that something is in that is indented so far.
func below(keys []key, indent int) []key {
	for len(keys) > 0 && keys[len(keys)-1].indent >= indent {
		keys = keys[:len(keys)-1]
	}
	return keys
}

// through follows keys through one more line.
func through(keys []key, line string) []key {
	text := strings.TrimLeft(line, " ")
	if text == "" || text[0] == '#' {
		return keys
	}
	begins := len(line) - len(text)
	indent := begins
	if text == "-" || strings.HasPrefix(text, "- ") {
		begins, indent = indentOf(line), begins+1 // a list may stand as far out as its key
	}
	name, _, named := strings.Cut(strings.TrimLeft(text, "- "), ":")
	if !named {
		name = ""
	}
	return append(below(keys, indent), key{begins, strings.Trim(name, `"' `)})
}

// above are the keys that lead to a place that is indented so far, the outermost first.
func (k *completer) above(indent int) []string {
	if dash := strings.IndexByte(k.before, '-'); dash >= 0 && strings.TrimSpace(k.before[:dash]) == "" {
		indent = dash + 1
	}
	var keys []key
	first, _ := k.document()
	for n := first; n < k.line; n++ {
		keys = through(keys, k.content.line(n))
	}
	var path []string
	for _, key := range below(keys, indent) {
		if key.name != "" {
			path = append(path, key.name)
		}
	}
	return path
}

// document are the first and the last line of the document that the cursor is in.
func (k *completer) document() (first, last int) {
	first, last = k.line, k.line
	for first > 0 && !strings.HasPrefix(k.content.line(first-1), "---") {
		first--
	}
	for last+1 < len(k.content.starts) && !strings.HasPrefix(k.content.line(last+1), "---") {
		last++
	}
	return first, last
}

func (k *completer) lines(first, last int) []string {
	var all []string
	for n := first; n <= last; n++ {
		all = append(all, k.content.line(n))
	}
	return all
}

// containers are the names of the containers of the document that the cursor is in, as far as text shows them.
func (k *completer) containers() []string {
	var names []string
	var keys []key
	first, last := k.document()
	for n := first; n <= last; n++ {
		line := k.content.line(n)
		keys = through(keys, line)
		name, ok := strings.CutPrefix(strings.TrimLeft(line, " -"), "name:")
		above := slices.DeleteFunc(slices.Clone(keys), func(k key) bool { return k.name == "" }) // a dash alone
		if ok && len(above) > 1 && strings.HasSuffix(strings.ToLower(above[len(above)-2].name), "containers") {
			names = append(names, strings.Trim(name, `"' `))
		}
	}
	return names
}

// node is a part of a JSON schema, and the whole of it, which references lead into.
type node struct {
	value map[string]any
	root  map[string]any
}

func newNode(text []byte) node {
	var value map[string]any
	_ = json.Unmarshal(text, &value) // it is part of the binary
	return node{value, value}
}

// child is what a key has, behind references.
func (n node) child(key string) node {
	value, _ := n.value[key].(map[string]any)
	return node{value, n.root}.resolved()
}

// resolved is the node with what its references lead to.
func (n node) resolved() node {
	all := maps.Clone(n.value)
	for _, name := range n.refs() {
		definitions, _ := n.root["definitions"].(map[string]any)
		to, _ := definitions[name].(map[string]any)
		for key, value := range to {
			if _, own := all[key]; !own {
				all[key] = value
			}
		}
	}
	return node{all, n.root}
}

// refs are the names of the definitions that a node refers to.
func (n node) refs() []string {
	var names []string
	parts, _ := n.value["allOf"].([]any)
	for _, part := range append(parts, any(n.value)) {
		object, _ := part.(map[string]any)
		if ref, ok := object["$ref"].(string); ok {
			names = append(names, strings.TrimPrefix(ref, "#/definitions/"))
		}
	}
	return names
}

// descend is what keys lead to; the items of a list have no key.
func (n node) descend(path []string) node {
	for _, key := range path {
		n = n.inItems()
		switch {
		case n.child("properties").value[key] != nil:
			n = n.child("properties").child(key)
		default:
			n = n.child("additionalProperties")
		}
	}
	return n.inItems()
}

func (n node) inItems() node {
	if items := n.child("items"); len(items.value) > 0 && !n.isTexts() {
		return items
	}
	return n
}

// isTexts says whether a node is a list of texts.
func (n node) isTexts() bool { return n.child("items").value["type"] == "string" }

func (n node) keys(key string) []string {
	return slices.Sorted(maps.Keys(n.child(key).value))
}

func (n node) text(key string) string {
	text, _ := n.value[key].(string)
	return text
}

// values are the texts that a node allows, of a list those of its items, else the examples.
func (n node) values() []string {
	var all []string
	add := func(list any) {
		values, _ := list.([]any)
		for _, value := range values {
			if text, ok := value.(string); ok {
				all = append(all, text)
			}
		}
	}
	add(n.value["enum"])
	add(n.child("items").value["enum"])
	choices, _ := n.value["anyOf"].([]any)
	for _, choice := range choices {
		object, _ := choice.(map[string]any)
		add(object["enum"])
	}
	if len(all) == 0 {
		add(n.value["examples"])
	}
	return all
}
