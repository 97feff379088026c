package headroom.images_test

import data.headroom.images

named(image) := object.get(found, [0, "name"], "") if {
	found := images.found with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [{"name": "app", "image": image}]},
	}
}

test_names_of_images if {
	expected := {
		"apache/kafka:4.0.0": "apache/kafka",
		"docker.io/apache/kafka": "apache/kafka",
		"mirror.example.com:5000/hub/apache/kafka:4.0.0@sha256:00": "apache/kafka",
		"bitnami/kafka": "bitnami/kafka",
		"kafka:4.0.0": "",
		"team/kafka:4.0.0": "",
		"apache/kafka-native:4.0.0": "",
		"cassandra:5": "cassandra",
		"library/cassandra:5": "cassandra",
		"docker.io/library/cassandra": "cassandra",
		"mirror.example.com/cassandra:5": "cassandra",
		"localhost/cassandra": "cassandra",
		"team/cassandra": "",
		"mirror.example.com/team/cassandra": "",
	}
	every image, name in expected {
		named(image) == name
	}
	named(5) == ""
}

test_references if {
	images.reference("r.example:5000/a/b:1.2@sha256:00") == {"path": "r.example:5000/a/b", "last": "b", "tag": "1.2"}
	images.reference("b") == {"path": "b", "last": "b", "tag": ""}
}

# What a team says of its own image counts more than what is known here.
test_the_config_comes_first if {
	found := images.found with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [{"name": "app", "image": "mirror.example.com/apache/kafka:1"}]},
	}
		with data.headroom.overrides as {"images": [
			{"names": ["apache/kafka"], "line": []},
			{"names": ["mirror.example.com/apache/kafka"], "line": [{"options": "-Xmx1g"}]},
		]}
	[found[0].name, found[0].record.line] == ["mirror.example.com/apache/kafka", [{"options": "-Xmx1g"}]]
}
