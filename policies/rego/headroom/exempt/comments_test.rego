package headroom.exempt_test

import data.headroom.exempt
import data.headroom.judge

_commented(texts, paths, more) := object.union(
	{
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": _limited,
		"comments": [{"text": text, "paths": paths} | some text in texts],
	},
	more,
)

# A latency-sensitive container whose CPU limit HR202 finds.
_limited := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "a-1", "namespace": "shop", "annotations": {"headroom.dev/workload-class": "latency-sensitive"}},
	"spec": {"containers": [{"name": "app", "image": "example.com/app:1", "resources": {
		"requests": {"cpu": "1", "memory": "1Gi"},
		"limits": {"cpu": "1500m", "memory": "1Gi"},
	}}]},
}

_limit := ["spec", "containers", 0, "resources", "limits", "cpu"]

_told(texts, paths, more) := {
	"exempted": {[f.rule, f.suppressed] | some f in result.exempted},
	"found": {f.rule | some f in result.findings},
	"said": {f.message | some f in result.findings; f.rule == "HR106"},
} if {
	result := judge.result with input as _commented(texts, paths, more) with data.headroom.now as _noon
}

test_a_comment_exempts_where_it_stands if {
	every path in [_limit, ["spec", "containers", 0], []] {
		told := _told([" HR202 billed by limit"], [path], {})
		told.exempted == {["HR202", {"reason": "billed by limit", "until": "", "source": "comment"}]}
		told.said == set()
		not "HR202" in told.found
	}
	every path in [["spec", "containers", 1], ["spec", "containers", 0, "resources", "requests"], ["metadata"]] {
		told := _told([" HR202 billed by limit"], [path], {})
		told.exempted == set()
		told.said == {"The comment headroom:ignore HR202 speaks for nothing that this rule finds, and exempts nothing."}
		"HR202" in told.found
	}
}

test_slugs_days_and_several_rules if {
	until := {"reason": "billed by limit", "until": "2027-01-31", "source": "comment"}
	_told([" latency-cpu-limit, until=2027-01-31; billed by limit"], [_limit], {}).exempted == {["HR202", until]}
	told := _told([" HR202,HR301: billed until=2027-01-31 by limit"], [_limit], {})
	told.exempted == {["HR202", {"reason": "billed by limit", "until": "2027-01-31", "source": "comment"}]}
	told.said == {"The comment headroom:ignore HR301 speaks for nothing that this rule finds, and exempts nothing."}
}

test_comments_that_exempt_nothing if {
	every text, why in {
		"": "The comment headroom:ignore names no rule, and exempts nothing.",
		" HR999 known": "The comment headroom:ignore HR999 names no rule, and exempts nothing.",
		" HR202": "The comment headroom:ignore HR202 gives no reason, and exempts nothing.",
		" HR202 ...": "The comment headroom:ignore HR202 gives no reason, and exempts nothing.",
		" HR202 until=2026-11-20 known": "The comment headroom:ignore HR202 ended with \"2026-11-20\", and exempts nothing.",
		" HR202 until=soon known": "The comment headroom:ignore HR202 ended with \"soon\", and exempts nothing.",
	} {
		told := _told([text], [_limit], {})
		told.said == {why}
		told.exempted == set()
	}
	nowhere := "The comment headroom:ignore HR202 stands above no field, and exempts nothing."
	_told([" HR202 known"], [], {}).said == {nowhere}
}

test_a_namespace_bounds_comments if {
	namespace := {"context": {"namespaces": [{"metadata": {"annotations": {"headroom.dev/allow-ignore": "HR301"}}}]}}
	told := _told([" HR202 billed"], [_limit], namespace)
	told.exempted == set()
	told.said == {"The comment headroom:ignore HR202 is not allowed in namespace shop, and exempts nothing."}
}

# A comment above a List speaks for all of it: one object of it need not have the finding.
test_a_comment_on_more_than_the_object if {
	item := {"prefix": ["items", 3]}
	_told([" HR301 known"], [[]], item).said == set()
	count(_told([" HR301 known"], [["items", 3, "spec"]], item).said) == 1
	count(_told([" HR202 known"], [array.concat(["items", 3], _limit)], item).exempted) == 1
	count(_told([" HR202 known"], [_limit], item).exempted) == 0
}

# What is exempted by a comment is not fixed, and keeps what rests on it.
test_no_change_is_pending if {
	paths := {f.path | some f in judge.result.findings; f.rule == "HR202"} with input as _commented([], [], {})
	paths == {_limit}
	exempt.comments == [] with input as _limited
}
