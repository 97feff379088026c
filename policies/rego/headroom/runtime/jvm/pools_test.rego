package headroom.runtime.jvm_test

import data.headroom.reviews_test as reviews
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

advised(more) := found if {
	found := {c.expected | some c in jvm.counters} with input as pooled(more)
}

# Advice is no fewer than the library would start by itself.
test_advice if {
	every case in [
		[env("SERVER_UNDERTOW_THREADS_IO", "32"), "SERVER_UNDERTOW_THREADS_IO=2"],
		[sized_by("-Dio.netty.eventLoopThreads=64"), "-Dio.netty.eventLoopThreads=4"],
		[sized_by("-Dreactor.netty.ioWorkerCount=64"), "-Dreactor.netty.ioWorkerCount=4"],
		[
			sized_by("-Djava.util.concurrent.ForkJoinPool.common.parallelism=64"),
			"-Djava.util.concurrent.ForkJoinPool.common.parallelism=2",
		],
		[sized_by(concat("", [akka, "min=64"])), concat("", [akka, "max=8"])],
		[sized_by(concat("", [akka, "factor=16"])), concat("", [akka, "max=8"])],
	] {
		advised(case[0]) == {concat(", ", [case[1], "no fewer than the library takes by itself for limits.cpu"])}
	}
}

akka := "-Dakka.actor.default-dispatcher.fork-join-executor.parallelism-"

# A dispatcher has the factor for each of the two processors, at least parallelism-min, at most parallelism-max.
test_dispatchers if {
	every settings, want in {
		"min=48": [48, "min=48", ""], "min=100": [64, "min=100", "; parallelism-max is 64"],
		"min=100 max=80": [80, "max=80", ""], "max=200 min=100": [100, "min=100", ""],
		"factor=8.0": [16, "factor=8.0", ""], "factor=40.5": [64, "factor=40.5", ""],
		"factor=8 min=20": [20, "min=20", ""],
	} {
		[[text, threads, _, _]] := computing(sized_by(concat(" ", [option |
			some word in split(settings, " ")
			option := concat("", [akka, word])
		])))
		threads == want[0]
		text == sprintf("Akka's default dispatcher has %v threads (%s%s, JAVA_TOOL_OPTIONS%s)", [
			threads, akka,
			want[1], want[2],
		])
	}
	every settings in ["max=4", "max=100", "min=many", "factor=2"] {
		computing(sized_by(concat("", [akka, settings]))) == []
	}
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
	found := [jvm.serving_threads(j).threads | some j in jvm.jvms] with input as reviews.of_object(
		pooled(object.remove(more, ["text"])),
		{"config_maps": [config_map("conf", more.text)]},
	)
}

test_files if {
	every text in [
		"server:\n  tomcat:\n    threads:\n      max: 400\n",
		"server.tomcat.threads.max: 400\n",
		"server:\n  tomcat:\n    threads: {max: \"400\"}\n",
	] {
		of_file(in_app("application.yaml", text)) == [400]
		of_file(in_app("application.yaml", concat("", ["---\n", text]))) == [400]
	}
	of_file(object.union(
		{"workingDir": "/"},
		file_in("/config/", "application.properties", "a=1\nserver.tomcat.threads.max = 400 \r\n"),
	)) == [400]
	twice := "server.tomcat.threads.max=300\nserver.tomcat.threads.max:400"
	of_file(in_app("application.properties", twice)) == [400]
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

in_app(name, text) := object.union({"workingDir": "/app"}, file_in("/app/config", name, text))

# A document that is of a profile is in force where that is active. Of an expression nothing is known.
of_profile(key, profile) := {
	"application.properties": sprintf(
		"server.tomcat.threads.max=300\n#---\n%s=%s\nserver.tomcat.threads.max=400",
		[key, profile],
	),
	"application.yml": sprintf(
		"---\nserver.tomcat.threads.max: 300\n---\n%s: %s\nserver.tomcat.threads.max: 400",
		[key, profile],
	),
}

on_profile := "spring.config.activate.on-profile"

test_documents_of_profiles if {
	every active, want in {"prod": [400], "dev, prod": [400], "dev": [300], "a,b": [300]} {
		every name, text in of_profile(on_profile, "prod") {
			of_file(object.union(env("SPRING_PROFILES_ACTIVE", active), in_app(name, text))) == want
		}
	}
	every name, text in of_profile(on_profile, "prod") {
		of_file(in_app(name, text)) == [300]
		of_file(object.union({"args": ["--spring.profiles.active=prod"]}, in_app(name, text))) == [400]
	}
	every found in [
		[of_profile(on_profile, "default"), [400]], [of_profile("spring.profiles", "default"), [400]],
		[of_profile(on_profile, "\"!dev\""), []],
		[of_profile("spring.config.activate.on-cloud-platform", "kubernetes"), [400]],
		[of_profile("spring.config.activate.on-cloud-platform", "heroku"), [300]],
	] {
		every name, text in found[0] { of_file(in_app(name, text)) == found[1] }
	}
	several := {
		"server.tomcat.threads.max": 400,
		"spring": {"config": {"activate": {"on-profile": ["test", "prod"]}}},
	}
	in_list := in_app("application.yaml", yaml.marshal(several))
	of_file(object.union(env("SPRING_PROFILES_ACTIVE", "prod"), in_list)) == [400]
}

test_which_profiles_are_active if {
	text := of_profile(on_profile, "prod")["application.properties"]
	of_file(in_app("application.properties", concat("", ["spring.profiles.active=prod\n", text]))) == [400]
	of_file(object.union(in_app("application.properties", text), {"env": [{
		"name": "SPRING_PROFILES_ACTIVE",
		"valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}},
	}]})) == []
	own := object.union(env("SPRING_PROFILES_ACTIVE", "dev,prod"), in_app(
		"application-prod.properties",
		"server.tomcat.threads.max=500",
	))
	all := {"application.properties": text, "application-test.properties": "server.tomcat.threads.max=600"}
	of_file(object.union(own, {"text": all})) == [500]
}

# Where Spring is told to look it looks nowhere else, and what is to be looked at besides wins.
test_where_files_lie if {
	every value, want in {
		"file:/etc/app/": [400], "optional:file:///etc/app/": [400], "/etc/app/application.yml": [400],
		"classpath:/,file:/etc/app/": [400], "file:/etc/app": [], "file:/etc/application/": [], "file:/etc/": [],
	} {
		of_file(object.union(
			env("SPRING_CONFIG_LOCATION", value),
			file_in("/etc/app", "application.yml", "server.tomcat.threads.max: 400"),
		)) == want
	}
	of_file(object.union(
		env("SPRING_CONFIG_LOCATION", "file:/etc/app/"),
		in_app("application.yml", "server.tomcat.threads.max: 400"),
	)) == []
	quarkus := file_in("/deployments/config", "application.properties", "quarkus.thread-pool.max-threads=400")
	of_file(object.union({"workingDir": "/deployments"}, quarkus)) == [400]
	of_file(quarkus) == []
}

test_a_pool_of_a_whole_config_map if {
	all_of := {"envFrom": [{"configMapRef": {"name": "conf"}}], "text": {"SERVER_TOMCAT_THREADS_MAX": "400"}}
	of_file(all_of) == [400]
}

# Where nothing reads it, or what it says is not known.
test_files_that_say_nothing if {
	every folder in ["/etc/app", "/app/config", "/app/config/prod", "/srv"] {
		of_file(file_in(folder, "application.yaml", "server.tomcat.threads.max: 400")) == []
	}
	every text in [
		"", "# server.tomcat.threads.max: 400", "server: tomcat", "- a", ": :\n\t-",
		"server.tomcat.threads.max: ${THREADS:400}", "server:\n  tomcat: null",
		"spring.config.activate.on-profile: dev\nserver.tomcat.threads.max: 400",
	] {
		of_file(in_app("application.yaml", text)) == []
	}
	comment := "#server.tomcat.threads.max=400\nserver_tomcat_threads_max=3"
	of_file(in_app("application.properties", comment)) == []
	of_file(in_app("application-dev.yaml", "server.tomcat.threads.max: 400")) == []
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
	every case in [
		["eclipse-temurin:21", "true", 0], ["eclipse-temurin:21", "TRUE", 0], ["eclipse-temurin:21", "false", 1],
		["eclipse-temurin:17", "true", 1], ["registry.example/team/app:1", "true", 0],
	] {
		found := serving({"image": case[0], "env": [
			{"name": "SERVER_TOMCAT_THREADS_MAX", "value": "800"},
			{"name": "SPRING_THREADS_VIRTUAL_ENABLED", "value": case[1]},
		]})
		count(found) == case[2]
	}
}

# A variable that only a start script may read is not surely read.
test_assumed_is_not_sure if {
	more := object.union(env("JAVA_OPTS", "-Dio.netty.eventLoopThreads=64"), {"name": "app", "image": "example.com/app:1"})
	pod := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [more]}}
	found := [[c.count, c.sure] | some c in jvm.counters] with input as pod
	found == [[64, false]]
}
