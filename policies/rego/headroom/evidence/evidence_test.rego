package headroom.evidence_test

import data.headroom.evidence

figure(least, value, most, grade) := {
	"value": value,
	"least": least,
	"most": most,
	"unit": "MiB",
	"source": grade,
	"grade": grade,
}

test_weakest if {
	evidence.weakest(["declared", "assumed", "known"]) == "assumed"
	evidence.weakest(["declared", "measured", "known"]) == "known"
	evidence.weakest(["declared", "measured"]) == "measured"
	evidence.weakest({"declared"}) == "declared"
	evidence.weakest([]) == "declared"
}

# A slip in a grade makes a figure no better than a guess.
test_no_grade_is_a_guess if {
	evidence.weakest(["declared", "sure"]) == "assumed"
	not evidence.changes(figure(1, 1, 1, "sure"))
}

test_total if {
	evidence.total([figure(8, 96, 256, "assumed"), evidence.point(512, "MiB", "-Xmx512m", "declared")]) == {
		"value": 608,
		"least": 520,
		"most": 768,
		"unit": "MiB",
		"source": "assumed + -Xmx512m",
		"grade": "assumed",
	}
	evidence.total([]) == evidence.point(0, "", "", "declared")
}

test_severity if {
	some_figure := figure(100, 200, 300, "assumed")
	evidence.severity(some_figure, 99) == "error"
	evidence.severity(some_figure, 100) == "warning"
	evidence.severity(some_figure, 199) == "warning"
	evidence.severity(some_figure, 200) == "info"
	evidence.severity(some_figure, 299) == "info"
	evidence.severity(some_figure, 300) == ""
}

# What is exactly known has two answers.
test_severity_of_a_point if {
	evidence.severity(evidence.point(100, "MiB", "", "declared"), 99) == "error"
	evidence.severity(evidence.point(100, "MiB", "", "declared"), 100) == ""
}

test_narrow if {
	evidence.narrow(figure(90, 100, 115, "assumed"))
	not evidence.narrow(figure(90, 100, 116, "assumed"))
	evidence.narrow(evidence.point(0, "MiB", "", "declared"))
	not evidence.narrow(figure(0, 0, 1, "assumed"))
}

test_numbered if {
	evidence.numbered(figure(1, 2, 9, "known"))
	evidence.numbered(figure(90, 100, 110, "assumed"))
	not evidence.numbered(figure(1, 2, 9, "assumed"))
}

test_changes if {
	{grade | some grade in evidence.grades; evidence.changes(figure(1, 1, 1, grade))} == {"known", "measured", "declared"}
}
