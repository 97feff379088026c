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
}

test_total if {
	evidence.total([figure(8, 96, 256, "assumed"), figure(512, 512, 512, "declared")]) == {
		"value": 608,
		"least": 520,
		"most": 768,
		"unit": "MiB",
		"source": "assumed + declared",
		"grade": "assumed",
	}
	evidence.total([]).grade == "declared"
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
	evidence.severity(figure(100, 100, 100, "declared"), 99) == "error"
	evidence.severity(figure(100, 100, 100, "declared"), 100) == ""
}

test_narrow if {
	evidence.narrow(figure(90, 100, 115, "assumed"))
	not evidence.narrow(figure(90, 100, 116, "assumed"))
	evidence.narrow(figure(0, 0, 0, "declared"))
	not evidence.narrow(figure(0, 0, 1, "assumed"))
}

test_numbered if {
	evidence.numbered(figure(1, 2, 9, "known"))
	evidence.numbered(figure(90, 100, 110, "assumed"))
	not evidence.numbered(figure(1, 2, 9, "assumed"))
}
