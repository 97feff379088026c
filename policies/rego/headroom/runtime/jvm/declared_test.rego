package headroom.runtime.jvm_test

import data.headroom.reviews_test as reviews
import data.headroom.runtime.jvm

facts(annotations) := model({"command": ["java"]}, annotations).facts

test_nothing_declared if facts({}) == {}

test_facts if {
	facts({"jvm.headroom.dev/app": "threads=120 classes=9000 native=64Mi pause=15ms version=21"}) == {
		"threads": 120,
		"classes": 9000,
		"native": 67108864,
		"pause": 15,
		"version": {"feature": 21, "update": 0},
	}
}

test_facts_of_regions if {
	facts({"jvm.headroom.dev/app": "metaspace=90Mi codecache=40Mi direct=8Mi live=300Mi processors=2"}) == {
		"metaspace": 94371840,
		"code_cache": 41943040,
		"direct": 8388608,
		"live": 314572800,
		"processors": 2,
	}
	every text in ["metaspace=0", "codecache=x", "direct=-1", "live=", "processors=0", "heap_max=5"] {
		facts({"jvm.headroom.dev/app": text}) == {}
	}
}

test_unreadable_facts_are_left_out if {
	every text in [
		"threads=0",
		"threads=many",
		"threads=12345678",
		"classes=-1",
		"native=64MiB",
		"pause=soon",
		"x",
		"a=b=c",
	] {
		facts({"jvm.headroom.dev/app": text}) == {}
	}
	facts({"jvm.headroom.dev/app": "version=new threads=5"}) == {"threads": 5}
	facts({"jvm.headroom.dev/app": 5}) == {}
}

test_readable_words if {
	found := jvm.readable with input as {"metadata": {"annotations": {
		"jvm.headroom.dev/app": "threads=7 threads=seven",
		"runtime.headroom.dev/app": "jvm version=17",
		"runtime.headroom.dev/other": 5,
	}}}
	found == {"threads=7", "version=17"}
}

test_the_pattern_of_a_fact_reads_what_is_readable if {
	every word in [
		"threads=7", "classes=20000", "native=64Mi", "pause=20ms", "version=8u181", "version=17.0.9",
		"metaspace=90Mi", "codecache=1Gi", "direct=5M", "live=2Gi", "processors=64",
	] {
		regex.match(concat("", ["^(?:", jvm.fact, ")$"]), word)
	}
	every word in ["threads=seven", "native=lots", "pause=soon", "version=new", "x"] {
		not regex.match(concat("", ["^(?:", jvm.fact, ")$"]), word)
	}
}

versions := {
	"8": [8, 0],
	"8u181": [8, 181],
	"8u05": [8, 5],
	"1.8.0_504": [8, 504],
	"1.8": [8, 0],
	"11": [11, 0],
	"11.0.13": [11, 13],
	"17.0.3+7": [17, 3],
	"21.0.8+9-LTS": [21, 8],
	"28-ea+18-1-Debian": [28, 0],
}

test_versions if {
	every text, want in versions {
		[facts({"jvm.headroom.dev/app": concat("=", ["version", text])}).version[k] | some k in ["feature", "update"]] == want
	}
}

test_the_runtime_annotation_declares_too if {
	facts({"runtime.headroom.dev/app": "jvm version=11"}).version.feature == 11
	both := facts({"runtime.headroom.dev/app": "jvm version=11 threads=9", "jvm.headroom.dev/app": "version=17"})
	both == {"version": {"feature": 17, "update": 0}, "threads": 9}
}

test_the_least_facts if {
	facts({"jvm.headroom.dev/app": "threads=1 classes=1 native=0 pause=0ms version=1"}) == {
		"threads": 1,
		"classes": 1,
		"native": 0,
		"pause": 0,
		"version": {"feature": 1, "update": 0},
	}
	facts({"jvm.headroom.dev/app": "native=-1 pause=-1ms"}) == {}
}

test_facts_of_another_runtime_are_not_a_jvms if {
	facts({"runtime.headroom.dev/app": "jvm"}) == {}
	models({}, {"runtime.headroom.dev/app": "python version=3"}) == []
}

# JDK-8281181 took the shares out in 8u372, 11.0.17, 17.0.5 and 18.
test_releases_that_count_shares if {
	counting := {version: name |
		some version in [
			"8", "8u190", "8u191", "8u371", "8u372", "9", "10.0.2", "11", "11.0.16", "11.0.17",
			"14", "16.0.2", "17", "17.0.4", "17.0.5", "18", "21.0.3",
		]
		name := jvm.counts_shares(jvm.version_of(version))
	}
	counting == {
		"8u191": "Java 8u191",
		"8u371": "Java 8u371",
		"10.0.2": "Java 10.0.2",
		"11.0.16": "Java 11.0.16",
		"14": "Java 14",
		"16.0.2": "Java 16.0.2",
		"17.0.4": "Java 17.0.4",
	}
}

# A pause that was measured counts before one that is declared, unless a quota made it longer.
test_a_measured_pause if {
	review := reviews.of_pod(
		{"jvm.headroom.dev/app": "pause=30ms"},
		{"containers": [{"name": "app", "command": ["java", "-Xmx1g"], "resources": {"limits": {"cpu": "2"}}}]},
		{"measured": {"app": {
			"source": "Prometheus", "window_seconds": 604800, "samples": 2016, "age_seconds": 30, "periods": 100,
			"throttled": 0, "runtime": {"exporter": "Micrometer", "samples": 2016, "pause": 12},
		}}},
	)
	some j in jvm.jvms with input as review
	from_metrics := {"ms": 12, "text": "on average, measured by Prometheus: Micrometer over 7d", "declared": true}
	jvm.gc_pause(j) == from_metrics with input as review
	throttled := json.patch(review, [{"op": "replace", "path": "/context/measured/app/throttled", "value": 2}])
	some slow in jvm.jvms with input as throttled
	jvm.gc_pause(slow).ms == 30 with input as throttled
}

test_a_fact_of_an_annotation_that_was_measured if {
	annotated := pod([{"name": "app", "command": ["java"], "args": ["-jar", "/app.jar"]}], {
		"jvm.headroom.dev/app": "threads=120 codecache=40Mi native=64Mi",
		"measured.headroom.dev/app": "date=2026-11-21 over=7d runtime=6d of=codecache",
	})
	known := {key: [jvm.fact_grade(j, key), jvm.fact_text(j, key)] |
		some key in ["threads", "code_cache"]
		some j in jvm.jvms
	} with input as annotated
	known == {
		"threads": ["declared", "annotation"],
		"code_cache": ["measured", "annotation, measured 2026-11-21 over 6d"],
	}
}
