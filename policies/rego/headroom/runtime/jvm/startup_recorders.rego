package headroom.runtime.jvm

import data.headroom.process
import data.headroom.words

# _told_refusals speaks of texts that a part of the JVM takes apart: a command to the compilers, what is recorded. Of a
# text that a shell or a template fills in later, the JVM sees another one.
_told_refusals(jvm) := array.concat(
	[refusal(s, option, value, fault.reason, fault.refusing) |
		some s in jvm.sources
		some option in ["-XX:CompileCommand", "-XX:FlightRecorderOptions", "-XX:StartFlightRecording"]
		some value in s.options[option]
		not contains(value, process.unresolved)
		not words.placeholder(value)
		some fault in _told_faults(option, value)
	],
	[refusal(s, option, "", "it names no file", since_11) |
		some s in jvm.sources
		some option in ["-XX:Flags", "-XX:VMOptionsFile"]
		concat("", [option, "="]) in words_of(s)
	],
)

_told_faults("-XX:CompileCommand", value) := [{"reason": reason, "refusing": {25, 26, 28}} |
	command := lower(regex.find_n(`^\w+`, value, 1)[0])
	reason := _command_fault(command, value)
]

_told_faults(option, value) := [row |
	some setting in split(value, ",")
	[name, told] := split(setting, "=")
	rows := [row | some row in _recorder_rows; name in row.names; _recorder_wrong(row, told)]
	some row in array.slice(rows, 0, 1)
] if {
	option != "-XX:CompileCommand"
}

_command_fault(command, _) := "JDK 25 and later know no such command to the compilers; help lists them" if {
	not command in _compile_commands
}

_command_fault(command, value) := "it names no method" if {
	command in _compile_commands
	not command in {"help", "quiet"}
	regex.match(`^\w*$`, value)
}

# Those of -XX:CompileCommand=help on JDK 25, 26 and 28, and option of before.
_compile_commands := {
	"backgroundcompilation", "blackhole", "blocklayoutbyfrequency", "break", "breakatcompile",
	"breakatexecute", "clonemapdebug", "compileonly", "compilethresholdscaling", "controlintrinsic",
	"delayinline", "disableintrinsic", "dontinline", "dumpinline", "dumpreplay", "exclude", "help",
	"incrementalinlineforcecleanup", "inline", "log", "maxnodelimit", "memlimit", "memstat", "option",
	"print", "printassembly", "printcompilation", "printcompilation2", "printdebuginfo", "printdependencies",
	"printinlining", "printintrinsics", "printnmethods", "printoptoassembly", "printrelocations", "quiet",
	"repeatcompilation", "replayinline", "traceoptooutput", "traceoptopipelining", "tracespilling",
	"vectorize",
}

_recorder_wrong(row, told) if regex.match(object.get(row, "wrong", `^$^`), told)

_recorder_wrong(row, told) if size_of(told) < row.least

# Measured on JDK 8, 17, 21, 25, 26 and 28; an 11 is taken to refuse what 8 and 17 both do.
_recorder_rows := [
	{
		"names": {"disk", "dumponexit"}, "wrong": `^(?i:[^tf].*|t[^r].*|f[^a].*)$`,
		"reason": "disk and dumponexit take true or false", "refusing": every_release,
	},
	{
		"names": {"disk", "dumponexit"}, "wrong": `^(?:|[TF].*)$`,
		"reason": "disk and dumponexit take true or false", "refusing": since_11 - {11},
	},
	{
		"names": {"delay", "duration", "maxage"}, "wrong": `^(?:[1-9][0-9]*|[0-9]+[a-ce-gi-lo-rt-z])$`,
		"reason": "a time needs a unit: s, m, h or d", "refusing": every_release,
	},
	{
		"names": {"maxsize"}, "wrong": `^[0-9]+[ac-fh-jln-z]$`,
		"reason": "a size is in bytes, k, m or g", "refusing": since_11 - {11},
	},
	{"names": {"stackdepth"}, "wrong": `^[A-Za-z]`, "reason": "stackdepth takes a number", "refusing": every_release},
	{"names": {"memorysize"}, "least": 1048576, "reason": "memorysize is at least 1m", "refusing": every_release},
	{
		"names": {"maxchunksize"}, "least": 1048576,
		"reason": "maxchunksize is at least 1m", "refusing": every_release - {11},
	},
]
