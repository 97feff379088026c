package headroom.runtime.jvm

# _log_faults lists what is wrong with -Xlog:what:output:decorators:options (measured).
_log_faults(option, value) := [{"reason": "Java 8 has no -Xlog", "refusing": {8}, "unrecognized": true}] if {
	count(_log_wrong(_whole_option(option, value))) == 0
} else := [{"reason": wrong[0].reason, "refusing": (wrong[0].refusing | {8}), "unknown_to": {8}}] if {
	wrong := _log_wrong(_whole_option(option, value))
}

_log_wrong("-Xlog") := []

_log_wrong(text) := [{"reason": "no release knows this option", "refusing": since_11}] if {
	text != "-Xlog"
	not startswith(text, "-Xlog:")
} else := [] if {
	text in {"-Xlog:disable", "-Xlog:help"}
} else := [{"reason": "-Xlog:async came with JDK 17", "refusing": {11}}] if {
	text == "-Xlog:async"
} else := [{"reason": "-Xlog:async takes drop or stall since JDK 25", "refusing": {11, 17, 21}}] if {
	text in {"-Xlog:async:drop", "-Xlog:async:stall"}
} else := [row |
	parts := _log_parts(text)
	some row in _log_rules
	not _log_right(row.part, parts)
]

_log_rules := [
	{"part": "tags", "reason": "-Xlog names a tag that no release has", "refusing": since_11},
	{
		"part": "levels", "reason": "the levels of -Xlog are off, trace, debug, info, warning and error",
		"refusing": since_11,
	},
	{"part": "file", "reason": "-Xlog names no file", "refusing": since_11},
	{"part": "decorators", "reason": "-Xlog names a decorator that no release has", "refusing": since_11},
	{
		"part": "options", "reason": "a log file takes filecount=0 to 1000 and filesize in bytes, k, m or g",
		"refusing": since_11,
	},
	{
		"part": "place", "reason": "from 21 on, filecount and filesize are for log files only",
		"refusing": since_11 - {11, 17},
	},
	{"part": "lines", "reason": "up to 17, -Xlog takes no foldmultilines", "refusing": {11, 17}},
]

# A file in quotes may have colons in it.
_log_parts(text) := [trim_suffix(part, ":") |
	some part in array.concat(
		regex.find_n(`(?:"[^"]*"|[^:"])*(?::|$)`, substring(text, 6, -1), 4),
		["", "", "", ""],
	)
]

_log_right("tags", parts) if parts[0] == ""

_log_right("tags", parts) if {
	every selection in split(parts[0], ",") {
		tags := split(trim_suffix(split(selection, "=")[0], "*"), "+")
		count({lower(tag) | some tag in tags}) == count(tags)
		every tag in tags {
			contains(_log_tags, concat(lower(tag), [" ", " "]))
		}
	}
}

_log_right("levels", parts) if {
	every selection in split(parts[0], ",") {
		regex.match(`^[^=]*(?:=(?i:off|trace|debug|info|warning|error))?$`, selection)
	}
}

_log_right("file", parts) if parts[1] != "file="

_log_right("decorators", parts) if {
	every decorator in split(lower(parts[2]), ",") {
		decorator in _decorators
	}
}

_decorators := {
	"", "t", "time", "utc", "utctime", "u", "uptime", "tm", "timemillis", "um", "uptimemillis", "tn", "timenanos",
	"un", "uptimenanos", "hn", "hostname", "p", "pid", "ti", "tid", "l", "level", "tg", "tags", "none",
}

_log_right("options", parts) if _not_a_file(parts)

_log_right("options", parts) if {
	every given in split(parts[3], ",") {
		regex.match(`^(?:|filecount=0*(?:[0-9]{1,3}|1000)|filesize=[0-9]+[kKmMgG]?|foldmultilines=(?:true|false))$`, given)
	}
}

_log_right("place", parts) if not _not_a_file(parts)

_log_right("place", parts) if regex.match(`^(?:|foldmultilines=(?:true|false))$`, parts[3])

_log_right("lines", parts) if _not_a_file(parts)

_log_right("lines", parts) if not contains(parts[3], "foldmultilines")

_not_a_file(parts) if parts[1] in {"", "stdout", "stderr"}

# The tags of -Xlog, of JDK 11 to 28.
_log_tags := `
 add age alloc annotation aot arguments array asan attach barrier biasedlocking blocks bot breakpoint bytecode cause 
 cds census class classhisto cleanup codecache compaction compilation condy constantpool constraints container 
 continuations coops cpu cset data datacreation dcmd decoder defaultmethods deoptimization dependencies director dump 
 dynamic ergo event exceptions exit fastlock finalizer fingerprint free freelist gc generateoopmap handshake 
 hashtables heap heapdump hotcode humongous ihop iklass indy init inlinecache inlining install interpreter itables 
 jfr jit jmethod jni jvmci jvmti lambda library link liveness load loader logging malloc map mark marking membername 
 memops metadata metaspace methodcomparator methodhandles methodtrace mirror mmu module monitorinflation 
 monitormismatch monitortable native nestmates nmethod nmt normalize numa objecttagging obsolete oldobject oom oopmap 
 oops oopstorage os owner package page pagesize parser patch path perf periodic phases plab placeholders preempt 
 preload preorder preview promotion protectiondomain ptrqueue purge record redact redefine ref refine region reloc 
 relocator remset resolve safepoint sampling scavenge sealed setting smr stackbarrier stackmap stacktrace stackwalk 
 start startup startuptime state stats streaming stringdedup stringtable stubs subclass survivor suspend sweep 
 symboltable system table task thread throttle time timer tlab tracking training trimnative unload unmap unshareable 
 update valuebasedclasses valuetypes verification verify vmatree vmmutex vmoperation vmthread vtables vtablestubs 
 workgang all 
`
