package edit

import (
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
)

// frame is one value on the way from the root to what an operation is about.
type frame struct {
	node *node
	held *entry // the entry of the value above that holds it; nil for the root
}

// place is the collection that an operation changes, and the key or index that it is about.
type place struct {
	text  lines
	json  bool
	way   []frame // from the root to the collection
	key   string
	index int    // of a sequence; its length for "-" and one behind its end
	found *entry // nil when it is not there
}

func (p *place) node() *node  { return p.way[len(p.way)-1].node }
func (p *place) held() *entry { return p.way[len(p.way)-1].held }

// steps splits a JSON pointer (RFC 6901).
func steps(pointer string) []string {
	parts := strings.Split(pointer, "/")[1:]
	for i, part := range parts {
		parts[i] = jsonpointer.Unescape(part)
	}
	return parts
}

// locate follows a pointer to the collection that holds its last step. What comes from
// elsewhere, or is used elsewhere, cannot be changed in its place.
func locate(text lines, root *node, json bool, pointer string) (*place, error) {
	p := &place{text: text, json: json, way: []frame{{node: root}}}
	path := steps(pointer)
	for i, step := range path {
		n := p.node()
		if err := changeable(n); err != nil {
			return nil, err
		}
		p.found, p.key = nil, step
		switch n.kind {
		case mapping:
			p.found = n.find(step)
		case sequence:
			index, err := strconv.Atoi(step)
			if step == "-" {
				index, err = len(n.entries), nil
			}
			if err != nil || index < 0 || index > len(n.entries) {
				return nil, refuse(n.start, "the list has no place %s", step)
			}
			if p.index = index; index < len(n.entries) {
				p.found = n.entries[index]
			}
		default:
			return nil, refuse(n.start, "a value stands where a map or a list is meant")
		}
		if i == len(path)-1 {
			break
		}
		if p.found == nil {
			return nil, absent(n, step)
		}
		p.way = append(p.way, frame{p.found.value, p.found})
	}
	return p, p.checkFound()
}

func absent(n *node, step string) error {
	if e := n.mergeKey(); e != nil {
		return refuse(e.key.at, "%q comes from a merge key (<<), whose source others may use", step)
	}
	return refuse(n.start, "%q is not written here as it reads", step)
}

// changeable says why a value cannot be changed where it stands.
func changeable(n *node) error {
	switch {
	case n.kind == alias:
		return refuse(n.at, "the value is an alias (*) of one that stands elsewhere")
	case n.shared:
		return refuse(n.at, "the value has an anchor (&) that is used elsewhere")
	case n.tagged:
		return refuse(n.at, "the value has a tag (!)")
	case n.odd:
		return refuse(n.at, "a map without braces inside a list in brackets")
	}
	return nil
}

// checkFound is changeable for all of what an operation is about.
func (p *place) checkFound() error {
	e := p.found
	if e == nil {
		return nil
	}
	if shared := e.value.sharedBelow(); shared != nil {
		return changeable(shared)
	}
	switch {
	case e.key != nil && (e.key.kind != scalar || e.key.shared || e.key.tagged):
		return refuse(e.key.at, "the key is an alias, has a tag or an anchor that is used elsewhere")
	case e.explicit:
		return refuse(e.key.at, "the key is written with a question mark")
	case e.mark == 0 && e.key != nil:
		return refuse(e.key.at, "the key has no colon")
	}
	if err := changeable(e.value); err != nil {
		return err
	}
	if before, _, found := strings.Cut(string(p.text[e.begin():e.end()]), "{{"); found {
		return refuse(e.begin()+len(before), "%s", templated)
	}
	return nil
}

// untemplated refuses what Helm would make something else of: a name or a kind that it
// fills in, and conditions and loops hidden in comments. Braces in other values, as in the
// annotations of Vault, are no sign of Helm.
func untemplated(text lines, root *node) error {
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		n := root
		for _, step := range path {
			if e := n.find(step); e != nil {
				n = e.value
			}
		}
		if strings.Contains(n.value, "{{") {
			return refuse(n.at, "%s", templated)
		}
	}
	var end int
	for line := range strings.Lines(string(text)) {
		end += len(line)
		before, rest, found := strings.Cut(line, "{{")
		if found && strings.HasPrefix(strings.TrimLeft(before, " \t"), "#") {
			return refuse(end-len("{{"+rest), "%s", templated)
		}
	}
	return nil
}

const templated = "a template ({{ }}) makes the value"
