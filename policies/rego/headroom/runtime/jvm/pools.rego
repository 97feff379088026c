package headroom.runtime.jvm

import data.headroom.cpu
import data.headroom.process

# Pools of threads that a property of a library sizes, whatever the JVM counts (J17). A pool computes, and is held
# against the CPU limit (HR505), or its threads mostly wait for others, and their stacks count (HR303).
#   property, others      what sizes it, with the names of earlier releases
#   by                    who reads it: the JVM's own properties (-D) alone, or also what Spring or Quarkus reads
#   name                  for people
#   usual                 what the library takes by itself at the least, which is no mistake of the user
#   blocks                tasks may wait in it: up to four for each core are usual then
_computing := [
	{
		"property": "io.netty.eventLoopThreads",
		"by": "jvm", "name": "Netty's event loop", "usual": 2, "blocks": false,
	},
	{
		"property": "reactor.netty.ioWorkerCount",
		"by": "jvm", "name": "Reactor Netty's event loop", "usual": 4, "blocks": false,
	},
	{
		"property": "java.util.concurrent.ForkJoinPool.common.parallelism",
		"by": "jvm", "name": "The common pool", "usual": 3, "blocks": true,
	},
	{
		"property": "akka.actor.default-dispatcher.fork-join-executor.parallelism-min",
		"by": "jvm", "name": "Akka's default dispatcher", "usual": 8, "blocks": true,
	},
	{
		"property": "pekko.actor.default-dispatcher.fork-join-executor.parallelism-min",
		"by": "jvm", "name": "Pekko's default dispatcher", "usual": 8, "blocks": true,
	},
	{
		"property": "server.undertow.threads.io", "others": ["server.undertow.io-threads"],
		"by": "spring", "name": "Undertow's I/O", "usual": 2, "blocks": false,
	},
	{
		"property": "quarkus.vertx.event-loops-pool-size",
		"by": "quarkus", "name": "Vert.x's event loop", "usual": 2, "blocks": false,
	},
]

_serving := [
	{"property": "server.tomcat.threads.max", "others": ["server.tomcat.max-threads"], "by": "spring"},
	{"property": "server.jetty.threads.max", "by": "spring"},
	{"property": "server.undertow.threads.worker", "others": ["server.undertow.worker-threads"], "by": "spring"},
	{"property": "quarkus.thread-pool.max-threads", "by": "quarkus"},
]

_names_of(pool) := array.concat([pool.property], object.get(pool, "others", []))

# What stands for a property in the environment: Spring leaves dashes out, and up to Spring Boot 2 made underscores of
# them; Quarkus makes underscores. A variable may also have the property's own name.
_variables_of(pool) := [] if {
	pool.by == "jvm"
} else := [variable |
	some name in _names_of(pool)
	some variable in [name, _underscored(name), _underscored(_undashed(pool.by, name))]
]

_underscored(name) := upper(regex.replace(name, `[^A-Za-z0-9]`, "_"))

_undashed("spring", name) := replace(name, "-", "")

_undashed("quarkus", name) := name

# One look at all of a JVM tells whether any of the properties is set.
_any_pool := concat("|", {regex.replace(_written_as[by], `NAME`, replace(name, ".", `\.`)) |
	some pool in array.concat(_computing, _serving)
	by := pool.by == "jvm"
	some name in array.concat(_names_of(pool), _variables_of(pool))
})

_written_as := {true: "-DNAME=", false: "NAME"}

# _sized are the pools of a JVM whose size is seen: {pool, threads, name, text, path}.
_sized(j, pools) := [object.union(said, {"pool": pool, "threads": to_number(said.text), "text": _told_size(said)}) |
	_sizes_any(j)
	some pool in pools
	said := _pool_setting(j, pool)
	regex.match(`^[1-9][0-9]{0,4}$`, said.text)
]

_sizes_any(j) if regex.match(_any_pool, visible_text(j.c, j.sources))

_sizes_any(j) if regex.match(_any_pool, concat(" ", _variable_names(j.c)))

_sizes_any(j) if _property_files(j.c) != []

# The command line of the program wins, then a property of the JVM, a variable, a file. Each is {name, text, at, path}.
_pool_setting(j, pool) := said[0] if {
	said := array.concat(
		array.concat(_by_argument(j, pool), _by_property(j, pool)),
		array.concat(_by_variable(j, pool), _by_file(j, pool)),
	)
}

_by_argument(j, pool) := [{"name": option, "text": value, "at": "", "path": process.path_of_command(j.c)} |
	pool.by == "spring"
	some word in array.concat(object.get(j.command, "rest", []), process.args(j.c))
	some name in _names_of(pool)
	option := concat("", ["--", name])
	startswith(word, concat("", [option, "="]))
	value := substring(word, count(option) + 1, -1)
]

# Of several the JVM keeps the last.
_by_property(j, pool) := array.slice(
	array.reverse([{
		"name": option,
		"text": value,
		"at": s.name,
		"path": s.path,
		"assumed": s.assumed,
	} |
		some s in j.sources
		some name in _names_of(pool)
		option := concat("", ["-D", name])
		some value in s.options[option]
	]),
	0, 1,
)

_by_variable(j, pool) := [{"name": name, "text": trim_space(found.value), "at": "", "path": found.path} |
	some name in _variables_of(pool)
	found := process.arrived(j.call, name)
	found.state == "literal"
]

_by_file(j, pool) := [{"name": name, "text": value, "at": file.path, "path": file.at} |
	pool.by != "jvm"
	some file in _property_files(j.c)
	some name in _names_of(pool)
	value := _property_in(file, name)
]

_told_size(said) := sprintf("%s=%s%s", [said.name, said.text, _told_where(said.at)])

_told_where("") := ""

_told_where(at) := concat(", ", ["", at]) if at != ""

# counters are the pools that compute and have more threads than their library takes by itself.
counters := [{
	"c": j.c,
	"sure": _surely_busy(j, found),
	"path": found.path,
	"text": sprintf("%s has %v threads (%s)", [found.pool.name, found.threads, found.text]),
	"count": found.threads,
	"expected": sprintf("%s=%v, limits.cpu rounded up, or none: the library then goes by the JVM's processors", [
		found.name,
		cpu.cores[j.c.id],
	]),
} |
	some j in judged
	some found in _sized(j, _computing)
	found.threads > found.pool.usual
]

default _surely_busy(_, _) := false

_surely_busy(j, found) if {
	j.sure
	not found.assumed
	found.threads > _usual_for_waiting[found.pool.blocks] * ceil(j.c.cpu_limit / 1000)
}

# As many for each core are usual where they wait now and then (T13), or where tasks may block in them (T12).
_usual_for_waiting := {false: 2, true: 4}

# serving_threads are the most threads that answer requests, {threads, text}; undefined where nothing says so.
serving_threads(j) := found[0] if {
	found := [sized | some sized in _sized(j, _serving)]
	not _virtual(j)
}

# Spring's server starts virtual threads then, and none of the pool's.
_virtual(j) if lower(_pool_setting(j, {"property": "spring.threads.virtual.enabled", "by": "spring"}).text) == "true"
