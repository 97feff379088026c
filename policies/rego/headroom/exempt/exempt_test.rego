package headroom.exempt_test

import data.headroom.catalogue
import data.headroom.exempt
import data.headroom.reviews_test as reviews

_rules := {"HR101": {"slug": "class-missing"}, "HR202": {"slug": "latency-cpu-limit"}}

_ids := {"class-missing": "HR101", "latency-cpu-limit": "HR202"}

# 2026-11-21, noon.
_noon := 1795262400000000000

_review(annotations, namespace) := reviews.of_object(
	{
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"name": "a-1", "namespace": "shop", "annotations": annotations},
	},
	{"namespaces": [{"metadata": {"annotations": namespace}}]},
)

_exempted(annotations, namespace) := rules if {
	rules := exempt.rules with input as _review(annotations, namespace)
		with data.headroom.now as _noon
		with data.headroom.catalogue.rules as _rules
		with data.headroom.catalogue.ids as _ids
}

test_an_id_and_a_slug_name_a_rule if {
	want := {"HR202": {"reason": "pinned", "until": "", "source": "annotation"}}
	_exempted({"ignore.headroom.dev/HR202": " pinned "}, {}) == want
	_exempted({"ignore.headroom.dev/latency-cpu-limit": "pinned"}, {}) == want
	_exempted({"ignore.headroom.dev/HR999": "pinned"}, {}) == {}
	_exempted({"headroom.dev/ignore": "pinned"}, {}) == {}
}

test_a_rule_named_twice_is_exempted_once if {
	_exempted(
		{
			"ignore.headroom.dev/latency-cpu-limit": "by slug",
			"ignore.headroom.dev/HR202": "by ID",
		},
		{},
	) == {"HR202": {
		"reason": "by ID",
		"until": "",
		"source": "annotation",
	}}
	_exempted(
		{
			"ignore.headroom.dev/latency-cpu-limit": "by slug",
			"ignore.headroom.dev/HR202": "",
		},
		{},
	).HR202.reason == "by slug"
}

test_each_rule_has_its_own_reason if {
	found := _exempted({"ignore.headroom.dev/HR101": "why", "ignore.headroom.dev/HR202": "until=2027-01-31;because"}, {})
	found == {
		"HR101": {"reason": "why", "until": "", "source": "annotation"},
		"HR202": {"reason": "because", "until": "2027-01-31", "source": "annotation"},
	}
}

test_without_a_reason_nothing_is_exempted if {
	every empty in ["", "  \n", "until=2027-01-31", "until=2027-01-31; ", null, 5, true, [], {}] {
		_exempted({"ignore.headroom.dev/HR202": empty}, {}) == {}
	}
	every nothing in _without_words {
		_exempted({"ignore.headroom.dev/HR202": nothing}, {}) == {}
		_exempted({"ignore.headroom.dev/HR202": concat("", ["until=2027-01-31;", nothing])}, {}) == {}
	}
	every reason in ["why", "\u200bo k\ny", "原因", "이유", "причина", "été", "OPS-12"] {
		_exempted({"ignore.headroom.dev/HR202": reason}, {}).HR202.reason == reason
	}
}

# Zero-width space and joiners, soft hyphen, blank braille, the fillers of Hangul, a mark without a
# letter, digits, punctuation, an emoji; a letter or two.
_without_words := [
	"\u200b", "\u200d\ufeff", "\u00ad", "\u2060", "\u2800", "\u3164", "\u115f\u1160", "\uffa0",
	"\u034f", "\u0301", "...", "-", "1234", "👍", "\u202e", "\ue000",
	"x", "\u200bx", "é", "ok", "n/a", "原", "\u3164\uffa0因",
]

test_a_date_ends_it if {
	every value in [
		"until=2026-11-21;known",
		" until=2026-11-21 ; known",
		"\u00a0until=2027-02-28;\nknown",
		"until=9999-12-31;known",
		"until=2028-02-29;known",
	] {
		_exempted({"ignore.headroom.dev/HR202": value}, {}).HR202.reason == "known"
	}
	every value in [
		"until=2026-11-20;known",
		"until=0000-01-01;known",
		"until=2027-02-30;known",
		"until=2027-02-29;known",
		"until=2027-04-31;known",
		"until=2027-1-1;known",
		"until=tomorrow;known",
		"until=2027-01-01T00:00:00Z;known",
	] {
		_exempted({"ignore.headroom.dev/HR202": value}, {}) == {}
	}
	_exempted({"ignore.headroom.dev/HR202": "until=;known"}, {}).HR202.until == ""
}

test_the_calendar if {
	every day in ["2027-01-31", "2024-02-29", "2000-02-29", "0000-02-29", "1900-02-28", "2027-06-30", "2027-12-31"] {
		exempt.is_date(day)
	}
	every day in [
		"2027-00-10",
		"2027-13-01",
		"2027-01-32",
		"1900-02-29",
		"2023-02-29",
		"2027-06-31",
		"",
		"2027-01-3",
		"x",
	] {
		not exempt.is_date(day)
	}
}

test_annotations_as_they_stand if {
	found := exempt.annotations with input as _review(
		{
			"ignore.headroom.dev/class-missing": "until=2027-01-31; why; really",
		},
		{},
	)
		with data.headroom.catalogue.rules as _rules
		with data.headroom.catalogue.ids as _ids
	found == [{
		"key": "ignore.headroom.dev/class-missing",
		"name": "class-missing",
		"rule": "HR101",
		"reason": "why; really",
		"until": "2027-01-31",
		"path": ["metadata", "annotations", "ignore.headroom.dev/class-missing"],
	}]
}

test_the_namespace_may_allow_some_only if {
	both := {"ignore.headroom.dev/HR101": "known", "ignore.headroom.dev/HR202": "known"}
	object.keys(_exempted(both, {})) == {"HR101", "HR202"}
	object.keys(_exempted(both, {"headroom.dev/allow-ignore": "HR101, HR999"})) == {"HR101"}
	object.keys(_exempted(both, {"headroom.dev/allow-ignore": "x, latency-cpu-limit"})) == {"HR202"}

	# An empty list allows none, and neither does what is no list.
	every list in ["", " ", null, false, 5, [], {}] {
		_exempted(both, {"headroom.dev/allow-ignore": list}) == {}
	}
}

_all(namespace) := ids if {
	rules := exempt.rules with input as _review(
		{concat("", ["ignore.headroom.dev/", id]): "known" | some id, _ in catalogue.rules},
		namespace,
	)
	ids := object.keys(rules)
}

test_what_bounds_tenants_is_not_exempted_by_default if {
	all := object.keys(catalogue.rules)
	_all({}) == all - exempt.bounds
	_all({"headroom.dev/allowed-classes": "batch"}) == (all - exempt.bounds) - exempt.class_limits
	_all({"headroom.dev/cpu-allocation": "1"}) == all - exempt.bounds
	_all({"headroom.dev/allow-ignore": "HR104, tenant-cpu-limit"}) == {"HR104", "HR207"}
	_all({"headroom.dev/allow-ignore": "*"}) == set()
	count((exempt.bounds | exempt.class_limits) - all) == 0
}

test_the_clock_is_the_machine_s_where_none_is_given if {
	exempt.now > 1700000000000000000
	exempt.now > 1700000000000000000 with data.headroom.now as "later"
	exempt.now == 5 with data.headroom.now as 5
}

_by_config(entries) := covered if {
	covered := exempt.from_config("HR202", "latency-cpu-limit", "app") with input as _review({}, {})
		with data.headroom.now as _noon
		with data.headroom.overrides as {"ignore": entries}
}

test_the_config_exempts if {
	every more in [
		{},
		{"rules": ["HR1", "latency-cpu-limit"]},
		{"rules": ["*"]},
		{"namespace": "shop", "kind": "Pod", "name": "a-1", "container": "app"},
		{"namespace": "s*p", "name": "*-1", "container": "*"},
		{"until": "2026-11-21"},
	] {
		_by_config([object.union({"rules": ["HR202"], "reason": "r"}, more)]) == {
			"reason": "r",
			"until": object.get(more, "until", ""),
			"source": "config",
		}
	}
}

test_the_config_exempts_nothing_else if {
	every more in [
		{"rules": ["HR101"]},
		{"rules": []},
		{"namespace": "sho"},
		{"namespace": ""},
		{"kind": "Deployment"},
		{"name": "b*"},
		{"name": "a.1*"},
		{"name": "[a*"},
		{"container": "app2"},
		{"reason": " "},
		{"until": "2026-11-20"},
		{"until": "soon"},
	] {
		not _by_config([object.union({"rules": ["HR202"], "reason": "r"}, more)])
	}
	not _by_config([])
}

test_the_first_entry_that_covers_it_decides if {
	_by_config([
		{"rules": ["HR101"], "reason": "other"},
		{"rules": ["HR202"], "reason": "first"},
		{"rules": ["*"], "reason": "second"},
	]).reason == "first"
}
