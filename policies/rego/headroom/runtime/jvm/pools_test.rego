package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# pooled is a Pod of one JVM, and the counters and request threads that it has.
pooled(more) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app"},
	"spec": {
		"containers": [object.union(
			{
				"name": "app",
				"image": "eclipse-temurin:21",
				"command": ["java", "-jar", "app.jar"],
				"resources": {"limits": {"cpu": "2", "memory": "1Gi"}},
			},
			object.remove(more, ["volumes"]),
		)],
		"volumes": object.get(more, "volumes", []),
	},
}

computing(more) := found if {
	found := [[c.text, c.count, c.sure, c.path] | some c in jvm.counters] with input as pooled(more)
}

serving(more) := found if {
	found := [jvm.serving_threads(j) | some j in jvm.jvms] with input as pooled(more)
}

sized_by(text) := env("JAVA_TOOL_OPTIONS", text)

test_pools_that_compute if {
	every option, pool in {
		"-Dio.netty.eventLoopThreads=64": "Netty's event loop",
		"-Dreactor.netty.ioWorkerCount=64": "Reactor Netty's event loop",
		"-Djava.util.concurrent.ForkJoinPool.common.parallelism=64": "The common pool",
		"-Dakka.actor.default-dispatcher.fork-join-executor.parallelism-min=64": "Akka's default dispatcher",
		"-Dpekko.actor.default-dispatcher.fork-join-executor.parallelism-min=64": "Pekko's default dispatcher",
		"-Dserver.undertow.io-threads=64": "Undertow's I/O",
		"-Dquarkus.vertx.event-loops-pool-size=64": "Vert.x's event loop",
	} {
		found := computing(sized_by(option))
		told := sprintf("%s has 64 threads (%s, JAVA_TOOL_OPTIONS)", [pool, option])
		found == [[told, 64, true, ["spec", "containers", 0, "env", 0, "value"]]]
	}
}

# Tasks of the common pool may wait for others: up to four for each core are only told.
test_where_tasks_block if {
	every n, sure in {"31": true, "9": true, "8": false, "4": false} {
		[[_, _, found, _]] := computing(sized_by(concat("", [
			"-Djava.util.concurrent.ForkJoinPool.common.parallelism=", n,
		])))
		found == sure
	}
}

test_advice if {
	found := {c.expected | some c in jvm.counters} with input as pooled(env("SERVER_UNDERTOW_THREADS_IO", "32"))
	found == {concat(" ", [
		"SERVER_UNDERTOW_THREADS_IO=2, limits.cpu rounded up, or none:",
		"the library then goes by the JVM's processors",
	])}
}

# Spring reads a property in many places, and the nearer wins.
test_where_spring_reads if {
	every more in {
		"variable": [env("SERVER_TOMCAT_THREADS_MAX", "300"), 300],
		"blanks": [env("SERVER_TOMCAT_THREADS_MAX", " 300\n"), 300],
		"of earlier releases": [env("SERVER_TOMCAT_MAX_THREADS", "300"), 300],
		"without dashes": [env("SERVER_TOMCAT_MAXTHREADS", "300"), 300],
		"dotted": [env("server.tomcat.threads.max", "300"), 300],
		"argument": [{"command": ["java", "-jar", "app.jar", "--server.jetty.threads.max=300"]}, 300],
		"args of an image": [{"command": null, "args": ["--server.tomcat.threads.max=300"]}, 300],
		"the argument wins": [
			object.union(env("SERVER_TOMCAT_THREADS_MAX", "300"), {"args": ["--server.tomcat.threads.max=500"]}),
			500,
		],
		"the property before the variable": [
			object.union(
				env("SERVER_TOMCAT_THREADS_MAX", "300"),
				{"command": ["java", "-Dserver.tomcat.threads.max=500", "-jar", "app.jar"]},
			),
			500,
		],
	} {
		[found] := serving(object.remove(more[0], [k | some k, v in more[0]; v == null]))
		found.threads == more[1]
	}
}

file_in(folder, name, text) := {
	"volumeMounts": [{"name": "conf", "mountPath": folder}],
	"volumes": [{"name": "conf", "configMap": {"name": "conf"}}],
	"text": {name: text},
}

of_file(more) := found if {
	found := [jvm.serving_threads(j).threads | some j in jvm.jvms] with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": pooled(object.remove(more, ["text"])),
		"context": {"config_maps": [config_map("conf", more.text)]},
	}
}

test_files if {
	every text in [
		"server:\n  tomcat:\n    threads:\n      max: 400\n",
		"server.tomcat.threads.max: 400\n",
		"server:\n  tomcat:\n    threads: {max: \"400\"}\n",
	] {
		of_file(file_in("/app/config", "application.yaml", text)) == [400]
	}
	of_file(file_in("/config/", "application.properties", "a=1\nserver.tomcat.threads.max = 400 \r\n")) == [400]
	twice := "server.tomcat.threads.max=300\nserver.tomcat.threads.max:400"
	of_file(file_in("/config", "application.properties", twice)) == [400]
	of_file(object.union(
		{"workingDir": "/srv/app/"},
		file_in("/srv/app", "application.yml", "server.tomcat.threads.max: 400"),
	)) == [400]
	of_file(object.union(
		env("SPRING_CONFIG_ADDITIONAL_LOCATION", "file:/etc/app/"),
		file_in("/etc/app", "application.yml", "server.tomcat.threads.max: 400"),
	)) == [400]
	of_file(object.union(
		{"args": ["--spring.config.location=file:/etc/app/application.yml"]},
		object.union(
			file_in("/etc/app", "application.yml", "server.tomcat.threads.max: 400"),
			{"volumeMounts": [{
				"name": "conf",
				"mountPath": "/etc/app/application.yml",
				"subPath": "application.yml",
			}]},
		),
	)) == [400]
}

test_a_pool_of_a_whole_config_map if {
	all_of := {"envFrom": [{"configMapRef": {"name": "conf"}}], "text": {"SERVER_TOMCAT_THREADS_MAX": "400"}}
	of_file(all_of) == [400]
}

# Where nothing reads it, or what it says is not known.
test_files_that_say_nothing if {
	every folder in ["/etc/app", "/app/config/prod", "/srv"] {
		of_file(file_in(folder, "application.yaml", "server.tomcat.threads.max: 400")) == []
	}
	every text in [
		"", "# server.tomcat.threads.max: 400", "server: tomcat", "- a", ": :\n\t-",
		"server.tomcat.threads.max: ${THREADS:400}", "server:\n  tomcat: null",
		"server.tomcat.threads.max: 300\n---\nspring.config.activate.on-profile: dev\nserver.tomcat.threads.max: 400",
	] {
		of_file(file_in("/app/config", "application.yaml", text)) == []
	}
	comment := "#server.tomcat.threads.max=400\nserver_tomcat_threads_max=3"
	of_file(file_in("/app/config", "application.properties", comment)) == []
	of_file(file_in("/app/config", "application-dev.yaml", "server.tomcat.threads.max: 400")) == []
}

# What a library takes by itself, what the JVM does not read, and what is no number.
test_silent if {
	every more in [
		sized_by("-Dio.netty.eventLoopThreads=2"), sized_by("-Dreactor.netty.ioWorkerCount=4"),
		sized_by("-Djava.util.concurrent.ForkJoinPool.common.parallelism=3"),
		sized_by("-Dpekko.actor.default-dispatcher.fork-join-executor.parallelism-min=8"),
		sized_by("-Dio.netty.eventLoopThreads=0"), sized_by("-Dio.netty.eventLoopThreads=many"),
		sized_by("-Dio.netty.eventLoopThreads"), sized_by("-Dio.netty.eventLoopThreadsX=64"), sized_by(""),
		env("IO_NETTY_EVENTLOOPTHREADS", "64"), env("io.netty.eventLoopThreads", "64"),
		env("QUARKUS_VERTX_EVENT_LOOPS_POOL_SIZE", "$(CORES)"), env("QUARKUS_VERTX_EVENT_LOOPS_POOL_SIZE", ""),
		{"env": [{
			"name": "QUARKUS_VERTX_EVENT_LOOPS_POOL_SIZE",
			"valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}},
		}]},
		{"command": ["java", "-jar", "app.jar", "-Dio.netty.eventLoopThreads=64"]},
		object.union({"image": "nginx", "command": ["nginx"]}, env("QUARKUS_VERTX_EVENT_LOOPS_POOL_SIZE", "64")),
	] {
		computing(more) == []
	}
	every more in [env("SERVER_TOMCAT_THREADS_MIN_SPARE", "300"), env("SERVER_TOMCAT_THREADS_MAX", "300m"), {}] {
		serving(more) == []
	}
}

test_virtual_threads_are_none_of_the_pool if {
	every value, want in {"true": 0, "TRUE": 0, "false": 1} {
		found := serving({"env": [
			{"name": "SERVER_TOMCAT_THREADS_MAX", "value": "800"},
			{"name": "SPRING_THREADS_VIRTUAL_ENABLED", "value": value},
		]})
		count(found) == want
	}
}

# A variable that only a start script may read is not surely read.
test_assumed_is_not_sure if {
	more := object.union(env("JAVA_OPTS", "-Dio.netty.eventLoopThreads=64"), {"name": "app", "image": "example.com/app:1"})
	pod := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [more]}}
	found := [[c.count, c.sure] | some c in jvm.counters] with input as pod
	found == [[64, false]]
}
