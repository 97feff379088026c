package headroom.memory_off_heap_test

import data.headroom.memory
import data.headroom.runtime.jvm

pod(container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": {"runtime.headroom.dev/app": "jvm version=17"}},
	"spec": {"containers": [object.union({"name": "app", "resources": {"limits": {"memory": "4Gi"}}}, container)]},
}

kept(container) := {[term.name, term.mib, term.grade] | some term in terms; not term.name in regions} if {
	terms := [term | some budget in budgets(container); some term in budget.terms]
}

budgets(container) := found if found := memory.budgets with input as pod(container)

regions := {"heap", "metaspace", "code cache", "direct", "stacks", "native"}

env(values) := [{"name": name, "value": value} | some name, value in values]

heap := {"JAVA_TOOL_OPTIONS": "-Xmx1g"}

# A variable of a known image counts, or else the image's default; a unit may stand in another variable.
test_a_known_image if {
	cache := env({"NEO4J_server_memory_pagecache_size": "1G"})
	kept({"image": "neo4j:5.20", "env": cache}) == {["page cache", 1024, "declared"]}
	kept({"image": "neo4j:5.20"}) == {["page cache", 512, "known"]}
	kept({"image": "neo4j:5.20", "env": env({"NEO4J_server_memory_pagecache_size": "much"})}) == set()
	store := {"HZ_NATIVEMEMORY_ENABLED": "true", "HZ_NATIVEMEMORY_CAPACITY_VALUE": "256"}
	kept({"image": "hazelcast/hazelcast:5.5", "env": env(store)}) == {["native memory store", 256, "declared"]}
	units := {"HZ_NATIVEMEMORY_CAPACITY_UNIT": "GIGABYTES", "HZ_NATIVEMEMORY_CAPACITY_VALUE": "1.5"}
	gigabytes := object.union(store, units)
	kept({"image": "hazelcast/hazelcast:5.5", "env": env(gigabytes)}) == {["native memory store", 1536, "declared"]}
	kept({"image": "hazelcast/hazelcast:5.5"}) == set()
}

# The heaps of other JVMs count like that of the JVM itself, at the low end too.
test_several_jvms_in_a_container if {
	rest := {["heap of the compute engine", 512, "known"], ["heap of Elasticsearch", 512, "known"]}
	kept({"image": "sonarqube:10.5-community"}) == rest
	said := env({"SONAR_CE_JAVAOPTS": "-Xms128m -Xmx1g -Xmx2g", "SONAR_SEARCH_JAVAOPTS": "-Xmx1500m"})
	larger := {["heap of the compute engine", 2048, "declared"], ["heap of Elasticsearch", 1500, "declared"]}
	kept({"image": "sonarqube:lts-developer", "env": said}) == larger
	terms := budgets({"image": "sonarqube:10.5-community"})[0].terms
	sum([term.least_mib | some term in terms; startswith(term.name, "heap of ")]) == 1024
	kept({"image": "sonarqube:2025.1-datacenter-app", "env": said}) == {["heap of the compute engine", 2048, "declared"]}
	kept({"image": "sonarqube:2025.1-datacenter-search", "env": said}) == set()
	kept({"image": "example.com/mirror:1", "env": said}) == set()
	every options, mib in {"-ea": 1024, "-XX:MaxRAMPercentage=50.0 -ea": 2048} {
		unsized := env({"SONAR_CE_JAVAOPTS": options, "SONAR_SEARCH_JAVAOPTS": options})
		kept({"image": "sonarqube:10.5-community", "env": unsized}) == {["heap of the compute engine", mib, "known"]}
	}
	unread := env({"SONAR_CE_JAVAOPTS": "-Xmx$X", "SONAR_SEARCH_JAVAOPTS": "-ea"})
	kept({"image": "sonarqube:10.5-community", "env": unread}) == set()
	kept({"image": "graylog/graylog-datanode:6.0"}) == {["heap of OpenSearch", 1024, "known"]}
}

gradle(options) := {"image": "gradle:8-jdk17", "env": env({"GRADLE_OPTS": options})}

# Gradle's daemon and the JVM of Maven's tests run beside the one that starts them.
test_jvms_of_builds if {
	every options in [
		"-Xmx1g -Dorg.gradle.jvmargs=-Xmx3g",
		"-Dorg.gradle.jvmargs='-ea -Xmx3g -Xss1m'",
		"-Dorg.gradle.jvmargs=-Xmx3g -Xmx512m",
		"-Dorg.gradle.jvmargs='-Xms1g -Xmn1g -Xmx3g'",
	] {
		kept(gradle(options)) == {["heap of the build's daemon", 3072, "declared"]}
	}
	kept(gradle("-Dorg.gradle.jvmargs=-ea")) == set()
	every command in [
		["mvn", "-DargLine=-Xmx2g", "test"],
		["/usr/local/bin/mvn-entrypoint.sh", "./mvnw", "-B", "clean", "verify", "-DargLine=-Xmx2g"],
		["sh", "-c", "# a build\nmvn test -DargLine=-Xmx1g && exec mvn deploy -DargLine=-Xmx2g"],
	] {
		kept({"image": "maven:3.9-eclipse-temurin-17", "command": command}) == {["heap of the tests' JVM", 2048, "declared"]}
	}
	every command in [["./gradlew", "build"], ["sh", "-c", "cd /src\ngradle build"]] {
		kept(object.union(gradle("-Dorg.gradle.jvmargs=-Xmx3g"), {"command": command})) != set()
	}
}

# Without a build that reads them they are words.
test_settings_of_builds_that_do_not_run if {
	every command in [
		["java", "-Xmx2g", "-jar", "/gradle/app.jar"],
		["sh", "-c", "echo 'org.gradle.jvmargs=-Xmx3g' >> gradle.properties; java -Xmx512m -jar /app.jar"],
		["mvn", "spring-boot:run", "-DargLine=-Xmx2g"],
		["echo", "mvn", "test", "-DargLine=-Xmx2g"],
	] {
		kept(object.union(gradle("-Dorg.gradle.jvmargs=-Xmx2g"), {"command": command})) == set()
	}
	comment := ["sh", "-c", "# org.gradle.jvmargs=-Xmx3500m was too much\ngradle build"]
	kept({"image": "gradle:8-jdk17", "command": comment}) == set()
}

# A variable or a property of a vendor's name counts under any image.
test_any_image if {
	named := object.union(heap, {"NEO4J_server_memory_pagecache_size": "512m"})
	kept({"image": "example.com/graph:1", "env": env(named)}) == {["page cache", 512, "declared"]}
	properties := object.union(heap, {"FLINK_PROPERTIES": "taskmanager.memory.managed.size: 300m"})
	kept({"image": "example.com/jobs:1", "env": env(properties)}) == {["managed memory", 300, "declared"]}
	kept({"image": "example.com/jobs:1", "env": env(heap)}) == set()
	kept({"env": env(heap)}) == set()
	kept({"image": 5, "env": env(heap)}) == set()
}

test_what_is_of_no_container if {
	memory.off_heap({"c": {}}) == []
	memory.family_of({"c": {}}).takes == {}
}

# A cap beside what is known of a family's direct memory.
test_a_cap_of_a_known_family if {
	capped := {"image": "neo4j:5.20", "env": env({"NEO4J_server_jvm_additional": "-XX:MaxDirectMemorySize=256m"})}
	smallest(capped) > 0
}

smallest(container) := mib if {
	mib := [mib | some j in jvm.jvms; mib := memory.smallest_limit_mib(j)][0] with input as pod(container)
}
