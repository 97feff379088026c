package headroom.runtime.jvm

# The same patterns for the CEL policies, which know no groups: a match ends right behind the name
# of java, with the character that follows it.

_ends_name := `(?:\x01|$)`

_java_start := concat("", ["(?s)^", _wrapper, _name_of_java, _ends_name])

_through_script_start := concat("", [`(?s)^\x01[^\x01-][^\x01]*`, _name_of_java, `\x01`])

_script_start := concat("", ["(?s)^.*?", _script_call])

_script_call := concat("", ["(?s)", _call_of_java, `(?:\s|$)`])

# _release is a version without the 1. of old; _update is what of it tells the update.
_release := concat("", [`^[1-9][0-9]?(?:(?:`, _before_update, `)[0-9]{1,4})?(?:[.+_-].*)?$`])

_update := concat("", [`^[1-9][0-9]?(?:`, _before_update, `)[0-9]{1,4}(?:[.+_-]|$)`])
