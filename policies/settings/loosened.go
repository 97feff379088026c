package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// Changes says in words what one config decides otherwise than another. What lets more pass is first: rules that are off
// or less severe, and new exemptions. Then come the other keys that differ. nil is no config.
func Changes(before, now map[string]any) []string {
	said := append(rulesChanged(before, now), exemptionsAdded(before, now)...)
	var rest []string
	for _, key := range keysOf(before, now) {
		if !slices.Contains([]string{"rules", "ignore", "apiVersion", "kind"}, key) && !reflect.DeepEqual(before[key], now[key]) {
			rest = append(rest, key)
		}
	}
	if len(rest) > 0 {
		said = append(said, strings.Join(rest, ", ")+" changed")
	}
	return said
}

func keysOf(a, b map[string]any) []string {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

func rulesChanged(before, now map[string]any) []string {
	var said []string
	was, is := settingsOf(before), settingsOf(now)
	for _, rule := range keysOf(was, is) {
		if was, is := severityOf(was[rule]), severityOf(is[rule]); was != is {
			said = append(said, fmt.Sprintf("%s is %s in place of %s", rule, is, was))
		}
	}
	return said
}

func settingsOf(config map[string]any) map[string]any {
	rules, _ := config["rules"].(map[string]any)
	return rules
}

func severityOf(rule any) string {
	settings, _ := rule.(map[string]any)
	switch severity := settings["severity"].(type) {
	case string:
		return severity
	case bool: // as YAML reads a bare off
		return "off"
	}
	return "its default"
}

// maxExemptions are named in a message.
const maxExemptions = 5

func exemptionsAdded(before, now map[string]any) []string {
	was, _ := before["ignore"].([]any)
	is, _ := now["ignore"].([]any)
	var added []string
	for _, entry := range is {
		if !slices.ContainsFunc(was, func(other any) bool { return reflect.DeepEqual(other, entry) }) {
			added = append(added, exemption(entry))
		}
	}
	if more := len(added) - maxExemptions; more > 0 {
		added = append(added[:maxExemptions], fmt.Sprintf("and %d more exemptions", more))
	}
	return added
}

// exemption names an entry of ignore, without its reason: the report has it beside what is exempted.
func exemption(entry any) string {
	fields, _ := entry.(map[string]any)
	rules, _ := fields["rules"].([]any)
	names := make([]string, len(rules))
	for i, rule := range rules {
		names[i] = fmt.Sprint(rule)
	}
	text := "an exemption from " + strings.Join(names, ", ")
	for _, key := range []string{"namespace", "kind", "name", "container"} {
		if value, ok := fields[key].(string); ok {
			text += fmt.Sprintf(", %s %s", key, value)
		}
	}
	return yamlfile.Told(text)
}
