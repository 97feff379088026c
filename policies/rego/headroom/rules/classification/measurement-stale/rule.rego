# METADATA
# title: Measurement in an annotation that is old or short
# description: |
#   headroom annotate writes the day of a measurement, and the time that was seen, into
#   measured.headroom.dev/<container>. Load and releases change: figures of another season say little of now. A
#   measurement of less than a day has not seen the hours of the highest load. The figures count as before.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
#   description: Annotations
# custom:
#   id: HR107
#   severity: info
#   harm: style
#   fixable: false
#   kyverno: false
#   remediation: |
#     Measure again: `headroom annotate deploy/ --prometheus URL --write`. `measured.annotationMaxAge` in
#     headroom.yaml says how old a measurement may be; the default is 90 days. Without a cluster to measure in,
#     remove the annotation, and what its `of` lists where that is no longer right.
package headroom.rules.classification["measurement-stale"]

import data.headroom.measured
import data.headroom.words
import data.headroom.workload

report contains finding if {
	some c in workload.containers
	dated := measured.dated[c.name]
	some [why, of, expected] in _problems(dated)
	finding := {
		"container": c.name,
		"path": workload.annotation_path(concat("", ["measured.headroom.dev/", c.name])),
		"message": sprintf("measured.headroom.dev/%s: %s%s.", [c.name, why, _named(of)]),
		"expected": expected,
	}
}

_problems(dated) := {[why, dated.of, expected]} if {
	measured.stale(dated.date)
	most := words.span(measured.annotation_max_age_ms / 1000)
	why := sprintf("measured on %s, more than %s ago", [dated.date, most])
	expected := sprintf("a measurement of the last %s (headroom annotate writes it)", [most])
} else := {[sprintf("%s is yet to come", [dated.date]), dated.of, "the day of the measurement"]} if {
	measured.to_come(dated.date)
} else := {[why, of & dated.of, "a measurement over a day or more: run headroom annotate again tomorrow"] |
	some [seconds, of] in [
		[dated.over, {name | some name in measured.of_container}],
		[dated.runtime, {name | some name in measured.of_runtime}],
	]
	seconds > 0
	seconds < measured.day
	why := sprintf("only %s were measured, and the peak of the day may be missing", [words.span(seconds)])
}

_named(of) := sprintf(" (%s)", [concat(", ", sort(of))]) if {
	count(of) > 0
} else := ""
