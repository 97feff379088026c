package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// toolOptions is the variable that a JVM reads whatever starts it.
const toolOptions = "JAVA_TOOL_OPTIONS"

// flag sets a flag where the JVM lets it win: in the place of the one that wins now, or else in
// JAVA_TOOL_OPTIONS.
func (t *trial) flag(c Change) error {
	if t.now.JVM == nil {
		return fmt.Errorf("%s: no JVM is known in container %s; the annotation runtime.headroom.dev/%s: jvm tells of one",
			c, terminal.Printable(t.now.Container), terminal.Printable(t.now.Container))
	}
	if c.Value == "" {
		return t.without(c.Name, c.Key)
	}
	// Collectors exclude each other: a JVM with two of them does not start.
	if c.Value == "+" && slices.Contains(t.collectors, c.Name) {
		if t.collector != "" {
			return fmt.Errorf("--what-if changes the same value twice: %s and %s", t.collector, c.Text)
		}
		t.collector = c.Text
		for _, other := range t.collectors {
			if other != c.Name && t.winner(other) != nil {
				if err := t.without(other, "-XX:+"+other); err != nil {
					return err
				}
			}
		}
	}
	if now := t.winner(c.Name); now != nil {
		return t.rewrite(now, c.Text)
	}
	return t.add(c.Text)
}

func (t *trial) winner(name string) *engine.FlagLine {
	for i := len(t.now.Flags) - 1; i >= 0; i-- {
		if f := &t.now.Flags[i]; f.Wins && is(f, name) {
			return f
		}
	}
	return nil
}

// is says whether a line sets a flag, also one that is not an -XX flag.
func is(f *engine.FlagLine, name string) bool {
	if f.Name == name {
		return true
	}
	bare, _, _ := strings.Cut(strings.TrimLeft(f.Text, "-"), ":")
	return bare == name || name == "Xmn" && strings.HasPrefix(bare, name)
}

// without takes every setting of a flag away.
func (t *trial) without(name, shown string) error {
	found := false
	for i := range t.now.Flags {
		f := &t.now.Flags[i]
		if is(f, name) && f.Text != "" {
			found = true
			if err := t.rewrite(f, ""); err != nil {
				return err
			}
		}
	}
	if !found {
		t.say(shown, "", "")
	}
	return nil
}

// rewrite puts another text, or none, in the place of a flag.
func (t *trial) rewrite(f *engine.FlagLine, text string) error {
	for _, pointer := range t.places(f.Path) {
		switch at := lookup(t.manifest, pointer).(type) {
		case string:
			if edited, ok := rewritten(at, f.Text, text); ok {
				replace(t.manifest, pointer, edited)
				t.made(f, text)
				return nil
			}
		case map[string]any: // an entry that is filled in from a ConfigMap
			t.literal(f.Source)
			return t.rewriteIn(f, text)
		}
	}
	return fmt.Errorf("%s of %s cannot be changed here: its text is put together when the container starts",
		terminal.Printable(f.Text), terminal.Printable(f.Source))
}

func (t *trial) rewriteIn(f *engine.FlagLine, text string) error {
	entry := t.entry(variable(f.Source))
	value, _ := entry["value"].(string)
	edited, ok := rewritten(value, f.Text, text)
	if !ok {
		return fmt.Errorf("%s of %s cannot be changed here", terminal.Printable(f.Text), terminal.Printable(f.Source))
	}
	entry["value"] = edited
	t.made(f, text)
	return nil
}

// made notes that a flag has become another text, or is gone.
func (t *trial) made(f *engine.FlagLine, text string) {
	t.say(f.Source, f.Text, text)
	if text == "" {
		*f = engine.FlagLine{}
		return
	}
	f.Text = text
}

// places are where the text of a flag may stand. They are the place where it was found, the words
// of a command, and the variables and commands that it may come from.
func (t *trial) places(pointer string) []string {
	list := []string{pointer}
	if words, ok := lookup(t.manifest, pointer).([]any); ok {
		list = nil
		for i := len(words) - 1; i >= 0; i-- {
			list = append(list, fmt.Sprintf("%s/%d", pointer, i))
		}
	}
	env, _ := t.container["env"].([]any)
	for i := range env {
		list = append(list, fmt.Sprintf("%s/env/%d/value", t.now.Path, i))
	}
	for _, key := range []string{"args", "command"} {
		words, _ := t.container[key].([]any)
		for i := len(words) - 1; i >= 0; i-- {
			list = append(list, fmt.Sprintf("%s/%s/%d", t.now.Path, key, i))
		}
	}
	return list
}

const blanks = " \t\r\n"

// rewritten replaces the last word of a text that is the flag.
func rewritten(text, old, now string) (string, bool) {
	if old == "" {
		return text, false
	}
	for end := len(text); end > 0; {
		at := strings.LastIndex(text[:end], old)
		if at < 0 {
			return text, false
		}
		if edge(text, at-1) && edge(text, at+len(old)) {
			before, after := text[:at], text[at+len(old):]
			switch {
			case now != "":
			case after == "":
				before = strings.TrimRight(before, blanks)
			case before == "" || strings.ContainsAny(before[len(before)-1:], blanks):
				after = strings.TrimLeft(after, blanks)
			}
			return before + now + after, true
		}
		end = at + len(old) - 1
	}
	return text, false
}

// edge says whether a word may end at the byte at i.
func edge(text string, i int) bool {
	return i < 0 || i >= len(text) || strings.IndexByte(" \t\r\n\v\f\"';&|()", text[i]) >= 0
}

// add puts a flag behind those of JAVA_TOOL_OPTIONS.
func (t *trial) add(text string) error {
	for _, f := range t.now.Flags {
		if f.Text == "" && variable(f.Source) == toolOptions {
			return fmt.Errorf("%s cannot be added: %s is not known, %s", text, toolOptions, terminal.Printable(f.Note))
		}
	}
	there := t.entry(toolOptions) != nil
	if known := t.literal(toolOptions); there && !known {
		return fmt.Errorf("%s cannot be added: %s is filled in when the Pod starts", text, toolOptions)
	}
	entry := t.entry(toolOptions)
	value, _ := entry["value"].(string)
	entry["value"] = strings.TrimSpace(value + " " + text)
	t.say(toolOptions, "", text)
	return nil
}

// variable is the one that a source names: "JAVA_OPTS" of "JAVA_OPTS, ConfigMap news/jvm".
func variable(source string) string {
	name, _, _ := strings.Cut(source, ",")
	return strings.TrimSpace(name)
}

// entry is the last entry of a variable.
func (t *trial) entry(name string) map[string]any {
	env, _ := t.container["env"].([]any)
	for i := len(env) - 1; i >= 0; i-- {
		if entry, ok := env[i].(map[string]any); ok && entry["name"] == name {
			return entry
		}
	}
	return nil
}

// literal writes a variable that a ConfigMap fills in as the flags that are known of it; false
// where there are none. A variable that is not there is made, empty. One that has its text already,
// perhaps by an earlier change, keeps it.
func (t *trial) literal(source string) bool {
	name := variable(source)
	if entry := t.entry(name); entry != nil && entry["valueFrom"] == nil {
		return true
	}
	var texts []string
	for _, f := range t.now.Flags {
		if variable(f.Source) == name && f.Text != "" {
			texts = append(texts, f.Text)
		}
	}
	entry := t.entry(name)
	if entry == nil {
		entry = map[string]any{"name": name}
		env, _ := t.container["env"].([]any)
		t.container["env"] = append(env, any(entry))
	}
	delete(entry, "valueFrom")
	entry["value"] = strings.Join(texts, " ")
	return len(texts) > 0
}
