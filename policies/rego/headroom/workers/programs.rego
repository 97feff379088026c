package headroom.workers

import data.headroom.registry

# _declared_programs are the servers whose workers are processes, with their runtime. Each has the
# options that set how many, the long one first, and the variables that stand in for them, the
# stronger first.
_declared_programs := [object.union(program, {"runtime": runtime}) |
	some runtime, declared in registry.about
	some program in array.concat(declared.programs, [_single(name) | some name in declared.starts])
]

# A program that starts no workers of its own.
_single(name) := {"name": name, "options": [], "variables": []}

# programs are those by name. Where no command is visible, any of the variables may be meant: those
# that tell the runtime go before those that programs of several read.
programs := object.union(
	{"": {"options": [], "runtime": "", "variables": array.concat(_told, _all)}},
	{program.name: object.remove(program, ["arguments", "name"]) | some program in _declared_programs},
)

_all := [variable | some program in _declared_programs; some variable in program.variables]

_told := [variable | some variable in _all; _owner[variable]]

# _owner is the one runtime whose programs read a variable.
_owner := {variable: runtime |
	some variable in _all
	readers := {program.runtime | some program in _declared_programs; variable in program.variables}
	count(readers) == 1
	some runtime in readers
}

# _reader is the program whose arguments a variable holds.
_reader := {program.arguments: program.name | some program in _declared_programs}

# variables are those that size a pool of workers.
variables := {variable | some variable in _all} | {name | some name, _ in registry.about[_].threads}

_any_program := sprintf("(?:%s)", [concat("|", sort(_names))])

_program_word := sprintf("^(?:.*/)?(%s)$", [concat("|", sort(_names))])

_names := {program.name | some program in _declared_programs}

# counts is false for a celery that runs no worker, or whose pool is no pool of processes:
# green threads, threads of one interpreter, or one task at a time.
counts(command) if command.program != "celery"

counts(command) if {
	some [word, _] in command.words
	word == "worker"
	not _other_pool(command)
}

_other_pool(command) if {
	some value in option_values(command, _pool_options)
	not value.text in _pools_of_processes
}

_pool_options := ["--pool", "-P"]

_pools_of_processes := {"prefork", "processes"}
