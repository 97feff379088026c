# METADATA
# title: .NET
# description: |
#   .NET. Shown by the annotation, by the command, by the image or by variables that it alone reads. Its heap takes
#   75 % of the container's limit at most, unless it is told another size, in hexadecimal digits (R10).
package headroom.runtime.dotnet

import data.headroom.ceiling
import data.headroom.cpu
import data.headroom.environment
import data.headroom.quantity
import data.headroom.serving
import data.headroom.workload

about := {
	"aliases": ["csharp", "aspnet"],
	"words": ".NET",
	"follows": "DOTNET_PROCESSOR_COUNT: \"%v\"",
	"rank": 4,
	"marks": ["DOTNET_VERSION", "ASPNET_VERSION"],
	"images": ["dotnet/aspnet", "dotnet/runtime", "dotnet/sdk", "dotnet/monitor"],
	"starts": ["dotnet"],
	"variables": array.concat(["ASPNET_VERSION", "DOTNET_RUNNING_IN_CONTAINER", "DOTNET_VERSION"], _all_settings),
}

_all_settings := [concat("_", [prefix, name]) | some prefix in _prefixes; some name in _settings]

# COMPlus_ is what it was up to .NET 5; both are read still.
_prefixes := ["DOTNET", "COMPlus"]

# All of these are hexadecimal but PROCESSOR_COUNT (R10; dotnet/runtime, src/coreclr/inc/clrconfigvalues.h, where
# that one alone is ParseIntegerAsBase10).
_settings := [
	"GCHeapHardLimit", "GCHeapHardLimitPercent", "GCHeapCount", "GCConserveMemory", "PROCESSOR_COUNT", "gcServer",
]

found := object.union(serving.found("dotnet"), {id: {"sure": true, "evidence": concat(" ", [min(names), "is set"])} |
	some id, present in environment.present
	names := present & {name | some name in about.variables}
	names != set()
})

# The rest is for code, stacks and native memory; it is what .NET itself leaves (R10).
_share := 0.75

# ceilings are the heaps that a variable sizes in bytes. A percentage stays below the limit.
ceilings := [{
	"c": c,
	"sure": true,
	"path": said.path,
	"terms": [{"text": _may_grow(said, bytes), "bytes": bytes, "sure": true}],
	"before": "the garbage collector runs",
	"expected": _size_wanted(c, said, bytes),
} |
	some c in _containers
	said := _setting(c, "GCHeapHardLimit")
	bytes := _hex(said.text)
	bytes > 0
]

_may_grow(said, bytes) := sprintf("The managed heap may grow to %v MiB (%s, which .NET reads as hexadecimal: 0x%X)", [
	ceiling.mib(bytes),
	said.name,
	bytes,
])

# Digits that are a size for this limit in decimal were meant as such: 400000000 under 1 GiB, and not 20000000 under
# 512 MiB, of which hexadecimal makes 512 MiB.
_size_wanted(c, said, _) := sprintf(`%s: "0x%X", which is %v bytes in hexadecimal`, [said.name, meant, meant]) if {
	meant := _decimal(said.text)
	meant <= c.memory_limit * _share
	meant * _least_meant >= c.memory_limit
} else := sprintf("no %s (75 %% of limits.memory is the default), or limits.memory of %s", [
	said.name,
	ceiling.limit_for(bytes, _share),
]) if {
	bytes := _hex(said.text)
}

# A heap of less than an eighth of the limit is not what somebody writes.
_least_meant := 8

# refused are shares of the limit that .NET does not take, those from 100 % on, and those that it may read otherwise
# than they were meant (R10).
refused := array.concat(_too_large, _misread)

_too_large := [{
	"c": c,
	"path": said.path,
	"message": sprintf("%s is hexadecimal: %s is %v %%, and .NET takes less than 100 %% only.", [
		said.name,
		said.text,
		percent,
	]),
	"why": "The heap's bound stays at the default, 75 % of limits.memory.",
	"expected": _share_wanted(said),
	"percent": percent,
} |
	some c in _containers
	not _sized(c)
	said := _setting(c, "GCHeapHardLimitPercent")
	percent := _hex(said.text)
	percent >= 100
]

# Decimal digits that are a share in both readings: which of them was meant is not known.
_misread := [{
	"c": c,
	"path": said.path,
	"message": sprintf("%s is hexadecimal: %s is %v %%.", [said.name, said.text, percent]),
	"why": sprintf("If %v %% was meant, the heap may take more than that.", [_decimal(said.text)]),
	"expected": sprintf(`%s: "0x%X" for %v %%, or "0x%s" for %v %%`, [
		said.name,
		_decimal(said.text),
		_decimal(said.text),
		said.text,
		percent,
	]),
	"percent": percent,
	"severity": "info",
} |
	some c in _containers
	not _sized(c)
	said := _setting(c, "GCHeapHardLimitPercent")
	percent := _hex(said.text)
	percent < 100
	_decimal(said.text) < percent
]

_sized(c) if _hex(_setting(c, "GCHeapHardLimit").text) > 0

_share_wanted(said) := sprintf(`%s: "0x%X", which is %v %%`, [said.name, meant, meant]) if {
	meant := _decimal(said.text)
	meant > 0
	meant < 100
} else := sprintf(`no %s, or at most "0x4B", which is 75 %%`, [said.name])

_decimal(text) := to_number(text) if regex.match(`^[1-9][0-9]{0,14}$`, text)

# counters are processor counts that somebody set. .NET itself takes the limit, rounded up.
counters := [{
	"c": c,
	"sure": true,
	"path": said.path,
	"text": sprintf(".NET counts %v processors (%s)", [processors, said.name]),
	"count": processors,
	"expected": sprintf("no %s: .NET takes limits.cpu, rounded up, %v", [said.name, cpu.cores[c.id]]),
} |
	some c in _containers
	c.role != "init"
	said := _setting(c, "PROCESSOR_COUNT")
	regex.match(`^[1-9][0-9]{0,3}$`, said.text)
	processors := to_number(said.text)
]

_containers := [workload.containers[id] |
	some id, present in environment.present
	present & {name | some name in about.variables} != set()
]

# The newer name wins.
_setting(c, name) := settings[0] if {
	settings := [{"name": variable, "text": setting.text, "path": setting.path} |
		some prefix in _prefixes
		variable := concat("_", [prefix, name])
		setting := environment.setting(c, variable)
		setting.state == "literal"
	]
	count(settings) > 0
}

# Numbers are hexadecimal, with 0x or without.
_hex(text) := quantity.hexadecimal(digits) if {
	digits := trim_prefix(lower(text), "0x")
	regex.match(`^[0-9a-f]{1,12}$`, digits)
}
