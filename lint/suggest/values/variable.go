package values

import (
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
)

// forVariable adds or changes a variable: in a list as a container has it, in a map of
// names, or in the text that becomes a variable's value.
func forVariable(n *need, node node) []candidate {
	now, old, ok := n.variable()
	if !ok {
		return nil
	}
	switch value := node.value.(type) {
	case []any:
		return inList(n, node, value, now)
	case map[string]any:
		return inMap(n, node, value, now)
	case string:
		return inText(n, node, value, now, old)
	case nil:
		if !node.absent {
			return nil
		}
		var found []candidate
		if isEnv(node.key()) {
			found = append(found, listCandidate(n, node, nil, now), candidate{
				edits: []edit{{path: append(slices.Clip(node.path), n.name), value: now}}, rank: 1,
			})
		}
		if isFlags(node.key()) {
			found = append(found, candidate{edits: []edit{{path: node.path, value: now}}, rank: 2})
		}
		return found
	}
	return nil
}

// variable is the text that a variable shall have, and the one it has. Not ok for one that
// goes or comes from elsewhere.
func (n *need) variable() (now, old string, ok bool) {
	at := func(object map[string]any) (string, bool) {
		entry, _ := tree.At(object, append(slices.Clip(n.owner), "env", tree.Named(n.name))).(map[string]any)
		text, isText := entry["value"].(string)
		return text, entry != nil && isText
	}
	now, ok = at(n.target.after)
	old, _ = at(n.target.before)
	return now, old, ok
}

// inList is for lists of {name, value}. The whole list is said again, since Helm replaces
// lists.
func inList(n *need, node node, list []any, now string) []candidate {
	if len(list) > 0 && tree.Name(list[0]) == "" || len(list) == 0 && !isEnv(node.key()) {
		return nil
	}
	if i := slices.IndexFunc(list, func(entry any) bool { return tree.Name(entry) == n.name }); i >= 0 {
		path := append(slices.Clip(node.path), i, "value")
		return []candidate{{edits: []edit{{path: path, value: now}}, rank: rankSame}}
	}
	c := listCandidate(n, node, list, now)
	if len(list) > 0 && !isEnv(node.key()) {
		if entry, _ := list[0].(map[string]any); entry["value"] == nil && entry["valueFrom"] == nil {
			return nil
		}
	}
	return []candidate{c}
}

func listCandidate(n *need, node node, list []any, now string) candidate {
	longer := append(slices.Clone(list), map[string]any{"name": n.name, "value": now})
	rank := rankEmpty
	if len(list) > 0 {
		rank = rankEmpty - 2
	}
	return candidate{edits: []edit{{path: node.path, value: longer}}, rank: rank}
}

// inMap is for NAME: value, and for NAME: {value: value}.
func inMap(n *need, node node, fields map[string]any, now string) []candidate {
	_, there := fields[n.name]
	if !there && !isEnv(node.key()) {
		return nil
	}
	path := append(slices.Clip(node.path), n.name)
	rank := rankEmpty
	if there {
		rank = rankSame
	}
	for _, entry := range fields {
		if inner, ok := entry.(map[string]any); ok && inner["value"] != nil {
			return []candidate{{edits: []edit{{path: append(path, "value"), value: now}}, rank: rank}}
		}
	}
	return []candidate{{edits: []edit{{path: path, value: now}}, rank: rank}}
}

// inText is for javaOpts: "-Xmx1g", and for variables that are written as a block of YAML.
func inText(n *need, node node, text, now, old string) []candidate {
	added, isLonger := strings.CutSuffix(now, old)
	added = strings.TrimSpace(added)
	edited := func(value string, rank int) []candidate {
		return []candidate{{edits: []edit{{path: node.path, value: value}}, rank: rank}}
	}
	trimmed := strings.TrimSpace(text)
	switch {
	case old != "" && text == old:
		return edited(now, rankSame)
	case old != "" && len(trimmed) > 2 && strings.Contains(old, trimmed) && isLonger && strings.HasPrefix(trimmed, "-"):
		return edited(added+" "+text, rankOther)
	case trimmed == "" && isFlags(node.key()) && isLonger:
		return edited(added, rankEmpty)
	case isEnv(node.key()) && (trimmed == "" || strings.HasPrefix(trimmed, "- name:")) && old == "":
		block := strings.TrimRight(text, "\n")
		if block != "" {
			block += "\n"
		}
		block += "- name: " + n.name + "\n  value: " + "'" + strings.ReplaceAll(now, "'", "''") + "'" + "\n"
		return edited(block, rankEmpty+1)
	}
	return nil
}

// hides says whether a snippet of these edits would print what the user keeps in a list or in a
// block of text, which are written again as a whole. That would show other values than those of the
// JVM's variables. What a chart itself holds is no secret.
func (s *Search) hides(list []edit, variable string) bool {
	return slices.ContainsFunc(list, func(e edit) bool {
		path := tree.ListOf(e.path)
		if !given(s.chart.Given, path) {
			return false
		}
		switch now := tree.At(s.chart.Given, path).(type) {
		case []any:
			return slices.ContainsFunc(now, func(entry any) bool { return !printable(entry, variable) })
		case string:
			return strings.Contains(now, "\n")
		default:
			return false
		}
	})
}

// printable are variables of the JVM, the one that is spoken of, and references.
func printable(entry any, variable string) bool {
	fields, _ := entry.(map[string]any)
	name := tree.Name(entry)
	if name == "" || len(fields) > 2 {
		return false
	}
	return name == variable || has(name, "java", "jvm", "jdk") || len(fields) == 1 || fields["valueFrom"] != nil
}
