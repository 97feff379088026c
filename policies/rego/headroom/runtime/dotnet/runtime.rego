# METADATA
# title: .NET
# description: |
#   .NET. Shown by the annotation, by the command, by the image or by variables that it alone reads. Its heap takes
#   75 % of the container's limit at most, unless it is told another size, in hexadecimal digits (R10).
package headroom.runtime.dotnet

import data.headroom.ceiling
import data.headroom.cpu
import data.headroom.environment
import data.headroom.runtime.jvm
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

_settings := ["GCHeapHardLimit", "GCHeapHardLimitPercent", "PROCESSOR_COUNT", "gcServer"]

found := object.union(serving.found("dotnet"), {id: {"sure": true, "evidence": concat(" ", [min(names), "is set"])} |
	some id, present in environment.present
	names := present & {name | some name in about.variables}
	names != set()
})

# The rest is for code, stacks and native memory; it is what .NET itself leaves (R10).
_share := 0.75

# ceilings are the heaps that a variable sizes: in bytes, or as a share of the limit.
ceilings := array.concat(
	[_ceiling(c, said, sprintf("The managed heap may grow to %v MiB (%s)", [ceiling.mib(bytes), said.name]), bytes) |
		some c in _containers
		said := _setting(c, "GCHeapHardLimit")
		bytes := _hex(said.text)
		bytes > 0
	],
	[_ceiling(c, said, sprintf("The managed heap may grow to %v %% of the limit (%s)", [percent, said.name]), bytes) |
		some c in _containers
		not _setting(c, "GCHeapHardLimit")
		said := _setting(c, "GCHeapHardLimitPercent")
		percent := _hex(said.text)
		percent > 0
		bytes := (c.memory_limit * percent) / 100
	],
)

_ceiling(c, said, text, bytes) := {
	"c": c,
	"sure": true,
	"path": said.path,
	"terms": [{"text": text, "bytes": bytes, "sure": true}],
	"before": "the garbage collector runs",
	"expected": sprintf("no %s (75 %% of limits.memory is the default), or limits.memory of %s", [
		said.name,
		ceiling.limit_for(bytes, _share),
	]),
}

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
_hex(text) := jvm.size_of(concat("", ["0x", digits])) if {
	digits := trim_prefix(lower(text), "0x")
	regex.match(`^[0-9a-f]{1,12}$`, digits)
}
