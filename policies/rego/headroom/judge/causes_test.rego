package headroom.causes_test

import data.headroom.judge

# What the rules themselves say of one container, by the rule that speaks for it.
_groups(annotations, resources) := {finding.rule: finding.group |
	some finding in _judged(annotations, resources).findings
	finding.severity != "info"
}

_judged(annotations, resources) := result if {
	result := judge.result with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"name": "a", "annotations": annotations},
		"spec": {"containers": [{"name": "app", "image": "example.com/app:1", "resources": resources}]},
	}
}

_class(name) := {"headroom.dev/workload-class": name}

_ignoring(name, rule) := object.union(_class(name), {concat("/", ["ignore.headroom.dev", rule]): "told"})

_memory := {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}

test_a_row_s_own_rule_speaks_for_the_request if {
	_groups(_class("cron"), _memory) == {"HR201": "HR206", "HR206": "HR206"}
	_groups(_class("sidecar"), _memory) == {"HR201": "HR205", "HR205": "HR205"}
	_groups(_class("cron"), {}) == {"HR201": "HR301", "HR206": "HR206", "HR301": "HR301"}
}

# Of a batch job's request and limit, each is wanted for itself.
test_request_and_limit_of_a_batch_job if {
	_groups(_class("batch"), _memory) == {"HR201": "HR201", "HR204": "HR204"}
}

# An exemption of the rule that speaks leaves what it would have spoken for.
test_an_exemption_silences_one if {
	_groups(_ignoring("cron", "HR206"), _memory) == {"HR201": "HR201"}
	_groups(_ignoring("cron", "HR201"), _memory) == {"HR206": "HR206"}
	_groups(_ignoring("sidecar", "HR205"), _memory) == {"HR201": "HR201"}
	_groups(_ignoring("cron", "HR301"), {}) == {"HR201": "HR206", "HR206": "HR206"}
	[e.rule | some e in _judged(_ignoring("cron", "HR206"), _memory).exempted] == ["HR206"]
}

# What the API server refuses is said once.
test_a_limit_below_the_request if {
	below := {"requests": {"cpu": "2", "memory": "2Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}}
	_groups(_class("cron"), below) == {"HR208": "HR208"}
	_groups(_class("sidecar"), below) == {"HR208": "HR208"}
}

test_a_request_that_is_missing_is_not_below_the_limit if {
	cpu := {"requests": {"cpu": "1"}, "limits": {"cpu": "1"}}
	_groups(_class("cron"), object.union(cpu, {"limits": {"cpu": "1", "memory": "1Gi"}})) == {}
	_groups(_class("cron"), object.union(cpu, {"requests": {"cpu": "1", "memory": "1Gi"}})) == {"HR301": "HR301"}
	_groups(_class("cron"), object.union(cpu, {
		"requests": {"cpu": "1", "memory": "1Gi"},
		"limits": {"cpu": "1", "memory": "2Gi"},
	})) == {"HR302": "HR302"}
}

test_a_tenant_s_container_of_another_class if {
	annotations := object.union(_class("multi-tenant"), {"class.headroom.dev/app": "batch"})
	groups := _groups(annotations, object.union(_memory, {"requests": {"cpu": "1", "memory": "1Gi"}}))
	groups.HR204 == "HR204"
	object.get(groups, "HR207", "HR204") == "HR204"
}
