package headroom.config_test

import data.headroom.config

# The file as `conftest --data headroom.yaml` puts it into data: at its root.
_from_conftest(key, value) := settings if {
	settings := config.settings with data.kind as "Config"
		with data.apiVersion as "headroom.dev/v1alpha1"
		with data.headroom.config._plain as {key: value}
}

test_the_defaults_hold_without_any_file if {
	config.settings == config.defaults
}

test_overrides_are_merged_key_by_key if {
	settings := config.settings with data.headroom.overrides as {
		"tolerance": 0.5,
		"matrix": {"batch": {"limit": "none"}, "gpu": {"request": "average", "limit": "none"}},
		"memory": {"peak": 0.9},
		"sidecars": {"names": ["proxy"]},
	}
	settings.tolerance == 0.5
	settings.matrix.batch == {"request": "average", "limit": "none"}
	settings.matrix.cron == config.defaults.matrix.cron
	settings.memory == {"headroom": 0.20, "headroomAtMost": "1Gi", "peak": 0.9}
	settings.sidecars.names == ["proxy"]
	settings.sidecars.images == config.defaults.sidecars.images
}

test_overrides_that_are_no_object_change_nothing if {
	every wrong in [null, "a", 5, []] {
		config.settings == config.defaults with data.headroom.overrides as wrong
	}
}

test_the_whole_of_data_may_be_the_file if {
	settings := config.settings with data.kind as "Config"
		with data.apiVersion as "headroom.dev/v1alpha1"
		with data.tolerance as 0.1
		with data.defaultClass as "batch"
		with data.matrix as {
			"gpu": {"request": "average", "limit": {"timesAverage": 3}},
			"dev": {"request": "average", "limit": "none"},
		}
		with data.sidecars as {"names": ["proxy"]}
		with data.memory as {"headroom": 0.3}
		with data.measured as {"minSamples": 5}
		with data.jvm as {"inject": ["metaspace"], "threads": 100}
		with data.images as [{"names": ["a/b"]}]
		with data.classes as [
			{"class": "batch", "namespace": "a"},
			{"class": "batch"},
			{"class": 5, "namespace": "a"},
			{"class": "batch", "namespace": 5},
			{"class": "batch", "labels": {"a": 5}},
			{"class": "batch", "labels": "a"},
			{"class": "cron", "labels": {"a": "b"}},
		]
		with data.kinds as [
			{"group": "example.com", "kind": "A", "pods": [{"template": "spec", "partial": true, "unless": ["a"]}]},
			{"group": "example.com", "kind": "B", "pods": [{"template": {}}]},
			{"group": "example.com", "kind": "C", "pods": [{"unless": [1]}]},
			{"group": "example.com", "kind": "D", "pods": ["spec"]},
			{"group": "example.com", "kind": "F", "pods": [{"template": true}]},
			{"group": "example.com", "kind": "G", "pods": [{"at": "spec"}]},
			{"group": "example.com", "kind": "H", "pods": [{"at": "spec", "container": "c"}]},
			{"group": 1, "kind": "E", "pods": []},
		]
		with data.rules as {"HR407": {"severity": false}}
		with data.ignore as [{"rules": ["HR101"], "reason": "old"}]
	settings.tolerance == 0.1
	settings.defaultClass == "batch"
	settings.matrix.gpu.limit.timesAverage == 3
	settings.sidecars.names == ["proxy"]
	settings.memory == {"headroom": 0.3, "headroomAtMost": "1Gi", "peak": 0.8}
	settings.measured == {"minSamples": 5, "maxAge": "24h", "annotationMaxAge": "2160h"}
	settings.jvm.threads == 100
	settings.jvm.inject == ["metaspace"]
	[row.class | some row in settings.classes] == ["batch", "cron"]
	settings.images == [{"names": ["a/b"]}]
	[entry.kind | some entry in settings.kinds] == ["A", "H"]
	settings.rules == {"HR407": {"severity": false}}
	settings.ignore == [{"rules": ["HR101"], "reason": "old"}]
}

test_data_that_is_no_config_is_left_alone if {
	config.settings == config.defaults with data.kind as "Other" with data.apiVersion as "headroom.dev/v1alpha1"
		with data.tolerance as 0.1
	config.settings == config.defaults with data.kind as "Config" with data.apiVersion as "example.com/v1"
		with data.tolerance as 0.1
	config.settings == config.defaults with data.kind as "Config" with data.apiVersion as 1 with data.tolerance as 0.1
}

# Data that conftest passes has not been checked.
test_values_of_the_wrong_kind_stay_at_their_default if {
	every wrong in [null, "a", 5, [5], {"a": 5}, {"names": [5], "images": "a"}, {"batch": {"limit": {}}}] {
		every key in ["matrix", "sidecars", "memory", "measured", "images", "rules", "ignore"] {
			got := _from_conftest(key, wrong)
			object.remove(got, [key]) == object.remove(config.defaults, [key])
			type_name(got[key]) == type_name(config.defaults[key])
		}
	}
	_from_conftest("tolerance", "0.5").tolerance == 0.25
	_from_conftest("defaultClass", 5).defaultClass == ""
	_from_conftest("sidecars", {"names": ["a", 5]}) == config.defaults
	_from_conftest("memory", {"peak": "0.9"}) == config.defaults
	_from_conftest("matrix", {
		"gpu": "none",
		"cron": {"request": 5, "limit": "peak"},
		"batch": {"request": "average"},
		"dev": {"request": "average", "limit": {"timesAverage": "2"}},
		"other": {"request": "average", "limit": 2},
	}) == config.defaults
	_from_conftest("jvm", {
		"threads": "many",
		"native": "100Mi",
	}).jvm == object.union(config.defaults.jvm, {"native": "100Mi"})
	_from_conftest("rules", {"HR407": "off", "HR408": {}}).rules == {"HR408": {}}
	_from_conftest("images", [{"names": ["a/b"]}, {"names": "a/b"}, {"names": [5]}, {}]).images == [{"names": ["a/b"]}]
	_from_conftest("ignore", [
		"a",
		{"rules": "HR101", "reason": "r"},
		{"rules": []},
		{"rules": [], "reason": "r", "name": 5},
	]).ignore == []
}

test_severity_by_id_or_slug if {
	config.severity("HR407", "a-slug", "info") == "info"
	rules := {
		"HR407": {"severity": "error"},
		"a-slug": {"severity": "warning"},
		"HR408": {"severity": false},
		"HR409": {"severity": "off"},
		"HR410": {"severity": "loud"},
		"HR411": {},
	}
	config.severity("HR407", "x", "info") == "error" with data.headroom.overrides as {"rules": rules}
	config.severity("HR407", "a-slug", "info") == "error" with data.headroom.overrides as {"rules": rules}
	config.severity("HR1", "a-slug", "info") == "warning" with data.headroom.overrides as {"rules": rules}
	config.severity("HR408", "x", "info") == "off" with data.headroom.overrides as {"rules": rules}
	config.severity("HR409", "x", "info") == "off" with data.headroom.overrides as {"rules": rules}
	config.severity("HR410", "x", "info") == "info" with data.headroom.overrides as {"rules": rules}
	config.severity("HR411", "x", "info") == "info" with data.headroom.overrides as {"rules": rules}
}

test_classes_are_the_rows_of_the_matrix if {
	config.classes == {"latency-sensitive", "batch", "sidecar", "cron", "multi-tenant"}
	"gpu" in config.classes with data.headroom.overrides as {"matrix": {"gpu": {"request": "average", "limit": "none"}}}
}

test_patterns if {
	every pattern in [
		"*", "**", "***", "web-shop-1", "w*1", "web*", "*1", "*shop*", "w*b*-*1", "*web*-1*", "web-*shop-1", "*eb**",
	] {
		config.matches(pattern, "web-shop-1")
	}
	every pattern in ["", "web", "b*", "*b", "web-shop-1*1", "w*z*1", "*-shop*-shop*", "*shop*web*", "WEB*", "w.*"] {
		not config.matches(pattern, "web-shop-1")
	}
	config.matches("é*ü", "éaü")
	not config.matches("aa*aa", "aaa")
	config.matches("", "")
}

# Patterns of many stars took 45 seconds, and 400 of them with 3000 workloads a minute.
test_patterns_are_bounded if {
	stars := concat("", [star | some _ in numbers.range(1, 60000); star := "*a"])
	not config.matches(stars, "web")
	not config.matches("*a*a*a*", "aaa")
}

test_nodes_of_a_plain_file if {
	settings := config.settings with data.kind as "Config"
		with data.apiVersion as "headroom.dev/v1alpha1"
		with data.nodes as {"kernel": "6.14"}
	settings.nodes.kernel == "6.14"
}

_unmatched(key, value) := patterns if {
	patterns := config.unmatched with data.kind as "Config"
		with data.apiVersion as "headroom.dev/v1alpha1"
		with data.headroom.config._plain as {key: value}
}

test_patterns_of_many_stars_are_told if {
	ignored := {"rules": ["HR202"], "name": "a*b*c*d*e", "reason": "as *a* and *b* say"}
	_unmatched("ignore", [ignored, {"rules": ["HR202"], "name": "a*b*c*d", "reason": "so"}]) == {"a*b*c*d*e"}
	_unmatched("classes", [{"class": "batch", "labels": {"app": "*a*b*c*"}}]) == {"*a*b*c*"}
	config.unmatched == set()
}
