# METADATA
# title: Worker pools
# description: |
#   How many workers a container runs at once, where the manifest says so. Workers are what
#   can use a core each: processes, and libuv's threads. Threads of one Ruby or Python
#   process share an interpreter lock and green threads share a thread; neither counts.
package headroom.workers

import data.headroom.environment
import data.headroom.process
import data.headroom.quantity
import data.headroom.registry
import data.headroom.workload

# pools are {c, container, workers, per ("process" or "thread"), source, path, k, assumed, usual, runtime}.
# k is the cores that one worker needs (T12), assumed if it is not declared. usual is the number of
# workers that the server starts by itself. A pool whose size or k cannot be read is left out.
pools := [pool |
	some id in _candidates
	c := workload.containers[id]
	c.role != "init"
	k := _cores_per_worker(c.name)
	some claim in array.concat(_processes(c), _threads(c))
	regex.match(_size, claim.text)
	pool := {
		"c": c,
		"container": c.name,
		"workers": to_number(claim.text),
		"per": claim.per,
		"source": concat("", [claim.what, claim.text]),
		"path": claim.path,
		"k": k.cores,
		"assumed": k.assumed,
		"usual": claim.usual,
		"runtime": claim.runtime,
	}
]

_size := `^[1-9][0-9]{0,5}$`

# Most containers have none: one look at all of their variables and commands.
_candidates := with_program if {
	environment.silent
} else := {id | some id, names in environment.present; names & variables != set()} | with_program

# needed are the millicores that all workers of a pool need at once: whole ones, as in floating point
# 25 * 0.6 is a little more than 15.
needed(pool) := round((pool.workers * pool.k) * 1000)

# fitting is how many workers a limit of so many millicores has room for.
fitting(pool, milli) := floor(milli / round(pool.k * 1000))

# A claim is {text, what, path, per, usual, runtime}. The first that is made decides, even where
# its value is not known: the command line wins over the variables that its program reads.
_processes(c) := [claims[0] |
	some command in commands(c)
	told := array.concat(command_claims(command), _file_claims(c, command))
	claims := array.concat(told, array.concat(variable_claims(c, command.program), _told_claims(c, command)))
] if {
	c.id in with_program
	commands(c) != []
} else := array.slice(variable_claims(c, ""), 0, 1)

command_claims(command) := [{
	"text": asked.text,
	"what": sprintf("%s%s %s ", [object.get(command, "in", ""), command.program, asked.option]),
	"path": asked.path,
	"per": "process",
	"usual": 1,
	"runtime": programs[command.program].runtime,
} |
	counts(command)
	asked := _asked_for(command)
]

_asked_for(command) := {"option": "--autoscale", "text": _most(range.text), "path": range.path} if {
	range := autoscale(command)
} else := object.union(values[count(values) - 1], {"option": programs[command.program].options[0]}) if {
	values := option_values(command, programs[command.program].options)
}

# autoscale is how far celery lets its workers grow and shrink, whatever --concurrency says beside it (R20).
autoscale(command) := ranges[count(ranges) - 1] if {
	command.program == "celery"
	ranges := option_values(command, ["--autoscale"])
}

# celery sorts the two numbers.
_most(range) := sprintf("%d", [max([to_number(n) | some n in split(range, ",")])]) if {
	regex.match(_range, range)
} else := ""

_range := `^[1-9][0-9]{0,5}(?:,(?:0|[1-9][0-9]{0,5}))?$|^0,[1-9][0-9]{0,5}$`

# A file of settings that a ConfigMap of the same input holds. What GUNICORN_CMD_ARGS may say goes before it.
_file_claims(c, command) := [{
	"text": groups[2],
	"what": sprintf("%s: %s", [file.path, groups[1]]),
	"path": file.at,
	"per": "process",
	"usual": 1,
	"runtime": programs[command.program].runtime,
} |
	file := file_of(c, command)
	every name, program in _reader {
		[program, environment.setting(c, name).state] != [command.program, "literal"]
	}
	found := regex.find_all_string_submatch_n(_files[command.program].line, file.text, -1)
	groups := found[count(found) - 1]
]

# file_of is {path, text, at}, the file of settings that a command names, where it is seen.
file_of(c, command) := {"path": value.text, "text": process.mounted(c, value.text).text, "at": value.path} if {
	values := option_values(command, _files[command.program].options)
	value := values[count(values) - 1]
}

_files := object.union_n([declared.files | some declared in registry.about])

variable_claims(c, program) := [claim |
	some name in programs[program].variables
	some claim in _variable_claims(c, name, environment.setting(c, name))
]

_variable_claims(_, name, setting) := [object.union(claim, {"what": what}) |
	words := [[word, setting.path] | some word in shell_words(setting.text)]
	what := sprintf("%s %s ", [name, programs[_reader[name]].options[0]])
	some claim in command_claims({"program": _reader[name], "words": words})
] if {
	_reader[name]
	setting.state == "literal"
} else := [{"text": "", "what": "", "path": setting.path, "per": "process", "usual": 1, "runtime": _owner[name]}] if {
	_reader[name]
}

_variable_claims(c, name, setting) := [{
	"text": object.get(setting, "text", ""),
	"what": concat("", [name, "="]),
	"path": setting.path,
	"per": "process",
	"usual": 1,
	"runtime": object.get(_owner, name, _declared(c)),
}] if {
	not _reader[name]
}

# What programs of more than one runtime read, as WEB_CONCURRENCY, tells none of them.
_declared(c) := registry.declared[c.name][0] if {
	registry.declared[c.name]
} else := commands(c)[0].runtime if {
	commands(c) != []
} else := ""

_threads(c) := [{
	"text": setting.text,
	"what": concat("", [name, "="]),
	"path": setting.path,
	"per": "thread",
	"usual": usual,
	"runtime": runtime,
} |
	some runtime, declared in registry.about
	some name, usual in declared.threads
	setting := environment.setting(c, name)
]

# found are the containers in which a pool shows a runtime, as the registry wants them.
found(runtime) := {id: {"sure": true, "evidence": sources[0]} |
	some id in {pool.c.id | some pool in pools}
	sources := [pool.source | some pool in pools; pool.c.id == id; pool.runtime == runtime]
}

# cores-per-worker.headroom.dev/<container>; HR105 speaks of one that cannot be read.
_cores_per_worker(name) := {"cores": 1, "assumed": true} if {
	not workload.annotations[_key(name)]
} else := {"cores": milli / 1000, "assumed": false} if {
	milli := quantity.milli(workload.annotations[_key(name)])
	milli > 0
}

_key(name) := concat("", ["cores-per-worker.headroom.dev/", name])

# Products tell the servers that they start how many workers to run: by a variable, by a line of a file, else so many.
# A runtime lists them as `told`: {program, by, variable, file, line, count}; by is what names the product in the
# container's image or command.

# told is the product that tells a command how many workers to start; undefined where none does.
told(c, command) := products[0] if {
	products := [product |
		some product in registry.about[programs[command.program].runtime].told
		product.program == command.program
		_names_it(c, product.by)
	]
}

_names_it(c, pattern) if {
	some text in _texts(c)
	regex.match(pattern, text)
}

_texts(c) := process.strings_of(array.concat(
	[object.get(c.raw, "image", "")],
	array.concat(process.strings_of(object.get(c.raw, "command", [])), process.args(c)),
))

_told_claims(c, command) := [object.union(_told_by(c, product, environment.setting(c, product.variable)), {
	"per": "process",
	"usual": 1,
	"runtime": programs[command.program].runtime,
}) |
	counts(command)
	product := told(c, command)
]

_told_by(c, product, setting) := {
	"text": object.get(setting, "text", ""),
	"what": concat("", [product.variable, "="]),
	"path": setting.path,
} if {
	setting.state != "absent"
} else := {
	"text": text,
	"what": sprintf("in %s: ", [product.file]),
	"path": array.concat(c.path, ["volumeMounts"]),
} if {
	file := process.mounted(c, product.file)
	text := _in_file(file, product)
} else := {
	"text": sprintf("%d", [product.count]),
	"what": sprintf("%s is not set: ", [product.variable]),
	"path": array.concat(c.path, ["env"]),
} if {
	environment.hidden(c) == []
} else := {"text": "", "what": "", "path": array.concat(c.path, ["envFrom"])}

# A file that is not seen may say any number.
_in_file(file, product) := "" if {
	file.why
} else := groups[1] if {
	groups := regex.find_all_string_submatch_n(product.line, file.text, 1)[0]
} else := sprintf("%d", [product.count])
