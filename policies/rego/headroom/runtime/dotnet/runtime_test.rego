package headroom.runtime.dotnet_test

import data.headroom.runtime.dotnet
import data.headroom.runtimes

pod(env) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
	"name": "app",
	"env": [{"name": name, "value": value} | some name, value in env],
	"resources": {"limits": {"memory": "1Gi", "cpu": "2"}},
}]}}

sizes(env) := [floor(one.terms[0].bytes / 1048576) | some one in found] if {
	found := dotnet.ceilings with input as pod(env)
}

counts(env) := [counter.count | some counter in found] if {
	found := dotnet.counters with input as pod(env)
}

test_sizes if {
	every case in [
		[{"DOTNET_GCHeapHardLimit": "80000000"}, [2048]],
		[{"DOTNET_GCHeapHardLimit": "0x20000000"}, [512]],
		[{"COMPlus_GCHeapHardLimit": "20000000"}, [512]],
		[{"COMPlus_GCHeapHardLimit": "20000000", "DOTNET_GCHeapHardLimit": "10000000"}, [256]],
		[{"DOTNET_GCHeapHardLimitPercent": "64"}, []],
		[{"DOTNET_GCHeapHardLimit": "400000000"}, [16384]],
		[{"DOTNET_GCHeapHardLimitPercent": "64", "DOTNET_GCHeapHardLimit": "10000000"}, [256]],
		[{"DOTNET_GCHeapHardLimit": "512Mi"}, []],
		[{"DOTNET_GCHeapHardLimit": "0"}, []],
		[{"DOTNET_GCHeapHardLimit": ""}, []],
		[{"DOTNET_gcServer": "1"}, []],
	] {
		[env, want] := case
		sizes(env) == want
	}
}

wanted(env) := [one.expected | some one in found] if {
	found := array.concat(dotnet.ceilings, dotnet.refused) with input as pod(env)
}

test_what_is_wanted_is_hexadecimal if {
	every case in [
		[
			{"DOTNET_GCHeapHardLimit": "400000000"},
			[`DOTNET_GCHeapHardLimit: "0x17D78400", which is 400000000 bytes in hexadecimal`],
		],
		[
			{"COMPlus_GCHeapHardLimit": "700000000"},
			[`COMPlus_GCHeapHardLimit: "0x29B92700", which is 700000000 bytes in hexadecimal`],
		],
		# What is no decimal size of use here is taken for what it is.
		[
			{"DOTNET_GCHeapHardLimit": "0x80000000"},
			["no DOTNET_GCHeapHardLimit (75 % of limits.memory is the default), or limits.memory of 2752Mi"],
		],
		# 100 MB of 1 GiB is no size for it, and 4 GiB is too much.
		[
			{"DOTNET_GCHeapHardLimit": "100000000"},
			["no DOTNET_GCHeapHardLimit (75 % of limits.memory is the default), or limits.memory of 5504Mi"],
		],
		[{"DOTNET_GCHeapHardLimitPercent": "64"}, [`DOTNET_GCHeapHardLimitPercent: "0x40", which is 64 %`]],
		[{"DOTNET_GCHeapHardLimitPercent": "75"}, [`DOTNET_GCHeapHardLimitPercent: "0x4B", which is 75 %`]],
		[{"COMPlus_GCHeapHardLimitPercent": "0x64"}, [`no COMPlus_GCHeapHardLimitPercent, or at most "0x4B", which is 75 %`]],
		[
			{"DOTNET_GCHeapHardLimitPercent": "50"},
			[`DOTNET_GCHeapHardLimitPercent: "0x32" for 50 %, or "0x50" for 80 %`],
		],
		[{"DOTNET_GCHeapHardLimitPercent": "9"}, []],
		[{"DOTNET_GCHeapHardLimitPercent": "50", "DOTNET_GCHeapHardLimit": "10000000"}, [
			"no DOTNET_GCHeapHardLimit (75 % of limits.memory is the default), or limits.memory of 384Mi",
		]],
		[{"DOTNET_GCHeapHardLimitPercent": "4B"}, []],
		[{"DOTNET_GCHeapHardLimitPercent": "0x63"}, []],
		[
			{"DOTNET_GCHeapHardLimitPercent": "64", "DOTNET_GCHeapHardLimit": "0"},
			[`DOTNET_GCHeapHardLimitPercent: "0x40", which is 64 %`],
		],
	] {
		[env, want] := case
		wanted(env) == want
	}
}

# What is wanted is taken, and means the same.
test_what_is_wanted_passes if {
	wanted({"DOTNET_GCHeapHardLimitPercent": "0x40"}) == []
	sizes({"DOTNET_GCHeapHardLimit": "0x17D78400"}) == [381]
}

test_counts if {
	counts({"DOTNET_PROCESSOR_COUNT": "16"}) == [16]
	counts({"COMPlus_PROCESSOR_COUNT": "2"}) == [2]
	counts({"DOTNET_PROCESSOR_COUNT": "all"}) == []
	counts({"DOTNET_gcServer": "1"}) == []
}

test_found if {
	runtimes.running[0].name == "dotnet" with input as pod({"DOTNET_gcServer": "1"})
	runtimes.running[0].name == "" with input as pod({"DOTNET_NOLOGO": "1"})
	runtimes.running[0].name == "dotnet" with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"image": "mcr.microsoft.com/dotnet/aspnet:8.0",
	}]}}
	runtimes.running[0].name == "dotnet" with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"command": ["dotnet", "Shop.dll"],
	}]}}
}
