package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

with_image(image) := models({"image": image}, {})

test_nothing_of_java if {
	with_image("nginx:1.29") == []
	models({"command": ["sleep"], "args": ["1h"], "env": [{"name": "JAVA_HOME", "value": "/opt/jdk"}]}, {}) == []
	models({"env": null, "envFrom": null, "command": null, "args": null, "image": null}, {}) == []
	found := jvm.jvms with input as pod([], {})
	found == []
}

java_images := {
	"eclipse-temurin:21",
	"openjdk",
	"registry.example.com:5000/team/amazoncorretto@sha256:0123",
	"registry.example.com/java17-debian12:nonroot",
	"azul/zulu-openjdk-alpine:17",
	"bellsoft/liberica-runtime-container:jre",
	"ghcr.io/graalvm/graalvm-community:21",
	"registry.example.com/mirror/kafka:3.8.0",
}

test_images if {
	every image in java_images {
		[j] := with_image(image)
		not j.sure
		j.evidence == concat(" ", ["image", image])
		j.sources == []
	}
}

known_images := {
	"docker.io/library/tomcat:11-jre21": "tomcat",
	"mirror.example.com/tomcat:11-jre21": "tomcat",
	"confluentinc/cp-kafka:7.8.0": "confluentinc/cp-kafka",
	"mirror.example.com/hub/confluentinc/cp-kafka:7.8.0": "confluentinc/cp-kafka",
	"quay.io/keycloak/keycloak:26.0": "keycloak/keycloak",
	"elasticsearch:8.17.0": "elasticsearch",
}

test_known_images if {
	every image, name in known_images {
		[j] := with_image(image)
		j.sure
		j.evidence == sprintf("image %s starts java", [name])
	}
}

# None is the last name of an image that is known, and an image may be no text at all.
other_images := {
	"openjdk/tool",
	"example.com/tomcat-exporter",
	"kafka-exporter",
	"javascript",
	"kafka.example.com/proxy",
	"",
	7,
	null,
}

test_other_images if {
	every image in other_images {
		with_image(image) == []
	}
}

test_image_under_a_command_of_its_own if {
	models({"image": "tomcat:11", "command": ["sleep", "1h"]}, {}) == []
	count(models({"image": "tomcat:11", "args": ["run"]}, {})) == 1
	models({"image": "tomcat:11", "command": ["sh", "-c", "cat /etc/java.conf"]}, {}) == []
}

test_variables_that_the_jvm_reads if {
	every name in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"] {
		j := set_to(name, "")
		j.sure
		j.evidence == concat(" ", [name, "is set"])
	}
}

test_variables_of_start_scripts if {
	every name in ["CATALINA_OPTS", "JAVA_OPTS", "JVM_OPTS", "KAFKA_HEAP_OPTS", "MAVEN_OPTS", "SOLR_HEAP"] {
		j := set_to(name, "")
		not j.sure
		j.evidence == sprintf("it sets %s, which start scripts hand to java", [name])
	}
}

# Whatever its name, a value that begins as JVM flags do.
test_values_like_flags if {
	every value in ["-Xmx1g", "-XX:+UseG1GC -Da=b", "-Xss512k", "-server -Xmx1g"] {
		j := set_to("MY_FLAGS", value)
		j.evidence == "it sets MY_FLAGS, which start scripts hand to java"
		object.keys(j.variables) == {"MY_FLAGS"}
	}
	every value in ["-Dserver=1", "Xmx1g", "a -Xmx1g", "", 5, null, ["-Xmx1g"]] {
		models({"env": [{"name": "MY_FLAGS", "value": value}]}, {}) == []
	}
	models({"env": [{"name": 5, "value": "-Xmx1g"}]}, {}) == []
}

test_settings_of_spring_boot if {
	[j] := models({"env": [{"name": "SPRING_PROFILES_ACTIVE", "value": "prod"}, {"name": "SPRING_APPLICATION_JSON"}]}, {})
	not j.sure
	j.evidence == "it sets SPRING_APPLICATION_JSON, which Spring Boot reads"
	jvm.unread(j)
	jvm.heap_is_scripts(j)
	every env in [
		[{"name": "SPRING__CLOUD__CONFIG__URI", "value": "http://config"}], [{"name": 5}],
		[{"name": "SPRINGFIELD", "value": ""}], [{"name": "A", "value": "SPRING_PROFILES_ACTIVE"}],
	] {
		models({"env": env}, {}) == []
	}
}

test_probes_of_spring_boot if {
	every probe in ["livenessProbe", "readinessProbe", "startupProbe"] {
		[j] := models({probe: {"httpGet": {"path": "/api/actuator/health/liveness", "port": 8080}}}, {})
		not j.sure
		j.evidence == "its probe asks for /actuator/health, as Spring Boot answers it"
	}
	every probe in [null, {}, {"httpGet": null}, {"httpGet": {"path": 5}}, {"httpGet": {"path": "/health"}}] {
		models({"livenessProbe": probe}, {}) == []
	}
}

# A command says what runs, an annotation too; and a name that speaks of native code means no JVM.
test_spring_boot_without_a_jvm if {
	env := [{"name": "SPRING_PROFILES_ACTIVE", "value": "prod"}]
	models({"env": env, "command": ["/app/orders"]}, {}) == []
	models({"env": env, "image": "team/orders:1.2-native"}, {}) == []
	models({"env": env, "image": "team/graal-orders:1.2"}, {}) == []
	models({"env": env}, {"runtime.headroom.dev/app": "native"}) == []
	[j] := models({"env": env, "command": ["java", "-jar", "a.jar"]}, {})
	j.sure
}

test_a_native_build_reads_no_options_of_scripts if {
	env := [{"name": "JAVA_OPTS", "value": "-Xmx128m"}]
	every image in ["team/a:native-latest", "registry:5000/team/orders-native:1.2", "team/a:1.2-native@sha256:0"] {
		models({"env": env, "image": image}, {}) == []
		models({"env": env, "image": image, "args": ["--server.port=8080"]}, {}) == []
		models({"env": env, "image": image, "command": ["/app/server"]}, {}) == []
	}
	every image in ["cloud-native/orders:1.2", "team/alternative:1", "team/orders:1.2", null] {
		count(models({"env": env, "image": image}, {})) == 1
	}
	count(models({"env": env, "image": "team/orders:native", "command": ["java", "-jar", "a.jar"]}, {})) == 1
}

# OpenJ9 is no HotSpot: its options would keep that from starting.
test_options_of_openj9 if {
	every option in [
		"-Xtune:virtualized", "-Xquickstart", "-Xshareclasses:name=x", "-Xgcpolicy:gencon", "-Xscmx64m", "-Xmns64m",
		"-Xcompressedrefs", "-Xdump:heap", "-Xsoftmx1g", "-Xaot:count=0", "-Xmo1g",
	] {
		set := {"env": [{"name": "OTHER"}, {"name": "JAVA_TOOL_OPTIONS", "value": concat(" ", ["-Xss512k", option])}]}
		models(set, {}) == []
		models({"command": ["java", option, "-jar", "a.jar"]}, {}) == []
		models({"args": ["-Xmx1g", option]}, {}) == []
		count(models(set, {"runtime.headroom.dev/app": "jvm"})) == 1
		count(models(object.union(set, {"image": "eclipse-temurin:21"}), {})) == 1
	}
	every option in ["-Xmn64m", "-Xmx1g", "-Xshare:auto", "-Xlog:gc", "-Dx=-Xtune:virtualized", "-Xms1g"] {
		count(models({"command": ["java", option, "-jar", "a.jar"]}, {})) == 1
	}
}

test_arguments_like_a_jvms if {
	every list in [["-Xmx1g", "-jar", "a.jar"], ["-XX:+UseG1GC", "Main"], ["-Xss1m"], ["-jar", "a.jar"]] {
		[j] := models({"args": list}, {})
		not j.sure
		j.evidence == "its arguments look like a JVM's"
	}
	models({"command": ["tool"], "args": ["-jar", "a.jar"]}, {}) == []
	models({"args": ["-verbose", 5, null]}, {}) == []
}

test_annotation if {
	[j] := models({"command": ["/run"]}, {"runtime.headroom.dev/app": "jvm version=17"})
	j.sure
	j.evidence == "annotation runtime.headroom.dev/app"
	j.version == 17
	models({"env": [{"name": "JAVA_TOOL_OPTIONS", "value": ""}]}, {"runtime.headroom.dev/app": "go"}) == []
	models({"command": ["java"]}, {"runtime.headroom.dev/app": "node"}) == []
	models({}, {"runtime.headroom.dev/other": "jvm", "runtime.headroom.dev/app": 5}) == []
}

review(container, maps) := found if {
	named := object.union({"name": "app"}, container)
	found := jvm.jvms with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": pod([named], {}),
		"namespace": "",
		"prefix": [],
		"context": {"namespaces": [], "limit_ranges": [], "resource_quotas": [], "config_maps": maps, "owners": []},
	}
}

config_map(name, entries) := {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": entries}

from(name, prefix) := [{"configMapRef": {"name": name}, "prefix": prefix}]

test_variables_of_a_config_map if {
	map := config_map("flags", {"JAVA_OPTS": "-Xmx1g", "OPTS": "-Xmx2g"})
	[j] := review({"envFrom": from("flags", "")}, [map])
	j.evidence == "it sets JAVA_OPTS, which start scripts hand to java"
	j.flags.MaxHeapSize.value == "1g"
	[prefixed] := review({"envFrom": from("flags", "JVM_")}, [map])
	prefixed.flags.MaxHeapSize.value == "2g"
	review({"envFrom": from("flags", "A_")}, [map]) == []
	review({"envFrom": from("other", "")}, [map]) == []
}

test_own_variables_beside_a_config_map if {
	[j] := review(
		{
			"envFrom": from("flags", ""),
			"env": [{"name": "MY_FLAGS", "value": "-Xss1m"}, {"name": 5, "value": "-Xss2m"}, {"name": "JAVA_ARGS"}],
		},
		[config_map("flags", {"JAVA_OPTS": "-Xmx1g"})],
	)
	object.keys(j.variables) == {"MY_FLAGS", "JAVA_OPTS", "JAVA_ARGS"}
}

test_init_containers_are_not_judged_beside_others if {
	found := jvm.judged with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {},
		"spec": {
			"initContainers": [{"name": "init", "command": ["java"]}],
			"containers": [{"name": "app", "command": ["java"]}],
		},
	}
	[j.container | some j in found] == ["app"]
}

test_an_image_that_is_no_text_beside_a_jvm if {
	found := jvm.jvms with input as pod([{"name": "broken", "image": 7}, {"name": "app", "command": ["java"]}], {})
	[j.container | some j in found] == ["app"]
}

# What else a variable is does not keep the others from being read.
test_values_like_flags_beside_what_is_no_text if {
	env := [
		{"name": "A", "value": 5}, {"name": "MY_FLAGS", "value": "-Xmx1g"}, {"name": "OTHER", "value": "-Da=b"},
		{"name": "B", "value": "x"},
	]
	[j] := models({"env": env}, {})
	object.keys(j.variables) == {"MY_FLAGS"}
}

test_arguments_beside_what_is_no_text if {
	[j] := models({"args": ["-Xmx1g", 5]}, {})
	j.evidence == "its arguments look like a JVM's"
	j.flags.MaxHeapSize.value == "1g"
}

# Each container is told by what is its own.
test_two_containers if {
	found := jvm.jvms with input as pod(
		[
			{"name": "a", "env": [{"name": "JAVA_OPTS", "value": "-Xmx1g"}]},
			{"name": "b", "env": [{"name": "OTHER", "value": "-Xmx2g"}]},
			{"name": "c", "env": [{"name": "OTHER", "value": "x"}]},
			{"name": "d", "image": "openjdk"},
			{"name": "e", "command": ["sleep"], "args": ["-jar"]},
			{"name": "f", "envFrom": [{"secretRef": {"name": "s"}}]},
		],
		{"runtime.headroom.dev/f": "jvm"},
	)
	{j.container: [object.keys(j.variables), j.sure] | some j in found} == {
		"a": [{"JAVA_OPTS"}, false],
		"b": [{"OTHER"}, false],
		"d": [set(), false],
		"f": [set(), true],
	}
}

# What the image and its variables would start does not run then; what is declared does.
test_a_container_that_sleeps if {
	sleeping := {
		"image": "apache/kafka:4.0.0",
		"command": ["sleep", "1h"],
		"env": [{"name": "KAFKA_HEAP_OPTS", "value": "-Xmx1g"}],
	}
	models(sleeping, {}) == []
	models(object.union(sleeping, {"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g"}]}), {}) == []
	count(models(sleeping, {"runtime.headroom.dev/app": "jvm"})) == 1
}

# The script that starts java is in a ConfigMap, and nothing else of the Pod names a JVM.
test_java_in_a_file_of_a_config_map if {
	[found] := with_scripts({"run.sh": "#!/bin/bash\nexec java -Xmx3g -jar app.jar\n"})
	found.sure
	found.numbers.MaxHeapSize == 3221225472
}

# Three scripts in a row are read. Of a fourth that starts java it is said that it is not.
test_java_in_a_fourth_file if {
	chain := {
		"run.sh": "#!/bin/sh\nexec /scripts/b.sh\n",
		"b.sh": "#!/bin/sh\nexec /scripts/c.sh\n",
		"c.sh": "#!/bin/sh\nexec /scripts/d.sh\n",
	}
	java := "#!/bin/sh\nexec java -Xmx3g -jar app.jar\n"
	[third] := with_scripts(object.union(chain, {"c.sh": java}))
	third.numbers.MaxHeapSize == 3221225472
	every files in [{"d.sh": java}, {"d.sh": "#!/bin/sh\nexec /scripts/e.sh\n", "e.sh": java}] {
		[found] := with_scripts(object.union(chain, files))
		not found.flags.MaxHeapSize
		"scripts start each other four deep, and the fourth is not read" in {u.why | some u in found.unknown}
	}
}

with_scripts(files) := found if {
	spec := {
		"volumes": [{"name": "s", "configMap": {"name": "scripts"}}],
		"containers": [{
			"name": "app",
			"image": "registry.example/team/app:7",
			"command": ["/scripts/run.sh"],
			"volumeMounts": [{"name": "s", "mountPath": "/scripts"}],
		}],
	}
	found := jvm.jvms with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec},
		"context": {"config_maps": [{"metadata": {"name": "scripts"}, "data": files}]},
	}
}
