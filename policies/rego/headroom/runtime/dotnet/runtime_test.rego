package headroom.runtime.dotnet_test

import data.headroom.registry
import data.headroom.runtime.dotnet

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
		[{"DOTNET_GCHeapHardLimitPercent": "64"}, [1024]],
		[{"DOTNET_GCHeapHardLimitPercent": "32"}, [512]],
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

test_counts if {
	counts({"DOTNET_PROCESSOR_COUNT": "16"}) == [16]
	counts({"COMPlus_PROCESSOR_COUNT": "2"}) == [2]
	counts({"DOTNET_PROCESSOR_COUNT": "all"}) == []
	counts({"DOTNET_gcServer": "1"}) == []
}

test_found if {
	registry.running[0].name == "dotnet" with input as pod({"DOTNET_gcServer": "1"})
	registry.running[0].name == "" with input as pod({"DOTNET_NOLOGO": "1"})
	registry.running[0].name == "dotnet" with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"image": "mcr.microsoft.com/dotnet/aspnet:8.0",
	}]}}
	registry.running[0].name == "dotnet" with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"command": ["dotnet", "Shop.dll"],
	}]}}
}
