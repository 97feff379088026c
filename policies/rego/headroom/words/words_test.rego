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
