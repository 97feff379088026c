package headroom.runtime.jvm

import data.headroom.cpu
import data.headroom.process

# Pools of threads that a property of a library sizes, whatever the JVM counts (J17). A pool computes, and is held
# against the CPU limit (HR505), or its threads mostly wait for others, and their stacks count (HR303).
#   property, others      what sizes it, with the names of earlier releases
#   by                    who reads it: the JVM's own properties (-D) alone, or also what Spring or Quarkus reads
#   name                  for people
#   usual                 what the library takes by itself at the least, which is no mistake of the user
#   each, least           what advice names: `each` for each core, 1 where it says none, and `least`, else `usual`
#   blocks                tasks may wait in it: up to four for each core are usual then
#   scaled                `others` are a factor for each processor, and a maximum
_computing := [
	{
		"property": "io.netty.eventLoopThreads",
		"by": "jvm", "name": "Netty's event loop", "usual": 2, "each": 2, "blocks": false,
	},
	{
		"property": "reactor.netty.ioWorkerCount",
		"by": "jvm", "name": "Reactor Netty's event loop", "usual": 4, "blocks": false,
	},
	{
		"property": "java.util.concurrent.ForkJoinPool.common.parallelism",
		"by": "jvm", "name": "The common pool", "usual": 3, "least": 1, "blocks": true,
	},
	{
		"property": "akka.actor.default-dispatcher.fork-join-executor.parallelism-min",
		"others": [
			"akka.actor.default-dispatcher.fork-join-executor.parallelism-factor",
			"akka.actor.default-dispatcher.fork-join-executor.parallelism-max",
		],
		"by": "jvm", "name": "Akka's default dispatcher", "usual": 8, "blocks": true, "scaled": true,
	},
	{
		"property": "pekko.actor.default-dispatcher.fork-join-executor.parallelism-min",
		"others": [
			"pekko.actor.default-dispatcher.fork-join-executor.parallelism-factor",
			"pekko.actor.default-dispatcher.fork-join-executor.parallelism-max",
		],
		"by": "jvm", "name": "Pekko's default dispatcher", "usual": 8, "blocks": true, "scaled": true,
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
_sized(j, pools) := [object.union(sized, {"pool": pool}) |
	_sizes_any(j)
	some pool in pools
	sized := _size_of_pool(j, pool)
]

_size_of_pool(j, pool) := object.union(said, {"threads": to_number(said.text), "text": _told_size(said)}) if {
	not pool.scaled
	said := _pool_setting(j, pool)
	regex.match(`^[1-9][0-9]{0,4}$`, said.text)
}

# A dispatcher of Akka or Pekko: the factor for each processor, at least parallelism-min, at most parallelism-max.
_size_of_pool(j, pool) := object.union(decides, {"threads": threads, "text": text}) if {
	pool.scaled
	said := [setting | some name in _names_of(pool); setting := _pool_setting(j, {"property": name, "by": pool.by})]
	every setting in said { regex.match(`^[0-9]{1,4}(?:\.[0-9]{1,4})?$`, setting.text) }
	[least, factor, most] := [value |
		some i, name in _names_of(pool)
		value := array.concat([to_number(s.text) | some s in said; endswith(s.name, name)], [[pool.usual, 1, 64][i]])[0]
	]
	threads := min([max([least, ceil(j.processors * factor)]), most])
	decides := array.concat([s | some s in said; to_number(s.text) == threads], said)[0]
	text := concat("", [_told_size(decides), _told_most(to_number(decides.text), threads, most)])
}

_told_most(said, threads, most) := sprintf("; parallelism-max is %v", [most]) if {
	said > threads
	threads == most
} else := ""

_sizes_any(j) if regex.match(_any_pool, visible_text(j.c, j.sources))

_sizes_any(j) if regex.match(_any_pool, concat(" ", _variable_names(j.c)))

_sizes_any(j) if {
	some by in ["spring", "quarkus"]
	_property_files(j, by) != []
}

# The command line of the program wins, then a property of the JVM, a variable, a file. Each is {name, text, at, path}.
_pool_setting(j, pool) := array.concat(_set_outside_files(j, pool), _by_file(j, pool))[0]

_set_outside_files(j, pool) := array.concat(
	array.concat(_by_argument(j, pool), _by_property(j, pool)),
	_by_variable(j, pool),
)

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
	some file in _property_files(j, pool.by)
	some name in _names_of(pool)
	value := _property_in(j, file, name)
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
	"expected": sprintf("%s=%v, no fewer than the library takes by itself for limits.cpu", [
		regex.replace(found.name, `-(?:factor|min)$`, "-max"),
		_advised_size(found.pool, cpu.cores[j.c.id]),
	]),
} |
	some j in judged
	some found in _sized(j, _computing)
	found.threads > found.pool.usual
]

_advised_size(pool, cores) := max([object.get(pool, "least", pool.usual), object.get(pool, "each", 1) * cores])

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

# Spring's server starts virtual threads then, and none of the pool's, from Java 21 on. Of an unknown release neither is
# known.
_virtual(j) if {
	lower(_pool_setting(j, {"property": "spring.threads.virtual.enabled", "by": "spring"}).text) == "true"
	not j.version in numbers.range(1, 20)
}
