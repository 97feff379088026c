package headroom.rules.classification["exemption-expired_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.classification["exemption-expired"] as rule

# 2026-11-21, noon.
_noon := 1795262400000000000

_review(value, namespace) := reviews.of_object(
	{
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"namespace": "shop", "annotations": {"ignore.headroom.dev/HR202": value}},
	},
	{"namespaces": [{"metadata": {"annotations": namespace}}]},
)

_messages(value, namespace) := {f.message |
	some f in rule.report with input as _review(value, namespace)
		with data.headroom.now as _noon
		with data.headroom.catalogue.rules as {"HR202": {}}
}

test_no_reason if {
	every value in ["", "  ", "until=2026-12-31", "until=;", "\u200b", "...", "123"] {
		_messages(value, {}) == {"ignore.headroom.dev/HR202 gives no reason, and exempts nothing."}
	}
}

test_a_day_that_has_passed if {
	_messages("until=2026-11-20; known", {}) == {"ignore.headroom.dev/HR202 ended on 2026-11-20, and exempts nothing."}
	count(_messages("until=2026-11-20;", {})) == 2
}

test_a_namespace_that_does_not_allow_it if {
	_messages("known", {"headroom.dev/allow-ignore": "HR301"}) == {concat(" ", [
		"ignore.headroom.dev/HR202 is not allowed in namespace shop (headroom.dev/allow-ignore),",
		"and exempts nothing.",
	])}
}

# What bounds a tenant is not the tenant's to lift, unless its Namespace says so.
test_a_rule_that_bounds_tenants if {
	bound := json.patch(_review("", {}), [{
		"op": "replace",
		"path": "/object/metadata/annotations",
		"value": {"ignore.headroom.dev/HR207": "known"},
	}])
	found := {f.message | some f in rule.report} with input as bound with data.headroom.catalogue.rules as {"HR207": {}}
	found == {concat(" ", [
		"ignore.headroom.dev/HR207 is not in headroom.dev/allow-ignore of namespace shop,",
		"as a rule that bounds tenants has to be, and exempts nothing.",
	])}
	listed := object.union(bound, {"context": {"namespaces": [{"metadata": {"annotations": {
		"headroom.dev/allow-ignore": "HR207",
	}}}]}})
	count(rule.report) == 0 with input as listed with data.headroom.catalogue.rules as {"HR207": {}}
}

test_exemptions_that_hold if {
	_messages("known", {}) == set()
	_messages("until=2026-11-21; known", {}) == set()
	_messages("known", {"headroom.dev/allow-ignore": "HR202"}) == set()
}

test_what_is_another_rule_s_to_say if {
	every value in [null, 5, [], "until=2027-02-30; known", "until=soon; known"] {
		_messages(value, {}) == set()
	}
	count(rule.report) == 0 with input as _review("", {}) with data.headroom.catalogue.rules as {}
		with data.headroom.catalogue.ids as {}
}

test_it_stands_where_the_annotation_does if {
	some f in rule.report with input as _review("", {}) with data.headroom.catalogue.rules as {"HR202": {}}
	f.path == ["metadata", "annotations", "ignore.headroom.dev/HR202"]
	f.container == ""
}
