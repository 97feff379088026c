package headroom.runtime.dotnet

import data.headroom.ceiling
import data.headroom.environment
import data.headroom.measured
import data.headroom.workload

# heaps are the bounds of the managed heap of programs that tell how full it is, by container: {bytes, text, path,
# larger, share}, as for any runtime.
heaps := {c.id: heap |
	some c in workload.containers
	measured.runtime_of(c.name).kind == "dotnet"
	environment.hidden(c) == []
	heap := _bound(c)
}

_bound(c) := {
	"bytes": bytes,
	"text": said.name,
	"path": said.path,
	"larger": sprintf("%s of %%v MiB, in hexadecimal digits of bytes", [said.name]),
	"share": 1,
} if {
	said := _setting(c, "GCHeapHardLimit")
	bytes := _hex(said.text)
	bytes > 0
} else := {
	"bytes": floor((c.memory_limit * percent) / 100),
	"text": sprintf("%v %% of limits.memory", [percent]),
	"path": ceiling.resources(c),
	"larger": "limits.memory of %vMi",
	"share": percent / 100,
} if {
	c.memory_limit > 0
	percent := _percent(c)
}

# 75 % without a setting (R10).
_percent(c) := percent if {
	percent := _hex(_setting(c, "GCHeapHardLimitPercent").text)
	percent > 0
	percent < 100
} else := 75
