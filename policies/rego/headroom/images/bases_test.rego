package headroom.images_test

import data.headroom.images
import data.headroom.runtime.jvm

# built_on has the image that a lock with such labels says; an empty one where it says none.
built_on(image, config) := object.get(object.get(found, "app", {}), "name", "") if {
	found := {"app": one | some one in images.found} with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"name": "app"},
		"spec": {"containers": [{"name": "app", "image": image}]},
	}
		with data.headroom.image_lock as {
			"references": {image: "sha256:0123"},
			"images": {"sha256:0123": config},
		}
}

redhat(name, version) := {"com.redhat.component": "openjdk-container", "name": name, "version": version}

run_java := "/opt/jboss/container/java/run/run-java.sh"

# Each case: labels, the image's entrypoint, and the image they tell.
test_labels_of_a_base if {
	keycloak := {"org.opencontainers.image.base.name": "quay.io/keycloak/keycloak:26.0"}
	every case in [
		[redhat("ubi9/openjdk-21", "1.20"), run_java, "ubi9/openjdk-21"],
		[redhat("ubi8/openjdk-17", "1.14"), "/usr/local/s2i/run", "ubi8/openjdk-17"],
		[keycloak, "/opt/keycloak/bin/kc.sh", "keycloak/keycloak"],
		[redhat("ubi9/openjdk-21", "1.20"), "/start", ""],
		[keycloak, "/start", ""],
		[redhat("team/app", "1.20"), "/usr/local/s2i/run", ""],
		[{"name": "ubi9/openjdk-21", "version": "1.20"}, "/usr/local/s2i/run", ""],
		[redhat("keycloak", "5"), "/opt/keycloak/bin/start", ""],
		[{"com.redhat.component": "x", "name": "ubi9/openjdk-21"}, "/usr/local/s2i/run", ""],
		[{"com.redhat.component": "x", "name": 1, "version": 2}, "/usr/local/s2i/run", ""],
		[{}, "/usr/local/s2i/run", ""],
	] {
		[labels, entrypoint, want] := case
		got := built_on("registry.example/team/app:7", {"labels": labels, "entrypoint": [entrypoint]})
		got == want
	}
}

# Its own name says more than that of its base.
test_own_name_above_the_base if {
	config := {"labels": redhat("ubi9/openjdk-21", "1.20"), "entrypoint": [run_java]}
	built_on("apache/kafka:4.0.0", object.union(config, {"entrypoint": ["/etc/kafka/docker/run"]})) == "apache/kafka"
}

# The release of a base decides what its script does: half of the limit to 1.14, on nodes with cgroup v1 alone; four
# fifths later.
test_script_of_a_base if {
	every version, want in {"1.14": "", "1.20": "-XX:MaxRAMPercentage=80.0"} {
		line := line_on({
			"labels": redhat("ubi8/openjdk-17", version),
			"entrypoint": [],
			"command": [run_java],
		})
		[word | some word in split(line, " "); contains(word, "Percentage")] == [word | some word in [want]; word != ""]
	}
}

line_on(config) := concat(" ", [part.text | some part in found[0].script.parts; part.text != ""]) if {
	found := jvm.jvms with input as pod({"image": "registry.example/team/app:7"})
		with data.headroom.image_lock as {
			"references": {"registry.example/team/app:7": "sha256:0123"},
			"images": {"sha256:0123": config},
		}
}
