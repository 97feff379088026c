package headroom.measured

import data.headroom.config
import data.headroom.duration
import data.headroom.exempt
import data.headroom.words
import data.headroom.workload

# dated is what measured.headroom.dev/<container> says of the annotations beside it, by container: {date, of, over,
# runtime}. of are the values that were measured, over is the time that was seen, in seconds, and runtime that in which
# the program told of itself; 0 is not known. One that cannot be read says nothing, and HR105 says so.
dated := {name: {
	"date": date,
	"of": {of | some list in _said(parts, "of"); some of in split(list, ",")},
	"over": _span(parts, "over"),
	"runtime": _span(parts, "runtime"),
} |
	some name, text in workload.annotations_of("measured.headroom.dev/")
	is_string(text)
	parts := [word | some word in split(text, " "); word != ""]
	every word in parts {
		regex.match(concat("", ["^(?:", dated_word, ")$"]), word)
	}
	[date] := _said(parts, "date")
}

_said(parts, key) := [trim_prefix(word, concat("", [key, "="])) |
	some word in parts
	startswith(word, concat("", [key, "="]))
]

_span(parts, key) := max(array.concat([0], [seconds |
	some text in _said(parts, key)
	seconds := to_number(trim_right(text, "dhm")) * _seconds[substring(text, count(text) - 1, 1)]
]))

_seconds := {"d": 86400, "h": 3600, "m": 60}

# dated_word is one word of it.
dated_word := concat("", [
	"date=", trim_suffix(trim_prefix(exempt.calendar, "^"), "$"),
	"|(?:over|runtime)=[1-9][0-9]{0,5}[dhm]",
	"|of=(?:", _any_of, ")(?:,(?:", _any_of, "))*",
])

_any_of := concat("|", array.concat(of_container, of_runtime))

# What was measured of a container from outside, and what its program told, by the names that annotations have.
of_container := ["cpu-average", "cpu-peak", "memory-peak"]

of_runtime := ["threads", "classes", "metaspace", "codecache", "direct", "live", "processors", "pause"]

# by_annotation says that the value of an annotation was measured.
by_annotation(name, of) if of in dated[name].of

# beside says when a value was measured that an annotation gives; "" where it does not say so.
beside(name, of) := sprintf(", measured %s%s", [dated[name].date, _over(span_of(name, of))]) if {
	by_annotation(name, of)
} else := ""

# span_of is the time in which it was seen, in seconds; 0 is not known.
span_of(name, of) := dated[name].runtime if {
	of in of_runtime
} else := dated[name].over

_over(0) := ""

_over(seconds) := sprintf(" over %s%s", [words.span(seconds), _only(seconds)]) if seconds > 0

_only(seconds) := ", less than a day" if {
	seconds < day
} else := ""

# A day has a night: with less of it, the hours of the highest load may be missing.
day := 86400

# stale says that a date is longer ago than an annotation may be.
stale(date) if date < time.format([exempt.now - (annotation_max_age_ms * 1000000), "UTC", "2006-01-02"])

# to_come says that it is not yet that day anywhere: the first time zone is 14 hours ahead.
to_come(date) if date > time.format([exempt.now + (((14 * 3600) * 1000) * 1000000), "UTC", "2006-01-02"])

# annotation_max_age_ms is how old a measurement in an annotation may be.
annotation_max_age_ms := ms if {
	ms := duration.ms(config.settings.measured.annotationMaxAge)
	ms >= 0
} else := duration.ms(config.defaults.measured.annotationMaxAge)
