package headroom.runtime["native-image_test"]

import data.headroom.rules.jvm["jvm-flags-not-read"] as not_read
import data.headroom.runtime.jvm
import data.headroom.runtime["native-image"] as native
import data.headroom.runtimes

pod(container, annotations) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": annotations},
	"spec": {"containers": [object.union({"name": "app", "resources": {"limits": {"memory": "256Mi"}}}, container)]},
}

running(container) := [r.id | some r in found] if {
	found := runtimes.running with input as pod(container, {})
}

jvms(container) := count(found) if found := jvm.jvms with input as pod(container, {})

env(name, value) := {"env": [{"name": name, "value": value}]}

quarkus := ["./application", "-Dquarkus.http.host=0.0.0.0"]

test_where_it_is_found if {
	every container in [
		{"command": quarkus},
		{"args": quarkus},
		{"command": ["/work/application"], "args": ["-Xmx64m"]},
		{"command": ["./shop-1.0-runner", "-Dquarkus.http.port=80"]},
		{"command": ["sh", "-c", "exec ./application -XX:MaxHeapFree=1 -Dquarkus.profile=prod"]},
		{"command": ["/app/orders"], "args": ["-XX:MaximumHeapSizePercent=80"]},
		object.union({"image": "a"}, env("JAVA_OPTS", "-XX:MaximumHeapSizePercent=80")),
	] {
		running(container) == ["native-image"]
		jvms(container) == 0
	}
	every container in [
		{"image": "team/a:1.2-native", "args": ["-Xmx64m"]},
		{"image": "registry:5000/team/orders-native:1.2", "args": ["-Dserver.port=80"]},
		object.union({"image": "team/a:native-latest"}, env("QUARKUS_HTTP_PORT", "80")),
		object.union({"image": "team/a:1.2-native@sha256:0"}, env("SPRING_PROFILES_ACTIVE", "prod")),
		object.union({"image": "team/a:1.2-native"}, env("JAVA_OPTS", "-Xmx64m")),
	] {
		running(container) == ["native-image?"]
		jvms(container) == 0
	}
}

test_where_it_is_not if {
	every container in [
		{"command": ["java", "-Dquarkus.http.host=0.0.0.0", "-jar", "quarkus-run.jar"]},
		{"command": ["sh", "-c", "exec java -Xmx1g -jar /deployments/application.jar -Dquarkus.x=1"]},
		object.union({"image": "team/a:1-native", "command": ["java", "-jar", "a.jar"]}, env("QUARKUS_X", "1")),
		object.union({"image": "team/a:1-native"}, env("JAVA_TOOL_OPTIONS", "-Xmx64m")),
		{"image": "team/a:1-native"},
		{"image": "team/cloud-native:1", "command": ["/server"]},
		{"image": "team/cloud-native:1", "command": ["/run.sh"], "args": ["-Xmx1g"]},
		{"image": "native/a:1", "args": ["-Xmx64m"]},
		{"image": "team/cloud-native:1", "args": ["-Dserver.port=80"]},
		{"image": "team/a:1-native", "args": ["-Debug"]},
		{"command": ["/opt/app/bin/application", "--port=80"]},
		{"command": ["github-runner", "-Dx=1"]},
		{"command": ["python", "manage.py", "application", "-Xmx3g"]},
		{"command": ["sh", "-c", "exec serve application -Xmx3g"]},
		{"command": ["serve", "a-runner", "-Dquarkus.x=1"]},
		{"image": "keycloak/keycloak:26.0-native", "args": quarkus},
		{"image": null, "command": quarkus[0]},
		{"image": "team/a:1-native", "command": ["sleep", "infinity"]},
	] {
		every id in running(container) {
			not startswith(id, "native-image")
		}
	}
	declared := native.found with input as pod({"command": quarkus}, {"runtime.headroom.dev/app": "jvm"})
	declared == {}
}

# The buildpack for native images takes Java's with it, and Java out of the image.
test_a_buildpack if {
	every label, id in {
		"paketo-buildpacks/bellsoft-liberica paketo-buildpacks/native-image paketo-buildpacks/spring-boot": "native-image",
		"paketo-buildpacks/bellsoft-liberica paketo-buildpacks/spring-boot": "jvm",
	} {
		found := runtimes.running with input as pod({"image": "example.com/app:1"}, {}) with data.headroom.image_lock as {
			"references": {"example.com/app:1": "sha256:0123"},
			"images": {"sha256:0123": {
				"entrypoint": ["/cnb/process/web"],
				"labels": {"io.buildpacks.build.metadata": label},
			}},
		}
		found[0].id == id
	}
}

sized(container) := [[c.terms[0].text, c.sure, c.path] | some c in found] if {
	found := native.ceilings with input as pod(container, {})
}

test_heaps if {
	every case in [
		[["-Xmx512m"], "The heap of the native image may take 512 MiB (-Xmx512m)"],
		[["-Xmx1g", "-Xmx128m"], "The heap of the native image may take 128 MiB (-Xmx128m)"],
		[["-Xmx64m", "-XX:MaxHeapSize=96m"], "The heap of the native image may take 96 MiB (-XX:MaxHeapSize=96m)"],
		[
			["-XX:MaximumHeapSizePercent=100"],
			"The heap of the native image may take 256 MiB (-XX:MaximumHeapSizePercent=100)",
		],
		[["-Xmx64m", "-XX:MaximumHeapSizePercent=90"], "The heap of the native image may take 64 MiB (-Xmx64m)"],
	] {
		[more, text] := case
		[told_text, true, [_, _, 0, "command", _]] = sized({"command": array.concat(quarkus, more)})[0]
		told_text == text
	}
}

# A share of any limit is as near to it.
test_advice_for_heaps if {
	every flag, want in {
		"-Xmx300m": "-Xmx192m (75 % of limits.memory), or limits.memory of 448Mi",
		"-XX:MaximumHeapSizePercent=100": "-Xmx192m (75 % of limits.memory), or -XX:MaximumHeapSizePercent=75",
	} {
		found := native.ceilings with input as pod({"command": array.concat(quarkus, [flag])}, {})
		found[0].expected == want
	}
}

test_heaps_that_are_not_told if {
	every more in [[], ["-Xmx$HEAP"], ["-Xmxlarge"], ["-XX:MaximumHeapSizePercent=x"], ["-Dx=-Xmx1g"]] {
		sized({"command": array.concat(quarkus, more)}) == []
	}
	expanded := object.union({"command": array.concat(quarkus, ["-Xmx$(HEAP)"])}, env("HEAP", "64m"))
	sized(expanded)[0][0] == "The heap of the native image may take 64 MiB (-Xmx64m)"
	sized({"image": "team/a:1-native", "args": ["-Xmx64m"]})[0][1] == false
	declared := native.ceilings with input as pod({"args": ["-Xmx1g"]}, {"runtime.headroom.dev/app": "native-image"})
	declared[0].sure
}

told(container) := {f.message | some f in found} if {
	found := not_read.report with input as pod(container, {})
}

test_flags_in_variables if {
	told(object.union({"command": quarkus}, env("JAVA_OPTS", "-Xmx64m -Dkey=hidden"))) == {concat(" ", [
		"JAVA_OPTS holds flags (-Xmx64m), but a native image reads no such variable: they have no effect.",
	])}
	told(object.union({"command": quarkus}, env("JAVA_TOOL_OPTIONS", "-Dkey=hidden"))) == {concat(" ", [
		"JAVA_TOOL_OPTIONS holds flags (-Dkey), but a native image reads no such variable: they have no effect.",
	])}
	every container in [
		object.union({"args": quarkus}, env("JAVA_OPTS", "-Xmx64m")),
		object.union({"command": quarkus}, env("JAVA_OPTS", "")),
		object.union({"command": quarkus}, env("JAVA_OPTS", "production")),
		object.union({"command": quarkus}, env("OTHER", "-Xmx64m")),
		object.union({"command": array.concat(quarkus, ["$(JAVA_OPTS)"])}, env("JAVA_OPTS", "-Xmx64m")),
		object.union(
			{"command": ["sh", "-c", "exec ./application -Dquarkus.x=1 $JAVA_OPTS"]},
			env("JAVA_OPTS", "-Xmx64m"),
		),
		object.union({"command": ["/entrypoint.sh", "./application", "-Dquarkus.x=1"]}, env("JAVA_OPTS", "-Xmx64m")),
		object.union({"image": "team/a:1-native"}, env("JAVA_OPTS", "-Xmx64m")),
		{"command": quarkus, "env": [{"name": "JAVA_OPTS", "valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}}}]},
		object.union({"command": ["java", "-jar", "a.jar"]}, env("JAVA_TOOL_OPTIONS", "-Xmx64m")),
	] {
		told(container) == set()
	}
}
