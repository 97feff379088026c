package headroom.runtime.jvm

import data.headroom.images
import data.headroom.process

# Whether a variable of the container surely arrives at the JVM. What is not known to hand it on is taken to
# drop it. Examples are an unknown program in front of java, an entrypoint that was not read, a script that
# does more than the few things below.

# surely_arrives says that JAVA_TOOL_OPTIONS of the container is what its JVM reads.
surely_arrives(j) if {
	_hands_on(j)
	count(object.get(j.command, "others", [])) == 0
	not _kept_from_java(j.script)
	not _file_of_bash(j)
}

# The command names java.
_hands_on(j) if {
	j.command.java
	_given(j.c)
	regex.match(_arrives_at_java, _whole_line(j.c))
}

# The image's own start script, which somebody has read, runs alone or behind wrappers.
_hands_on(j) if {
	not j.command.java
	j.script.starts == "script"
	starts_itself(j.c)
}

_hands_on(j) if {
	not j.command.java
	j.script.starts == "script"
	rest := regex.replace(_whole_line(j.c), concat("", ["^", process.keeping_wrapper]), "")
	some entry in j.script.image.record.entrypoint
	process.same_file(split(rest, process.separator)[1], entry)
}

# takes_away says that a command has words with which variables get lost, whatever runs behind them.
takes_away(c) if regex.match(_takes_away, _whole_line(c))

# The same pattern for the CEL policies.
_takes_away := concat("|", [
	concat("", [
		`[\x01\s;&|(/'"\\](?:sudo|doas|su|runuser|envdir|s6-envdir|with-contenv|source|\.|eval|unset|trap|alias|`,
		`export\s+-n|(?:declare|typeset)\s+\+x)[\x01\s'"]`,
	]),
	`[\x01\s;&|(/'"\\]env[\x01\s]+-`,
	`[\x01\s;&|('"\\]exec[\x01\s]+(?:-a\s+\S+\s+)?-[a-z]*c`,
	`--res|--login|--clearenv`,
	`sh[\x01\s]+(?:-[a-zA-Z]+[\x01\s]+)*-[a-zA-Z]*[li][a-zA-Z]*[\x01\s]`,
])

_whole_line(c) := process.joined(images.words(c))

# bash reads the file that a variable names before it runs a script, and takes functions from others, which may have
# the name of java.
_file_of_bash(j) if {
	some e in j.c.raw.env
	is_string(e.name)
	regex.match(_read_by_bash, e.name)
}

# The same pattern for the CEL policies.
_read_by_bash := `^BASH_(?:ENV$|FUNC_)`

# Words of a script that the shell leaves as they are, or fills with variables that it has.
_filled_in := concat("|", [
	`\$[A-Za-z_][A-Za-z0-9_]*`,
	`\$\{[A-Za-z_][A-Za-z0-9_]*(?::?[-+][^{}$()"'\\\x60\x01]*)?\}`,
	`\$[@*0-9]`,
	`\$\{[@*0-9]\}`,
])

_plain_letter := `[^\s"'\\;&|<>(){}$#\x60\x01]`

_argument := concat("", [
	`(?:`, _plain_letter, `#*|`, _filled_in, `|'(?:[^'$\x01]|\$[^'(\x01])*\$?'|"(?:[^"\\$\x60\x01]|`, _filled_in, `)*")+`,
])

_gap := `(?:[ \t]|\\\n)+`

_arguments := concat("", [`(?:`, _gap, `(?:`, _argument, `|[0-9]?>>?[ \t]*(?:&[0-9]|`, _argument, `)))*`])

_setting := concat("", [`[A-Za-z_][A-Za-z0-9_]*=(?:`, _argument, `)?`])

# Programs cannot change the variables of the shell that starts them, so any with a path will do. Of names alone,
# which may be the shell's own commands, those that are known.
_harmless_command := concat("", [
	`(?:`, _setting, `(?:`, _gap, _setting, `)*|export(?:`, _gap, `(?:`, _setting, `|[A-Za-z_][A-Za-z0-9_]*))+|`,
	`set(?:`, _gap, `(?:-[a-z]+|pipefail))+|(?:`, _plain_letter, `*/`, _plain_letter, `+|`,
	concat("|", [name | some name in (process.utilities - _shells_own); regex.match(`^[a-z0-9_-]+$`, name)]),
	`)`, _arguments, `)`,
])

# Shells run these by themselves, and some change what follows.
_shells_own := {
	"break", "continue", "done", "esac", "exit", "export", "fi", "for", "kill", "local", "printf", "read", "return",
	"set", "shift", "shopt", "trap", "unset", "wait",
}

_then := `[ \t]*(?:;|&&|\|\||\n)\s*`

_wrapper_in_script := concat("", [
	`(?:exec|(?:nohup|setsid|nice|tini|dumb-init)(?:`, _gap, `-`, _plain_letter, `*)*|`,
	`(?:gosu|su-exec)`, _gap, _plain_letter, `+)`, _gap,
])

_java_in_script := concat("", [
	`(?:(?:`, _plain_letter, `*/)?java|"?\$(?:JAVA_HOME|\{JAVA_HOME\})/(?:jre/)?bin/java"?)`,
])

# A script whose last command is java, behind such commands.
_plain_script := concat("", [
	`\s*(?:`, _harmless_command, _then, `)*(?:`, _setting, _gap, `)*(?:`, _wrapper_in_script, `)*`, _java_in_script,
	_arguments, `\s*;?\s*`,
])

_plain_shell := concat("", [
	`\x01(?:[^\x01]*/)?(?:ba|da|a)?sh`,
	`(?:\x01-[euxfv]+|\x01-[eux]*o\x01pipefail|\x01--(?:norc|noprofile|posix))*\x01-[euxfv]*c`,
])

# The same pattern for the CEL policies.
_arrives_at_java := concat("", [
	`^`, process.keeping_wrapper, `(?:`, _name_of_java, `|`, _plain_shell, `\x01`, _plain_script, `)(?:\x01(?s:.*))?$`,
])
