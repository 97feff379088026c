package headroom.runtime.dotnet

import data.headroom.ceiling
import data.headroom.environment
import data.headroom.measured
import data.headroom.workload

# heaps are the bounds of the managed heap of programs that tell how full it is, by container: {bytes, text, path,
# larger, share, said}, as for any runtime. runtimeconfig.json, which is not seen, may say another share.
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
	"said": true,
	"larger": sprintf(`%s: "0x%%X" (%%v MiB)`, [said.name]),
	"share": 1,
} if {
	said := _setting(c, "GCHeapHardLimit")
	bytes := _hex(said.text)
	bytes > 0
} else := {
	"bytes": floor((c.memory_limit * percent) / 100),
	"text": sprintf("%v %% of limits.memory", [percent]),
	"path": ceiling.resources(c),
	"said": _share_is_said(c),
	"larger": "limits.memory of %vMi",
	"share": percent / 100,
} if {
	c.memory_limit > 0
	percent := _percent(c)
}

default _share_is_said(_) := false

_share_is_said(c) if _hex(_setting(c, "GCHeapHardLimitPercent").text) > 0

# 75 % without a setting (R10).
_percent(c) := percent if {
	percent := _hex(_setting(c, "GCHeapHardLimitPercent").text)
	percent > 0
	percent < 100
} else := 75
