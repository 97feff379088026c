package headroom.runtime.jvm

# _faults_of_option lists what is wrong with an option that is no -XX: flag, at its place.
_faults_of_option(place, s, option, value) := [] if {
	_misplaced(place, s, option, value) == ""
	not startswith(option, "-")
} else := _general_faults(option) if {
	_misplaced(place, s, option, value) == ""
} else := [{"reason": _misplaced(place, s, option, value), "refusing": every_release}]

_misplaced("command", _, _, _) := ""

_misplaced("vm", _, option, value) := _no_option if {
	not startswith(option, "-")
} else := "in a variable it needs = before its value, not a blank" if {
	value == ""
	regex.match(_long_known, option)
} else := "it is an option of the java command, not of the JVM; a variable cannot give it" if {
	regex.match(_launcher_option, option)
	not regex.match(_long_known, option)
} else := ""

_no_option := "a variable holds options only, and a word of it does not begin with -; quotes keep blanks together"

# java reads JDK_JAVA_OPTIONS itself, but takes neither the program nor its version from it.
_misplaced("launcher", s, option, _) := _no_option if {
	not startswith(option, "-")
	not regex.match(`(?:^|\s)(?:-cp|-classpath|-p|--[a-z-]+)\s`, s.text)
	not startswith(option, "@")
} else := "this option is not allowed in JDK_JAVA_OPTIONS" if {
	regex.match(_not_from_a_variable, option)
} else := ""

_not_from_a_variable := concat("", [
	`^-(?:jar|m|-module|version|-version|fullversion|help|-help|\?|X|`,
	`-dry-run|-list-modules|d|-describe-module)$`,
])

_general_faults(option) := _log_faults(option) if {
	regex.match(`^-Xlog(?::|$)`, option)
} else := [{"reason": gone[0].why, "refusing": gone[0].refusing, "unrecognized": true}] if {
	gone := [row | some row in _gone; startswith(option, row.option)]
	count(gone) > 0
} else := [] if {
	regex.match(_vm_option, option)
	not startswith(option, "--")
} else := [{"reason": "Java 8 has no options that begin with --", "refusing": {8}, "unrecognized": true}] if {
	regex.match(`^--[a-z]`, option)
	_known_long(option)
} else := [] if {
	regex.match(_launcher_option, option)
} else := [{"reason": "no release knows this option", "refusing": every_release, "unrecognized": true}]

_known_long(option) if regex.match(_long_known, option)

_known_long(option) if regex.match(_vm_option, option)

_known_long(option) if regex.match(_launcher_option, option)

_gone := [
	{"option": "-d32", "why": "the option is gone", "refusing": since_11},
	{"option": "-d64", "why": "the option is gone", "refusing": since_11},
	{"option": "-Xincgc", "why": "the option is gone", "refusing": since_11},
	{"option": "-Xconcgc", "why": "the collector is gone", "refusing": since_11 - {11}},
	{"option": "-Xbootclasspath/p:", "why": "the option is gone", "refusing": since_11},
	{"option": "-Xverify:none", "why": "the option is gone", "refusing": {28}},
]

# -Xlog:gc*,safepoint=debug:… names tags that exist.
_log_faults(option) := [{"reason": "Java 8 has no -Xlog", "refusing": {8}, "unrecognized": true}] if {
	every tag in regex.split(`[+,]`, regex.replace(split(concat("", [option, "::"]), ":")[1], `\*|=[a-z]*`, "")) {
		contains(_log_tags, concat(lower(tag), [" ", " "]))
	}
} else := [{"reason": "-Xlog names a tag that no release has", "refusing": every_release}]

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
 workgang all disable help off 
`

# _text_refusals speaks of what is wrong before a text is cut into options.
_text_refusals(jvm) := array.concat(
	[{"flags": [s.name], "reason": "a quote in it is not closed", "path": s.path, "refusing": refusing} |
		some s in jvm.sources
		ranks[s.name]
		unmatched(s.text)
		refusing := every_release - _not_reading(s.name)
	],
	[{"flags": ["command line"], "reason": reason, "path": jvm.command.path, "refusing": every_release} |
		jvm.command.java
		some rest in array.slice(jvm.command.rest, 0, 1)
		regex.match(`^[\s"']+-`, rest)
		reason := "an argument begins with a blank or a quote, so java takes it for the main class"
	],
)
