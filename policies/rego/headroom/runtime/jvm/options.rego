package headroom.runtime.jvm

import data.headroom.cpu
import data.headroom.measured
import data.headroom.process
import data.headroom.quantity

# A value or a command of this size is no set of flags; Go's query decoder, which takes
# them apart, refuses more than 10,000 parts.
max_text := 9000

# options_of_text takes the value of JAVA_TOOL_OPTIONS and its like apart, as the JVM does:
# blanks separate, quotes group, a backslash is a backslash. The result has every value of
# each option in order: {"-XX:MaxRAMPercentage": ["75.0"], "-XX:UseG1GC": ["+"], "-server": [""]}.
options_of_text(text) := _options(_text_encoded(text), _vm_syntax) if {
	count(text) < max_text
} else := {}

# options_of_command and options_of_arguments are of what the java command reads, which has words of its own.
options_of_command(text) := _options(_text_encoded(text), _launcher_syntax) if {
	count(text) < max_text
} else := {}

options_of_arguments(list) := _options(_words_encoded(list), _launcher_syntax) if {
	count(list) < max_text
} else := {}

_text_encoded(text) := _with_amp(strings.replace_n(_text_escapes, text)) if {
	not regex.match(`["']`, text)
} else := _words_encoded([process.unquoted(word) | some word in process.words(text)])

_words_encoded(list) := _with_amp(strings.replace_n(_word_escapes, concat(process.separator, list)))

options_of_words(list) := _options(_words_encoded(list), _vm_syntax) if {
	count(list) < max_text
} else := {}

_with_amp(text) := concat("&", ["", text])

_options(encoded, syntax) := urlquery.decode_object(strings.replace_n(
	syntax,
	# A switch becomes an option with a value, so that its last setting is found like any other's.
	regex.replace(encoded, `&-XX:(%2B|-)([A-Za-z0-9_]+)`, "&-XX:$2=$1"),
))

# Options with a syntax of their own, as the flags that they set. -Xss leaves its mark: it counts
# bytes, ThreadStackSize kilobytes.
_own_syntax := {
	"&-Xmx": "&-XX:MaxHeapSize=",
	"&-Xms": "&-XX:InitialHeapSize=",
	"&-Xss": "&-XX:ThreadStackSize=Xss",
	"&-Xmaxjitcodesize": "&-XX:ReservedCodeCacheSize=",
}

# The two of the flight recorder take : for =.
_vm_syntax := object.union(_own_syntax, {
	"&-XX:StartFlightRecording:": "&-XX:StartFlightRecording=",
	"&-XX:FlightRecorderOptions:": "&-XX:FlightRecorderOptions=",
})

# The java command makes -Xmx of -mx, and so on.
_launcher_syntax := object.union(_vm_syntax, {
	"&-mx": "&-XX:MaxHeapSize=",
	"&-ms": "&-XX:InitialHeapSize=",
	"&-ss": "&-XX:ThreadStackSize=Xss",
})

_text_escapes := {
	"%": "%25",
	"&": "%26",
	";": "%3B",
	"+": "%2B",
	" ": "&",
	"\t": "&",
	"\n": "&",
	"\r": "&",
	"\u000b": "&",
	"\u000c": "&",
}

_word_escapes := {
	"%": "%25",
	"&": "%26",
	";": "%3B",
	"+": "%2B",
	"\u0001": "&",
	" ": "%20",
	"\t": "%09",
	"\n": "%0A",
	"\r": "%0D",
}

# What the rules on threads have in common.

# single_threaded collectors have no threads to size; concurrent_collectors have both kinds.
single_threaded := {"Serial", "Epsilon"}

concurrent_collectors := {"G1", "CMS", "ZGC", "Shenandoah"}

# adaptive collectors pause for moments and choose their threads by load (JEP 333, JEP 189). T6 did not
# measure them: the number they choose is left alone, and one that a flag sets is held against the cores.
adaptive := {"ZGC", "Shenandoah"}

collector_text(j) := sprintf("the %s collector", [j.gc])

# cores_text says where the number of cores comes from.
cores_text(j) := sprintf("limits.cpu %s", [quantity.format_cpu(limit)]) if {
	limit := cpu.without_limit(j.c).cpu_limit
	limit > 0
} else := sprintf("%s, reserved by its request", [quantity.format_cpu(j.c.cpu_request)]) if {
	cpu.average[j.c.id].milli > 0
	cpu.least_cores(j.c) > max([2, ceil((2 * cpu.average[j.c.id].milli) / 1000)])
} else := sprintf("twice the average of %s, %s", [
	quantity.format_cpu(average.milli),
	_average_source(j.c, average),
]) if {
	average := cpu.average[j.c.id]
	average.milli > 0
} else := sprintf("limits.cpu %s, at least 2 without it", [quantity.format_cpu(j.c.cpu_limit)]) if {
	passing_size(j)
} else := sprintf("counted by the JVM: %s", [j.processors_source])

_average_source(c, average) := average.text if {
	measured.counts(c.name, "cpu_average")
} else := concat("", ["measured", measured.doubt(c, "; %s")])

# pair_text are the two thread counts that fit, which belong together.
pair_text(j, room) := concat("", [_twice_the_cores, ", and -XX:ConcGCThreads at half of that"]) if {
	room.cores == 0
	_may_be_concurrent(j)
} else := _twice_the_cores if {
	room.cores == 0
} else := concat(" and ", pair(j, room))

_twice_the_cores := "-XX:ParallelGCThreads at twice the cores that HR402 asks for"

# The parallel collector has no concurrent threads.
pair(j, room) := array.concat(
	[sprintf("-XX:ParallelGCThreads=%v", [room.wanted])],
	[sprintf("-XX:ConcGCThreads=%v", [half(room.wanted)]) | _may_be_concurrent(j)],
)

_may_be_concurrent(j) if j.gc in concurrent_collectors

# pair_taken are the counts that the JVM takes by itself.
pair_taken(j) := concat(" and ", array.concat(
	[sprintf("-XX:ParallelGCThreads=%v", [j.parallel_gc_threads.value])],
	[sprintf("-XX:ConcGCThreads=%v", [j.conc_gc_threads.value]) | _may_be_concurrent(j)],
))

# pair_may_be_injected: a script could set one of the two, and G1 does not start when they
# contradict each other. So only where the whole command line is visible and sets neither.
default pair_may_be_injected(_) := false

pair_may_be_injected(j) if {
	j.visible
	count(j.unknown) == 0
	not j.flags.ParallelGCThreads
	not j.flags.ConcGCThreads
	room := thread_room(j)
	room.cores > 0
	may_inject(j, pair(j, room))
}

# certainty is how severe it is that a JVM is killed, or does not start: what is only assumed to be one may
# read its flags from elsewhere.
certainty(j) := "error" if {
	j.sure
} else := "warning"

# plural is "1 core" or "2 cores".
plural(1, noun) := concat(" ", ["1", noun])

plural(n, noun) := sprintf("%v %ss", [n, noun]) if n != 1

# occurrences are all settings of a flag in the order in which they override each other:
# {value, text, source, path, image}.
occurrences(j, option) := [{
	"value": value,
	"text": shown(s, option, value),
	"source": s.name,
	"path": s.path,
	"image": object.get(s, "image", false),
} |
	some s in j.sources
	some value in s.options[option]
]

# thread_room says how many parallel GC threads fit: {cores, least, most, wanted}; cores is 0 if not
# known. Once to twice the cores (T6), counted in whole threads that the quota has room for. Under a
# limit of 1500m that is at least one, at most three, and two (twice the one whole core) are wanted.
# T6 was measured with few cores: from nine on the JVM's own number is enough, and no more than 16
# threads are wanted where that is fewer.
# Under a limit of less than a core, one is wanted. It is fewer where the pauses are so long that
# twice the cores would use the quota up (HR210). Where HR202 takes the limit away, what counts is
# what is right without one.
thread_room(j) := {"cores": limit / 1000, "least": _least(j, whole), "most": most, "wanted": wanted} if {
	limit := cpu.without_limit(j.c).cpu_limit
	limit > 0
	whole := floor(limit / 1000)
	most := max([2, floor(limit / 500)])
	wanted := max([1, own_threads(whole), min([_aim(whole), _unthrottled(j, limit)])])
} else := {"cores": n, "least": _least(j, n), "most": max([2, 2 * n]), "wanted": max([2, _aim(n)])} if {
	n := cores(j)
}

_least(j, cores) := 1 if {
	j.gc in adaptive
} else := max([1, own_threads(cores)])

_aim(cores) := max([min([2 * cores, 16]), own_threads(cores)])

# How many threads a collection may have that the quota takes beside what the application is known to use (T8).
_unthrottled(j, limit) := floor(((limit - cpu.average[j.c.id].milli) / 10) / min([pause, 100])) if {
	pause := gc_pause(j).ms
	pause > 0
} else := limit

# threads_fit says whether so many parallel GC threads are in that room.
default threads_fit(_, _) := false

threads_fit(threads, room) if {
	threads >= room.least
	threads <= room.most
}

# half is what ConcGCThreads may be of ParallelGCThreads.
half(threads) := max([1, bits.rsh(max([0, threads]), 1)])

# wanted_parallel is what ParallelGCThreads is, or will be once it is as HR403 wants it.
wanted_parallel(j) := j.parallel_gc_threads.value if {
	j.parallel_gc_threads.set
	_stays(j.parallel_gc_threads.value, thread_room(j))
} else := thread_room(j).wanted

# parallel_known is false where nothing tells how many there are or should be.
parallel_known(j) if j.parallel_gc_threads.value > 0

parallel_known(j) if {
	not j.parallel_gc_threads.set
	thread_room(j).cores > 0
}

_stays(threads, room) if threads_fit(threads, room)

_stays(_, room) if room.cores == 0

# takes_half says that the JVM picks by itself the ConcGCThreads that would be wanted.
default takes_half(_) := false

takes_half(j) if {
	not j.conc_gc_threads.set
	j.conc_gc_threads.value == half(wanted_parallel(j))
}

_short := {"-XX:MaxHeapSize": "-Xmx", "-XX:InitialHeapSize": "-Xms", "-XX:ReservedCodeCacheSize": "-Xmaxjitcodesize"}

_written(s, option, value) := concat("", [short, value]) if {
	not _long_form(s, option, value)
	short := _short_of(s, _short[option], value)
} else := _short_of(s, concat("", ["-", value]), "") if {
	startswith(value, "Xss")
} else := concat("", ["-XX:", substring(value, 0, 1), trim_prefix(option, "-XX:"), substring(value, 1, -1)]) if {
	regex.match(`^[+-](?:=|$)`, value)
	startswith(option, "-XX:")
} else := option if {
	value == ""
} else := concat("=", [option, value])

_long_form(s, option, _) if contains(s.text, concat("", [option, "="]))

_long_form(s, option, "") if option in words_of(s)

# _short_of is -Xmx, or -mx where java was told that.
_short_of(s, short, value) := concat("", ["-", substring(short, 2, -1)]) if {
	not contains(s.text, concat("", [short, value]))
	contains(s.text, concat("", ["-", substring(short, 2, -1), value]))
} else := short

# words_of are the words of a source.
words_of(s) := s.words if {
	s.words
} else := [process.unquoted(word) | some word in process.words(s.text)]

# flag_text is the flag that wins, as written.
flag_text(jvm, name) := text if {
	flag := jvm.flags[name]
	written := concat("", ["-XX:", object.get(flag, "name", name)])
	text := [shown(s, written, flag.value) | some s in jvm.sources; s.name == flag.source][0]
}

# origin says where the flag that wins was set, for a message.
origin(jvm, name) := concat("", [text, " (", source, _in_file(jvm, source, text), ")"]) if {
	text := flag_text(jvm, name)
	source := jvm.flags[name].source
}

_in_file(jvm, source, text) := concat("", [", in ", file]) if {
	file := [s.files[text] | some s in jvm.sources; s.name == source][0]
} else := ""

# listed is "8", "8 and 11" or "8, 11 and 17".
listed(items) := concat(" and ", [part |
	texts := [sprintf("%v", [item]) | some item in items]
	last := count(texts) - 1
	some part in [concat(", ", array.slice(texts, 0, last)), concat("", array.slice(texts, last, last + 1))]
	part != ""
])
