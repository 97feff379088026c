# METADATA
# title: Settings
# description: |
#   The defaults, with what a headroom.yaml changes. The file reaches the policies either
#   as data.headroom.overrides (from headroom itself) or as the whole of `data` (from
#   `conftest --data headroom.yaml`).
package headroom.config

# settings has every key of headroom.yaml. Objects are merged key by key, so that a row
# of the matrix or one memory figure can be changed alone; lists replace lists.
settings := defaults if _overrides == {}

settings := object.union(defaults, _overrides) if _overrides != {}

default _overrides := {}

# headroom itself has checked the file against the schema.
_overrides := data.headroom.overrides if is_object(data.headroom.overrides)

_overrides := _readable if {
	not data.headroom.overrides
	data.kind == "Config"
	is_string(data.apiVersion)
	startswith(data.apiVersion, "headroom.dev/")
}

# rule_settings of one rule, by its ID or its slug.
rule_settings(id, slug) := object.get(settings.rules, id, object.get(settings.rules, slug, {}))

# severity is what the config says of a rule, else the given default. A bare `off` in
# YAML 1.1 is the boolean false.
severity(id, slug, fallback) := "off" if {
	rule_settings(id, slug).severity == false
} else := rule_settings(id, slug).severity if {
	rule_settings(id, slug).severity in {"off", "info", "warning", "error"}
} else := fallback

# matches tells whether a pattern covers a value: `*` in it stands for any part, three times at most (the schema).
matches("*", _) := true

matches(pattern, pattern) := true

matches(pattern, value) if {
	parts := split(pattern, "*")
	last := count(parts) - 1
	last > 0
	startswith(value, parts[0])
	endswith(value, parts[last])
	rest := (count(value) - count(parts[0])) - count(parts[last])
	rest >= 0
	_in_order(substring(value, count(parts[0]), rest), array.slice(parts, 1, last))
}

_in_order(_, [])

_in_order(text, [part]) if contains(text, part)

_in_order(text, [part, next]) if contains(_after(part, text), next)

_after("", text) := text

_after(part, text) := substring(text, indexof(text, part) + count(part), -1) if {
	part != ""
	contains(text, part)
}

# classes are the names that a workload may be given.
classes := object.keys(settings.matrix)
