package headroom.inside_kept_test

import data.headroom.inside

test_what_is_kept if {
	found := inside.kept with input as {
		"entrypoint": ["sh", "-c", "exec java $MY_OPTS -Dpassword=hunter2 -jar app.jar --api-key=abc", 1],
		"command": ["--token", "x"],
		"environment": {
			"PATH": "/usr/bin",
			"SECRET": "hunter2",
			"MY_OPTS": "-Xmx1g -Ddb.password=hunter2",
			"JAVA_VERSION": "21.0.4",
			"JAVA_OPTS": "-Xmx2g",
			"GOMEMLIMIT": "1GiB",
			"ZOO_HEAP_SIZE": "512",
			"ODD": 1,
		},
		"labels": {"org.opencontainers.image.version": "1.2", "maintainer": "somebody"},
	}
	found == {
		"entrypoint": ["sh", "-c", "exec java $MY_OPTS -Dpassword=… -jar app.jar --api-key=…"],
		"command": ["--token", "…"],
		"environment": {
			"MY_OPTS": "-Xmx1g -Ddb.password=…",
			"JAVA_VERSION": "21.0.4",
			"JAVA_OPTS": "-Xmx2g",
			"GOMEMLIMIT": "1GiB",
			"ZOO_HEAP_SIZE": "512",
		},
		"labels": {"org.opencontainers.image.version": "1.2"},
	}
}

test_names_of_buildpacks if {
	packs := [{"key": "paketo-buildpacks/bellsoft-liberica", "version": "11"}, {"key": "A B"}, {}]
	label := json.marshal({"buildpacks": packs, "bom": "x"})
	labels := inside.kept.labels with input as {"labels": {"io.buildpacks.build.metadata": label}}
	labels == {"io.buildpacks.build.metadata": "paketo-buildpacks/bellsoft-liberica"}
	every odd in ["{", "[]", "{}", `{"buildpacks": 1}`] {
		inside.kept.labels == {} with input as {"labels": {"io.buildpacks.build.metadata": odd}}
	}
}

test_nothing_to_keep if {
	inside.kept == {"entrypoint": [], "command": [], "environment": {}, "labels": {}} with input as {}
	inside.kept.entrypoint == [] with input as {"entrypoint": null, "environment": {}}
}
