package headroom.images

import data.headroom.process

# options are those of spark-submit in each of its calls in a container, in their order: [["--conf a=b", "--verbose"]].
# They end at the application: what stands behind it is the application's own. Shells take both in any order.
# A call has hidden_option among them where a word that is filled in later may be one; so has one that is not read.
# Source: https://github.com/apache/spark, launcher/…/SparkSubmitOptionParser.java
options(c) := found if {
	found := [options | some call in calls(c); options := _options_of(call)]
	count(found) > 0
} else := [[hidden_option]]

hidden_option := "?"

_options_of(call) := [hidden_option] if call.unread

_options_of(call) := array.concat(words, [hidden_option | some word in words; regex.match(_hides_option, word)]) if {
	not call.unread
	some pattern in [_submits, _shells]
	[[_, own]] := regex.find_all_string_submatch_n(pattern, regex.replace(call.line, _before_handed, ""), 1)
	words := [replace(trim_prefix(word, process.separator), process.separator, " ") |
		some word in regex.find_n(concat("", [_one_option, `|\x01[^\x01]*`]), own, -1)
	]
}

# Up to the application.
_submits := concat("", [
	`(?s)^\x01(?:(?:[^\x01]*/)?spark-submit|driver)((?:`, _one_option, `)*(?:\x01[^\x01]*)?)(?:\x01|$)`,
])

_shells := `(?s)^\x01(?:[^\x01]*/)?(?:pyspark|spark-shell|spark-sql)((?:\x01.*)?)$`

_one_option := concat("", [
	`\x01--(?:help|supervise|usage-error|verbose|version)|\x01-[hv]|`,
	`\x01(?:--[a-z-]+|-c)\x01[^\x01]*|\x01--[a-z-]+=[^\x01]*`,
])

# A word of its own; a setting whose name does not show; where the driver runs.
_hides_option := `^\x02$|^(?:--conf[ =]|-c )\x02|deploy-?[mM]ode[ =]\S*\x02`
