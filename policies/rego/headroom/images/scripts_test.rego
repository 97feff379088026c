package headroom.images_test

import data.headroom.images
import data.headroom.runtime.jvm

# script_of is the name of the script that a container starts, "" for none that is known by its own name.
script_of(container) := object.get(found, [0, "title"], "") if {
	found := images.found with input as pod_with(container)
}

pod_with(container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"spec": {"containers": [object.union({"name": "app", "image": "registry.example/team/app:7"}, container)]},
}

broker := "kafka-server-start.sh"

test_scripts_start_under_any_image if {
	every command in [
		[broker], ["/opt/kafka_2.13-3.9.0/bin/kafka-server-start.sh", "/etc/server.properties"],
		["tini", "--", broker, "/etc/server.properties"],
		["sh", "-c", "exec /opt/kafka/bin/kafka-server-start.sh /etc/server.properties"],
		["bash", "-ec", "cp /a /b\nexport KAFKA_HEAP_OPTS=-Xmx3g\nexec gosu kafka kafka-server-start.sh x"],
		["/docker-entrypoint.sh", broker], ["sh", "-c", "until nc -z zk 2181; do sleep 1; done; kafka-server-start.sh x"],
	] {
		script_of({"command": command}) == broker
	}
	script_of({"args": [broker, "x"]}) == broker
	script_of({"command": ["sh", "-c"], "args": ["exec kafka-server-start.sh x"]}) == broker
}

test_what_only_names_a_script_does_not_start_it if {
	every command in [
		["cp", "/opt/kafka/bin/kafka-server-start.sh", "/x"], ["my-kafka-server-start.sh"], ["grep", "-q", broker, "/x"],
		["sh", "-c", "cp /opt/kafka/bin/kafka-server-start.sh /x; exec app"], ["echo", broker], ["/opt/bin/neo4j"], [],
	] {
		script_of({"command": command}) == ""
	}
	script_of({"command": 5, "args": {"a": "b"}}) == ""
}

# Some names are of one program alone only with the folder in front.
test_names_with_their_folder if {
	script_of({"command": ["/var/lib/neo4j/bin/neo4j", "console"]}) == "neo4j/bin/neo4j"
	script_of({"command": ["/opt/apache-tomcat-9.0.85/bin/startup.sh"]}) == ""
	script_of({"command": ["/usr/local/tomcat/bin/startup.sh"]}) == "tomcat/bin/startup.sh"
	script_of({"command": ["/opt/hadoop/bin/yarn", "nodemanager"]}) == "hadoop/bin/yarn"
	script_of({"command": ["/opt/spark/sbin/start-master.sh"]}) == "sbin/start-master.sh"
}

# yarn starts Node.js far more often than Hadoop, and Bitnami's chart of Redis has a start-master.sh.
test_names_that_other_programs_have if {
	every container in [
		{"image": "node:22", "command": ["yarn", "start"]},
		{"command": ["sh", "-c", "yarn install && exec yarn start"]},
		{"command": ["/bin/bash"], "args": ["-c", "/opt/bitnami/scripts/start-scripts/start-master.sh"]},
		{"command": ["/app/start-worker.sh"]},
		{"command": ["/app/start-slave.sh"]},
		{"command": ["/app/domain.sh"]},
	] {
		script_of(container) == ""
	}
}

# The script that is named says more than the image, unless the image brings it; a JDK's image tells the release.
test_scripts_beside_known_images if {
	script_of({"image": "apache/kafka:4.0.0", "command": [broker]}) == "image apache/kafka"
	connect := {"image": "confluentinc/cp-kafka:7.6.1", "command": ["connect-distributed", "/etc/c.properties"]}
	script_of(connect) == "connect-distributed"
	on_jdk := {"image": "eclipse-temurin:17.0.9_9-jre", "command": ["/opt/kafka/bin/kafka-server-start.sh"]}
	found := images.found with input as pod_with(on_jdk)
	[found[0].title, images.release(found[0])] == [broker, {"feature": 17, "update": 9}]
	images.known({"id": 0}) with input as pod_with(on_jdk)
	not images.known({"id": 0}) with input as pod_with({"command": [broker]})
}

test_headroom_yaml_stands_above_scripts if {
	found := images.found with input as pod_with({"command": [broker]})
		with data.headroom.overrides as {"images": [{"names": ["team/app"], "line": []}]}
	found[0].title == "image team/app"
}

# A file of a ConfigMap that the command runs.
test_scripts_in_config_maps if {
	mounted := object.union_n([
		{"volumes": [{"name": "s", "configMap": {"name": "scripts"}}]},
		{"containers": [{
			"name": "app",
			"image": "registry.example/team/app:7",
			"command": ["/scripts/run"],
			"volumeMounts": [{"name": "s", "mountPath": "/scripts"}],
		}]},
	])
	found := images.found with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": mounted},
		"context": {"config_maps": [{
			"metadata": {"name": "scripts"},
			"data": {"run": "set -e\nsleep 1\nexec \\\n  /opt/kafka/bin/kafka-server-start.sh /etc/x"},
		}]},
	}
	found[0].title == broker
}

# A variable that the script does not read is told with the name of the script.
test_variables_that_a_script_passes_over if {
	[found] := jvm.jvms with input as pod_with({
		"command": [broker],
		"env": [{"name": "JAVA_OPTS", "value": "-Xmx3g"}],
	})
	found.evidence == "kafka-server-start.sh starts java"
	[said] := jvm.not_read(found)
	said.text == "JAVA_OPTS holds JVM flags, but kafka-server-start.sh does not read it: no effect."
}

test_words_that_name_a_script if {
	every word in ["kafka-server-start.sh", "/opt/kafka/bin/kafka-server-start.sh"] {
		regex.match(images.script_words, word)
	}
	not regex.match(images.script_words, "my-kafka-server-start.sh")
}
