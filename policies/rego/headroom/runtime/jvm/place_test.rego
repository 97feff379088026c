package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

_placed(image, env, more) := [jvm.flag_place(j), jvm.heap_place(j)] if {
	some j in jvm.jvms with input as _vendor(image, env, more)
}

_vendor(image, env, more) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "a"},
	"spec": {"containers": [object.union(
		{
			"name": "app",
			"image": image,
			"env": [{"name": name, "value": value} | some name, value in env],
			"resources": {"limits": {"memory": "1Gi", "cpu": "2"}},
		},
		more,
	)]},
}

test_the_variable_of_the_image if {
	every case in [
		["apache/kafka:3.9.0", {}, {}, ["KAFKA_JVM_PERFORMANCE_OPTS", "KAFKA_HEAP_OPTS"]],
		["apache/kafka:3.9.0", {"KAFKA_OPTS": "-Dx=y"}, {}, ["KAFKA_OPTS", "KAFKA_HEAP_OPTS"]],
		["apache/kafka:3.9.0", {"JAVA_TOOL_OPTIONS": "-Dx=y"}, {}, ["JAVA_TOOL_OPTIONS", "KAFKA_HEAP_OPTS"]],
		# JAVA_OPTS would drop the image's own sizes.
		["quay.io/wildfly/wildfly:35.0.1.Final-jdk21", {}, {}, ["PREPEND_JAVA_OPTS", "JBOSS_JAVA_SIZING"]],
		# Its heap is a number in ZOO_HEAP_SIZE, which comes last: flags would be none there.
		["bitnami/zookeeper:3.9.3", {}, {}, ["SERVER_JVMFLAGS", "_JAVA_OPTIONS"]],
		# No script of the image runs.
		["apache/kafka:3.9.0", {}, {"command": ["java", "-Xmx1g", "-jar", "a.jar"]}, ["", ""]],
		# The script leaves its share out where its variable sizes the heap.
		["infinispan/server:15.0", {}, limited_to_1000, ["JAVA_OPTIONS", "JAVA_OPTIONS"]],
		# The heap stands in the script's own text.
		["codewisdom/ts-auth-service:0.0.4", {}, {}, ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"]],
		["registry.example.com/kafka:3", {"JAVA_OPTS": "-Xmx1g"}, {}, ["JAVA_TOOL_OPTIONS", "JAVA_OPTS"]],
	] {
		_placed(case[0], case[1], case[2]) == case[3]
	}
}

# What decides is a number, and what would win over it are flags.
test_the_variable_behind_a_number if {
	every case in [
		["payara/server-full:6.2024.1", "_JAVA_OPTIONS"],
		["quay.io/wildfly/wildfly-runtime:latest-jdk-17", "JAVA_OPTS_APPEND"],
	] {
		_placed(case[0], {}, limited_to_1000)[1] == case[1]
	}
}

_shared(image, more) := jvm.shared(j, 50) if {
	some j in jvm.jvms with input as _vendor(image, {}, more)
} else := ""

test_a_share_in_the_form_of_its_variable if {
	every case in [
		["payara/server-full:6.2024.1", {}, "MEM_MAX_RAM_PERCENTAGE=50.0"],
		["quay.io/wildfly/wildfly-runtime:latest-jdk-17", {}, "JAVA_MAX_MEM_RATIO=50"],
		# Its script makes megabytes of the share.
		["infinispan/server:15.0", {}, ""],
		["bitnami/zookeeper:3.9.3", {}, ""],
		["payara/server-full:6.2024.1", {"command": ["java", "-jar", "a.jar"]}, ""],
	] {
		_shared(case[0], case[1]) == case[2]
	}
}

_sized(image, env, mib) := jvm.sized(j, mib) if {
	some j in jvm.jvms with input as _vendor(image, env, {})
} else := ""

test_a_size_in_the_form_of_its_variable if {
	every case in [
		["bitnami/zookeeper:3.9.3", {}, "ZOO_HEAP_SIZE=512"],
		["bitnami/zookeeper:3.9.3", {"ZOO_HEAP_SIZE": "2048"}, "ZOO_HEAP_SIZE=512"],
		["bitnami/opensearch:2.17.0", {"OPENSEARCH_HEAP_SIZE": "1g"}, "OPENSEARCH_HEAP_SIZE=512m"],
		# The initial heap is another variable's, 384 MiB if that is not set.
		["atlassian/jira-software:9.12.0", {"JVM_MAXIMUM_MEMORY": "1g"}, "JVM_MAXIMUM_MEMORY=512m"],
		[
			"atlassian/jira-software:9.12.0",
			{"JVM_MINIMUM_MEMORY": "1g", "JVM_MAXIMUM_MEMORY": "1g"},
			"JVM_MINIMUM_MEMORY=512m and JVM_MAXIMUM_MEMORY=512m",
		],
		["apache/kafka:3.9.0", {}, ""],
	] {
		_sized(case[0], case[1], 512) == case[2]
	}
}
