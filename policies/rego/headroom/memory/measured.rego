package headroom.memory

import data.headroom.measured
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.words
import data.headroom.workload

# peak is the measured memory peak of the containers that have one, by name: {bytes, text}. An
# annotation that cannot be read is -1 (HR105 says so); its text is "".
peak := {name: {"bytes": quantity.bytes(text), "text": ""} | some name, text in _peaks} if {
	not workload.measured
} else := {c.name: found | some c in workload.containers; found := _seen_peak(c.name)}

_peaks := workload.annotations_of("memory-peak.headroom.dev/")

_declared_peak(text) := {"bytes": quantity.bytes(text), "text": ""}

_seen_peak(name) := {"bytes": measured.containers[name].memory_peak, "text": measured.containers[name].text} if {
	measured.counts(name, "memory_peak")
} else := _declared_peak(_peaks[name])

# peak_words say a peak beside the limit.
peak_words(c) := sprintf("The measured peak is %s of a limit of %s%s%s", [
	quantity.format_memory(peak[c.name].bytes),
	quantity.format_memory(c.memory_limit),
	_when(measured.beside(c.name, "memory-peak")),
	measured.doubt(c, " (%s)"),
]) if {
	peak[c.name].text == ""
} else := sprintf("The peak is %s of a limit of %s (%s)", [
	_rounded(peak[c.name].bytes),
	quantity.format_memory(c.memory_limit),
	peak[c.name].text,
])

_when("") := ""

_when(text) := sprintf(" (%s)", [trim_prefix(text, ", ")]) if text != ""

# limit_path is where the limit stands or, if it does not, should stand.
limit_path(c) := array.concat(workload.spec_path, ["resources", "limits", "memory"]) if c.memory_limit_source == "pod"

limit_path(c) := array.concat(c.path, ["resources", "limits", "memory"]) if c.memory_limit_source != "pod"

# about is an amount with a unit, which a limit in powers of ten less a request in powers of two
# has not.
about(bytes) := sprintf("about %vGi", [round(bytes / _gib)]) if {
	bytes >= 10 * _gib
	bytes % _gib != 0
} else := sprintf("about %vMi", [quantity.mib(bytes)]) if {
	bytes >= 1048576
	bytes % 1048576 != 0
} else := jvm.plural(bytes, "byte") if {
	regex.match(`^[0-9]+$`, quantity.format_memory(bytes))
} else := quantity.format_memory(bytes)

_gib := 1073741824

# What is read off a counter is seldom a whole number of any unit.
_rounded(bytes) := sprintf("%vMi", [quantity.mib(bytes)]) if {
	bytes >= 10485760
} else := quantity.format_memory(bytes)

# kill_words say what happens at the limit, or has happened.
kill_words(c) := "At the limit it is OOMKilled." if {
	not _kills(c) > 0
} else := sprintf("At the limit it is OOMKilled, as it did %s%s.", [words.times(_kills(c)), _over(c)])

_kills(c) := object.get(measured.containers, [c.name, "oom_kills"], 0)

_over(c) := sprintf(" in %s", [words.span(window)]) if {
	window := measured.containers[c.name].figures.window_seconds
	window > 0
} else := ""
