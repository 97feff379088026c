package headroom.words_test

import data.headroom.words

test_quoted_is_short_and_harmless if {
	words.quoted("512Mi") == `"512Mi"`
	words.quoted("a\u001b[31mb\u202ec\nd\u2028") == `"a?[31mb?c?d?"`
	words.quoted(`say "hi"`) == `"say \"hi\""`
	words.quoted(concat("", ["x" | some _ in numbers.range(1, 41)])) == sprintf(`"%s…"`, [concat("", [
	"x" |
		some _ in numbers.range(1, 39)
	])])
	words.quoted(null) == "null"
	words.quoted(2.5) == "2.5"
	words.quoted(["a", {"b": true}]) == `["a",{"b":true}]`
	count(words.quoted(numbers.range(1, 100))) == 40
}

test_a_cut_is_as_long_as_asked_for if {
	words.cut("abcde", 5) == "abcde"
	words.cut("abcdef", 5) == "abcd…"
}

test_listed if {
	words.listed({"b", "a"}) == "a, b"
	words.listed([]) == ""
}

_classes := {"latency-sensitive", "batch", "sidecar", "cron", "multi-tenant"}

test_the_nearest_name if {
	every text, name in {
		"bach": "batch",
		"btach": "batch",
		"Batch": "batch",
		"batch-job": "batch",
		"latency": "latency-sensitive",
		"latencysensitive": "latency-sensitive",
		"latency_sensitive": "latency-sensitive",
		"tenant": "multi-tenant",
		"multitenant": "multi-tenant",
		"cronjob": "cron",
		"side-car": "sidecar",
	} {
		words.nearest(text, _classes) == name
	}
}

test_nothing_is_near if {
	every text in ["", "web", "xyz", "12345", "\u0000"] {
		words.nearest(text, _classes) == ""
	}
	words.nearest("batch", set()) == ""
}

test_thousands_stand_apart if {
	{n: words.grouped(n) | some n in [0, 12, 999, 1000, 10080, 1234567]} == {
		0: "0",
		12: "12",
		999: "999",
		1000: "1 000",
		10080: "10 080",
		1234567: "1 234 567",
	}
}

test_lengths_of_time if {
	words.span(40.4) == "40s"
	{n: words.span(n) | some n in [0, 119, 120, 5400, 7199, 7200, 86400, 172799, 172800, 216000, 604800]} == {
		0: "0s",
		119: "119s",
		120: "2m",
		5400: "90m",
		7199: "120m",
		7200: "2h",
		86400: "24h",
		172799: "48h",
		172800: "2d",
		216000: "2.5d",
		604800: "7d",
	}
}

test_forty_characters_are_shown if {
	forty := concat("", ["x" | some _ in numbers.range(1, 40)])
	words.shown(forty) == forty
}

# Of the 3 and 9 letters and pairs, 3 are in both: a quarter of all.
test_as_near_as_it_has_to_be if {
	words.nearest("ab", {"abcde"}) == "abcde"
	words.nearest("ab", {"abcdef"}) == ""
}

test_the_parts_of_a_message if {
	words.field(["spec", "containers", 0]) == "spec.containers.0"
	words.listed_shown({"b", "a\n"}) == "a?, b"
	words.did_you_mean("") == ""
	words.did_you_mean("cron") == "; did you mean cron?"
	words.ended("So") == "So."
	words.ended("So?") == "So?"
	words.unless_hidden(false, ["a", "b"]) == ["This does not apply if envFrom sets it: a, b."]
	words.unless_hidden(false, ["a"]) == ["This does not apply if envFrom sets it: a."]
	words.unless_hidden(false, []) == []
	words.unless_hidden(true, ["a"]) == []
}

# What follows the 40th letter does not count, and of two that are as near the later is taken.
test_the_nearest_name_of_a_long_text if {
	forty := concat("", ["x" | some _ in numbers.range(1, 40)])
	words.nearest(concat("", [forty, "yz"]), {"x"}) == "x"
	words.nearest("ac", {"ab", "ad"}) == ""
	words.nearest("abx", {"aby", "abz"}) == "abz"
}

test_what_may_be_told_of_a_value if {
	every text in ["", "1", "-5", "2g", "75.0", "50%", "0x1F", "1GiB", "512MB", "off", "limits.cpu"] {
		words.told(text) == text
	}
	every text in ["secret", "1secret", "1 g", "2g\n", "1.2.3", "0xsecret", "on,secret", "/x", "123456789012345678901"] {
		words.told(text) == "…"
	}
}

test_placeholders if {
	every text in [
		"${CPU}", "${CPU:=2}", "${A:-${B}}", "$CPU", "$(trino_cpu)", "{{ cpu }}", "${MEM}Mi", "<path:secret/x#y>", "<cpu>",
		"#{cpu}", "@cpu.limit@", "%CPU%", "__CPU__",
	] {
		words.placeholder(text)
	}
	every text in ["$", "$5", "<", "{1}", "1%", "@", "_2_", "512m", "", 5, null] {
		not words.placeholder(text)
	}
}
