package headroom.rules.node["kubelet-cfs-period_test"]

import data.headroom.rules.node["kubelet-cfs-period"] as rule

kubelet(fields) := object.union(
	{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"},
	fields,
)

period(text) := report if {
	report := rule.report with input as kubelet({"cpuCFSQuotaPeriod": text})
}

gated(text, on) := report if {
	report := rule.report with input as kubelet({
		"cpuCFSQuotaPeriod": text,
		"featureGates": {"CustomCPUCFSQuotaPeriod": on},
	})
}

# The kubelet's validation takes no other period without the gate.
test_a_gate_that_is_off_refuses_the_period if {
	some f in gated("10ms", false)
	f.severity == "error"
	contains(f.message, "featureGates.CustomCPUCFSQuotaPeriod is false")
	severities(gated("100ms", false)) == ["info"]
	severities(gated(null, false)) == ["info"]
	severities(gated("10ms", "false")) == ["info"]
}

severities(report) := [f.severity | some f in report]

test_default_period if {
	report := rule.report with input as kubelet({})
	some f in report
	count(report) == 1
	f.path == ["cpuCFSQuotaPeriod"]
	f.container == ""
	f.severity == "info"
	f.figures == {"period_ms": 100}
	contains(f.message, "not set, which means 100 ms")
	contains(f.message, "ends the throttling of a burst sooner")
	contains(f.message, "CPU-bound work")
}

test_null_is_the_default if {
	severities(period(null)) == ["info"]
}

test_periods_of_any_unit if {
	every text, severity in {"0.1s": "info", "9999us": "info", "9999999ns": "info", "-5ms": "error", "1m": "error"} {
		severities(period(text)) == [severity]
	}
	every text in ["10ms", "20ms", "0.05s", "99999us"] {
		severities(period(text)) == ["info"] # without the gate, before 1.36
		count(gated(text, true)) == 0
	}
}

test_what_is_no_period if {
	every text in ["100", "100 ms", "", "-5ms", 100, [], {}, true] {
		report := period(text)
		severities(report) == ["error"]
		some f in report
		contains(f.message, "no duration")
	}
}

test_gates_that_are_no_map if {
	every gates in [true, "CustomCPUCFSQuotaPeriod", [], null] {
		count(rule.report) == 1 with input as kubelet({"cpuCFSQuotaPeriod": "20ms", "featureGates": gates})
	}
}

test_without_quota_there_is_no_period if {
	count(rule.report) == 0 with input as kubelet({"cpuCFSQuota": false, "cpuCFSQuotaPeriod": "5ms"})
	count(rule.report) == 1 with input as kubelet({"cpuCFSQuota": true})
	count(rule.report) == 1 with input as kubelet({"cpuCFSQuota": null})
}

test_other_objects_are_silent if {
	count(rule.report) == 0 with input as {"apiVersion": "example.com/v1", "kind": "KubeletConfiguration"}
	count(rule.report) == 0 with input as {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "Other"}
	count(rule.report) == 0 with input as {}
}
