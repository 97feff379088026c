package headroom.lock_test

import data.headroom.lock

test_what_is_kept if {
	found := lock.kept with input as {
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
	labels := lock.kept.labels with input as {"labels": {"io.buildpacks.build.metadata": label}}
	labels == {"io.buildpacks.build.metadata": "paketo-buildpacks/bellsoft-liberica"}
	every odd in ["{", "[]", "{}", `{"buildpacks": 1}`] {
		lock.kept.labels == {} with input as {"labels": {"io.buildpacks.build.metadata": odd}}
	}
}

test_nothing_to_keep if {
	lock.kept == {"entrypoint": [], "command": [], "environment": {}, "labels": {}} with input as {}
	lock.kept.entrypoint == [] with input as {"entrypoint": null, "environment": {}}
}

# Secrets in the ways in which a shell's line can hold them.
test_secrets_are_left_out if {
	every pair in [
		[`java -Da="hunter 2" -Xmx1g`, `java -Da=… -Xmx1g`],
		[`java '-Da=hunter2' -Xmx1g`, `java '-Da=…' -Xmx1g`],
		[`run --password='hunter 2' -Xmx1g`, `run --password=… -Xmx1g`],
		[`run --db-password hunter2 -Xmx1g`, `run --db-password … -Xmx1g`],
		[`run --private-key "hunter 2" -Xmx1g`, `run --private-key … -Xmx1g`],
		[`run --token -Xmx1g`, `run --token -Xmx1g`],
		[`run postgres://me:hunter2@db/x -Xmx1g`, `run postgres://me:…@db/x -Xmx1g`],
		[`java -jar token-service.jar http://a:80/`, `java -jar token-service.jar http://a:80/`],
	] {
		lock.kept.entrypoint == ["sh", "-c", pair[1]] with input as {"entrypoint": ["sh", "-c", pair[0]]}
		lock.kept.environment == {"JAVA_OPTS": pair[1]} with input as {"environment": {"JAVA_OPTS": pair[0]}}
	}
}

test_a_secret_that_the_entrypoint_takes_in if {
	found := lock.kept.environment with input as {
		"entrypoint": ["sh", "-c", "java -Da=$DB_PASSWORD ${API_KEY} $OPTS"],
		"environment": {"DB_PASSWORD": "hunter2", "API_KEY": "hunter2", "OPTS": "-Xmx1g"},
	}
	found == {"OPTS": "-Xmx1g"}
}
