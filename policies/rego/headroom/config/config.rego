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

# matches tells whether a pattern covers a value: `*` in it stands for any part. No name or label that Kubernetes takes
# has more than 253 characters: a longer one is covered by nothing, so that the expression below stays small.
matches("*", _) := true

matches(pattern, value) if {
	count(value) <= _longest
	short := regex.replace(pattern, `\*+`, "*")
	count(short) <= (2 * _longest) + 1 # no longer one could cover it
	literal := regex.replace(short, `[.+?()\[\]{}^$|\\]`, `\$0`)
	regex.match(concat("", ["^(?s:", replace(literal, "*", ".*"), ")$"]), value)
}

_longest := 512

# classes are the names that a workload may be given.
classes := object.keys(settings.matrix)
