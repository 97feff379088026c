# METADATA
# title: Evidence
# description: |
#   How well a figure is known. A figure is {value, least, most, unit, source, grade}: what is expected, the range
#   that it may be in, all three in the unit, where it comes from in words, and its grade. What is
#   said, advised or changed by a figure goes by its range and its grade, and by nothing else.
package headroom.evidence

# grades, the weakest first. assumed is a guess. known is a table, or a runtime's own rule applied to what is declared.
# measured is what Prometheus, a VPA or an annotation saw. declared is a field, a flag or an annotation.
grades := ["assumed", "known", "measured", "declared"]

# weakest is the weakest of some grades; "declared" of none. What is no grade counts as assumed.
weakest(of) := grades[min([_rank(grade) | some grade in of])] if {
	count(of) > 0
} else := "declared"

_rank(grade) := rank if {
	some rank, name in grades
	name == grade
} else := 0

# total is the sum of figures of one unit: its ends are the sums of theirs, its grade the weakest of theirs.
total(figures) := {
	"value": sum([figure.value | some figure in figures]),
	"least": sum([figure.least | some figure in figures]),
	"most": sum([figure.most | some figure in figures]),
	"unit": concat("", {figure.unit | some figure in figures}),
	"source": concat(" + ", [figure.source | some figure in figures]),
	"grade": weakest([figure.grade | some figure in figures]),
}

# severity is how gravely a figure breaks an upper bound; "" where nothing of it does. It is an error where all of its
# range does, a warning where what is expected does, and an info where only the most does.
severity(figure, bound) := "error" if {
	figure.least > bound
} else := "warning" if {
	figure.value > bound
} else := "info" if {
	figure.most > bound
} else := ""

# narrow says that the range of a figure is within a quarter of what is expected.
narrow(figure) if (figure.most - figure.least) * 4 <= figure.value

# numbered says that a figure may be advised as a number: nothing in it is assumed, or its range is narrow.
numbered(figure) if figure.grade != "assumed"

numbered(figure) if narrow(figure)
