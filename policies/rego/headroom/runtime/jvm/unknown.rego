package headroom.runtime.jvm

import data.headroom.process

# unknown_of lists the places where a flag may hide: {what, why, path, unreadable}. unreadable
# are those that no command in a manifest could bring to light.
unknown_of(c, command, script, variables, sources) := array.concat(
	_unknown_variables(c, command, variables),
	array.concat(
		array.concat(_unknown_command(c, command, script), _unknown_parts(script)),
		[{"what": s.name, "why": _why_hidden(c, pattern, text), "path": s.path, "unreadable": hiding.unreadable} |
			some s in sources
			regex.match(_hides_something, s.text)
			text := strings.replace_n(_of_jib, s.text)
			some pattern, hiding in _hiding
			regex.match(pattern, text)
		],
	),
)

_why_hidden(c, pattern, text) := _long_file if {
	pattern in _in_files
	some [_, file] in regex.find_all_string_submatch_n(_file_named, text, process.max_named)
	count(process.mounted(c, file).text) >= process.max_command
} else := _hiding[pattern].why

_long_file := sprintf("a file of options is longer than %d KiB and was not read", [process.max_command / 1024])

_file_named := `(?:^|\s)(?:@|-XX:(?:VMOptionsFile|Flags)=)(/\S+)`

_hides_something := "\u0002|(?:^|\\s)(?:@\\S|-XX:(?:VMOptionsFile|Flags)=)"

_whole_word := "(?:^|\\s)\u0002"

_within_a_word := "[^\\s]\u0002"

_argument_file := `(?:^|\s)@[^\s]`

_in_files := {_argument_file, _names_file}

# Jib's own files hold the class path and the name of the class, and no flags (jib-maven-plugin's README).
_of_jib := {"@/app/jib-classpath-file": "", "@/app/jib-main-class-file": ""}

_hiding := {
	_whole_word: {"why": "part of it is filled in when the container starts", "unreadable": true},
	_within_a_word: {"why": "a value in it is filled in when the container starts", "unreadable": false},
	_argument_file: {"why": "an argument file holds options", "unreadable": true},
	_names_file: {"why": "a file holds options", "unreadable": true},
}

_unknown_variables(c, command, variables) := own if {
	not c.raw.envFrom
	own := _unknown_own(command, variables)
} else := array.concat(_unknown_own(command, variables), _unknown_bulk(c))

_unknown_own(command, variables) := [{"what": name, "why": why, "path": found.path, "unreadable": true} |
	some name, found in variables
	why := _in_words(found.why)
	found.state == "unknown"
	not _unread(command, name)
]

# A variable that no JVM reads by itself hides nothing from a command that names java and does not
# expand it. What it does expand is a source of its own.
_unread(command, name) if {
	command.given
	command.java
	not ranks[name]
}

# A whole ConfigMap or Secret can bring any variable, unless its prefix rules it out.
_unknown_bulk(c) := [{"what": "envFrom", "why": source.why, "path": source.path, "unreadable": true} |
	some source in process.bulk(c)
	_may_carry(source.prefix)
]

_may_carry(prefix) if {
	some name, _ in ranks
	startswith(name, prefix)
}

# What is true of any program is said of java.
_in_words(text) := replace(text, "before the program", "before java")

_unknown_command(_, command, _) := [object.union(hidden, {"what": _in_words(hidden.what)}) |
	some hidden in command.hides
] if {
	command.given
	command.java
}

_unknown_command(c, command, script) := [{"what": what, "why": why, "path": path, "unreadable": false}] if {
	not _shown(command)
	object.get(script, "starts", "") != "script"
	[what, why] := _hidden_start(c)
	path := array.concat(c.path, ["command"])
}

_hidden_start(c) := [_whose_command(c), _by_a_script] if c.raw.command[0]

_by_a_script := "a script starts java, and may add flags"

_whose_command(c) := "the image's entrypoint" if {
	starts_itself(c)
} else := "the command"

_hidden_start(c) := [
	"the image's entrypoint",
	"the manifest has no command",
] if {
	not c.raw.command[0]
}

_unknown_command(_, command, script) := [] if {
	not _shown(command)
	script.starts == "script"
}

# What a known script takes from where no manifest shows it.
_unknown_parts(script) := [{"what": part.name, "why": part.why, "path": part.path, "unreadable": false} |
	some part in script.parts
	part.why
]

# absence is how severe it is that a flag is not set, at most `most`: an error holds whatever cannot be seen. A variable
# or a part of the command line that cannot be read may well hold it, a whole Secret or the image seldom does.
absence(j, most) := "info" if {
	blind(j)
} else := "warning" if {
	count(stronger(j, "")) > 0
	most == "error"
} else := "warning" if {
	not image_read(j.c)
	most == "error"
} else := most

# as_set is how severe a flag is that something out of sight may override.
as_set(j, most) := "info" if {
	blind(j)
} else := firm(j, "", most)

# unless_set is a text about a flag that is not set, and what may set it out of sight.
unless_set(j, text) := concat(" ", array.concat([text], unless_hidden(j)))

# firm is how severe it is that flags which are seen break a bound: no error where something out of sight may set
# this one again. An empty name stands for any flag, as a budget rests on several.
firm(j, name, most) := "warning" if {
	most == "error"
	count(stronger(j, name)) > 0
} else := most

# stronger are the places out of sight whose flags may win over the one that is set here.
stronger(j, name) := stronger_than(j, _rank_here(j, name))

# stronger_than are those that win over a source of this rank, or may.
stronger_than(j, rank) := [u |
	some u in j.unknown
	_may_hold_flags(j, u)
	max({object.get(ranks, set_by_it, command_rank) | some set_by_it in _sets(j, u)}) >= rank
]

_may_hold_flags(_, u) if u.unreadable

# A script of the manifest's own may leave out the java that it is handed, or start it otherwise.
_may_hold_flags(j, u) if {
	j.command.through
	u.why == _by_a_script
}

_may_hold_flags(j, u) if {
	some pattern, hiding in _hiding
	u.why == hiding.why
	not _in_one_argument(j, u, pattern)
}

# words_filled_in says that what is filled in within a word may have blanks, and further flags behind them.
words_filled_in(j) if {
	some u in j.unknown
	u.why == _hiding[_within_a_word].why
	not _in_one_argument(j, u, _within_a_word)
}

# Of one argument that java is given, the part that is filled in brings no further argument.
_in_one_argument(j, u, pattern) if {
	pattern == _within_a_word
	u.what == "command line"
	not j.command.script
}

# _sets are the variables, or the other source, that a place out of sight may set.
_sets(_, u) := {u.what} if u.what != "envFrom"

_sets(j, u) := {name |
	some name in _may_be_read(j.command)
	startswith(name, prefix)
	not _stands_in_env(j.c, name)
} if {
	u.what == "envFrom"
	prefix := object.get(j.c.raw.envFrom[u.path[count(u.path) - 1]], "prefix", "")
}

# A script that does not show may hand others to java.
_may_be_read(command) := object.keys(ranks) if _shown(command)

_may_be_read(command) := carriers if not _shown(command)

# What the manifest's own env sets is not taken from envFrom; what the image sets gives way to it.
_stands_in_env(c, name) if {
	some i, entry in c.raw.env
	entry.name == name
	not i >= object.get(c.raw, ["inside", "env"], count(c.raw.env))
}

# -Xmx wins over a share and a default wherever those are set.
_rank_here(j, name) := max({s.rank | some s in j.sources; s.name == j.flags[name].source}) if {
	name in {"MaxHeapSize", "UseContainerSupport"}
	j.flags[name]
} else := 0

# unless_stronger says in a sentence where other flags may be.
unless_stronger(j, name) := unless_any(stronger(j, name))

unless_any(hidden) := [sprintf("This does not apply if %s%s sets another value.", [first, _or_more(hidden)]) |
	first := whose(hidden[0])
]

# unless_hidden names what cannot be read and may set the flag that a finding speaks of.
unless_hidden(j) := [sprintf("This does not apply if %s%s sets it.", [whose(first), _or_more(hidden)]) |
	hidden := [u | some u in j.unknown; u.unreadable]
	first := hidden[0]
]

# whose names a place out of sight, for a sentence.
whose(u) := split(u.why, ":")[0] if u.what == "envFrom"

whose(u) := sprintf("%s (%s)", [object.get(_spoken, u.what, u.what), u.why]) if u.what != "envFrom"

_spoken := {"args": "the arguments", "command line": "the command line"}

_or_more(hidden) := "" if count(hidden) == 1

_or_more(hidden) := " or another source" if count(hidden) == 2

_or_more(hidden) := sprintf(" or one of %v other sources", [count(hidden) - 1]) if count(hidden) > 2

# started_unseen says that something starts java which has not been read, and which may set what no flag sets here.
started_unseen(j) if {
	not j.command.java
	not object.get(j.script, "starts", "") == "script"
	not image_starts_itself(j)
	count(j.unknown) > 0
}

# image_starts_itself says that nothing but java is started: a JDK and no script.
image_starts_itself(j) if jdk_image(object.get(j.c.raw, "image", ""))
