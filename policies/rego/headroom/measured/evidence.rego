package headroom.measured

import data.headroom.config
import data.headroom.duration
import data.headroom.words
import data.headroom.workload

# _text says who measured and how well: measured by Prometheus: 10 080 samples over 7d, newest
# 40s old.
_text(source, figures) := concat("", array.concat(
	["measured by ", source],
	array.concat(_samples(figures), _newest(figures)),
))

_samples(figures) := array.concat(
	[sprintf(": %s", [_count(figures)]) | figures.samples >= 0],
	[sprintf(" over %s", [words.span(figures.window_seconds)]) | figures.window_seconds > 0],
)

_newest(figures) := [sprintf(", newest %s old", [words.span(figures.age_seconds)]) | figures.age_seconds >= 0]

_count(figures) := sprintf("%s %s", [words.grouped(figures.samples), _noun(figures.samples)])

_noun(1) := "sample"

_noun(n) := "samples" if n != 1

# counts says that a value of a container was measured, and well enough.
counts(name, value) if containers[name][value] > 0

# doubt puts the reason why what was measured of a container does not count into words; "" where
# it does, or where nothing was measured.
doubt(c, text) := sprintf(text, [containers[c.name].doubt]) if {
	containers[c.name].doubt != ""
} else := ""

# missing is why a value is not known: the doubt about it, or that it was not measured; other
# words if no measurement was asked for at all.
missing(c, otherwise) := otherwise if {
	not workload.measured
} else := containers[c.name].doubt if {
	containers[c.name].doubt != ""
} else := "it was not measured"

# _doubt is "", or why the values do not count. A source that keeps no count, or no time, has
# to stand by what it gives.
_doubt(source, figures) := sprintf("%s has %s, at least %v are wanted", [source, _count(figures), least]) if {
	least := config.settings.measured.minSamples
	figures.samples >= 0
	figures.samples < least
} else := sprintf("the newest sample of %s is %s old, at most %s is wanted", [
	source,
	words.span(figures.age_seconds),
	words.span(_max_age_ms / 1000),
]) if {
	figures.age_seconds * 1000 > _max_age_ms
} else := ""

# One that cannot be read is the linter's to refuse; a day is the default.
_max_age_ms := ms if {
	ms := duration.ms(config.settings.measured.maxAge)
	ms >= 0
} else := 86400000
