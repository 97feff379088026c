package headroom.advice_test

import data.headroom.main
import data.headroom.runtime.jvm
import data.headroom.workload

# Values in the form that their reader takes.

_cluster(more) := {
	"apiVersion": "elasticsearch.k8s.elastic.co/v1",
	"kind": "Elasticsearch",
	"metadata": {"name": "a"},
	"spec": object.union(
		{"version": "8.15.0", "nodeSets": [{"name": "default", "podTemplate": {"spec": {"containers": [{
			"name": "elasticsearch",
			"env": [{"name": "ES_JAVA_OPTS", "value": "-Xms4g -Xmx4g"}],
			"resources": {"requests": {"memory": "4Gi", "cpu": "1"}, "limits": {"memory": "4Gi"}},
		}]}}}]},
		more,
	),
}

# Elasticsearch's script unsets JAVA_TOOL_OPTIONS.
test_elasticsearch_is_told_its_own_variable if {
	findings := main.result.findings with input as _cluster({})
	some finding in findings
	finding.rule == "HR304"
	contains(finding.expected, "ES_JAVA_OPTS")
	every each in findings {
		not contains(each.expected, "JAVA_TOOL_OPTIONS")
	}
}

test_the_operator_s_image_is_of_the_object_s_version if {
	images := {c.raw.image | some c in workload.containers} with input as _cluster({})
	images == {"docker.elastic.co/elasticsearch/elasticsearch:8.15.0"}
	own := _cluster({"image": "example.com/es:1"})
	other := {c.name | some c in workload.containers; not c.raw.image} with input as own
	other == {"elasticsearch"}
}

_flink(memory) := {
	"apiVersion": "flink.apache.org/v1beta1",
	"kind": "FlinkDeployment",
	"metadata": {"name": "a"},
	"spec": {"jobManager": {"resource": {"memory": memory, "cpu": 1}}},
}

test_flink_s_memory_in_its_units if {
	every memory, mib in {
		"2048m": 2048, "2048mb": 2048, "2048 MB": 2048, "2 g": 2048, "2gb": 2048, " 2 gibibytes ": 2048,
		"2048Mi": 2048, "2097152k": 2048, "2147483648": 2048, "2147483648 bytes": 2048, "1t": 1048576,
	} {
		sizes := {c.memory_limit | some c in workload.containers} with input as _flink(memory)
		sizes == {mib * 1048576}
	}
}

# Request and limit are one field, and stand for the average: a limit of twice the request cannot be had.
test_one_field_gets_no_advice_on_its_double if {
	_cpu_rules({}) == set()
	_cpu_rules({"headroom.dev/workload-class": "batch"}) == set()
	_cpu_rules({"headroom.dev/workload-class": "batch", "headroom.dev/cpu-average": "250m"}) == {"HR204"}
}

_cpu_rules(annotations) := rules & {"HR202", "HR203", "HR204"} if {
	rules := {finding.rule | some finding in main.result.findings} with input as object.union(
		_flink("2048m"),
		{"metadata": {"annotations": annotations}},
	)
}

_tagged(image) := [jvm.lacks_container_support(version), version.feature, version.update] if {
	some j in jvm.jvms with input as _pod(image)
	version := j.facts.version
	jvm.lacks_container_support(version)
} else := ["", version.feature, version.update] if {
	some j in jvm.jvms with input as _pod(image)
	version := j.facts.version
} else := []

_pod(image) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "a"},
	"spec": {"containers": [{
		"name": "app",
		"image": image,
		"command": ["java", "-jar", "app.jar"],
		"resources": {"requests": {"cpu": "2", "memory": "4Gi"}, "limits": {"memory": "4Gi"}},
	}]},
}

# Only a JDK's own image tells a release, and a tag that floats no update.
test_releases_in_tags if {
	every image, release in {
		"openjdk:8u151-jre": ["Java 8u151", 8, 151],
		"eclipse-temurin:11.0.13_8-jre": ["", 11, 13],
		"openjdk:14": ["", 14, 0],
		"openjdk:8-jre-slim": ["", 8, 0],
		"mirror.example.com/library/openjdk:8u212": ["", 8, 212],
		"myapp:11": [],
		"openjdk@sha256:0000000000000000000000000000000000000000000000000000000000000000": [],
	} {
		_tagged(image) == release
	}
}

# Before 8u372, 11.0.17 and 17.0.5 a JVM counts CPU shares.
test_releases_that_count_shares if {
	every image, whys in {
		"eclipse-temurin:11.0.13_8-jre": 1,
		"eclipse-temurin:11.0.20_8-jre": 0,
		"eclipse-temurin:11": 0,
	} {
		said := [finding |
			some finding in main.result.findings
			finding.rule == "HR402"
			contains(finding.why, "requests.cpu")
		] with input as _pod(image)
		count(said) == whys
	}
}

test_a_release_without_container_support if {
	findings := main.result.findings with input as _pod("openjdk:8u151-jre")
	"HR401" in {finding.rule | some finding in findings}
	said := [finding | some finding in findings; finding.rule == "HR406"]
	every finding in said {
		contains(finding.message, "Java 8u151 hides the limit")
		not contains(finding.expected, "MaxRAMPercentage")
	}
}

# The script of Strimzi makes a share of the limit the initial heap: beside a larger limit, -Xmx alone does not start.
test_an_initial_heap_that_grows_with_the_limit if {
	pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{
		"name": "kafka",
		"image": "quay.io/strimzi/kafka:0.48.0-kafka-4.1.0",
		"command": ["/opt/kafka/kafka_run.sh"],
		"env": [{"name": "STRIMZI_DYNAMIC_HEAP_PERCENTAGE", "value": "50"}],
		"resources": {"requests": {"memory": "320Mi"}, "limits": {"memory": "320Mi"}},
	}]}}
	some finding in main.result.findings with input as pod
	finding.rule == "HR303"
	startswith(finding.expected, "-Xms160m and -Xmx160m in KAFKA_OPTS and limits.memory of ")
}
