package headroom.memory_test

import data.headroom.memory

# pod is a JVM with these flags under a memory limit.
pod(flags, limit, facts) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "app", "annotations": {"jvm.headroom.dev/app": facts}},
	"spec": {"containers": [{
		"name": "app",
		"command": array.concat(["java"], flags),
		"resources": {"limits": {"cpu": "2", "memory": limit}},
	}]},
}

budget(flags, limit, facts) := found if {
	[found] := memory.budgets with input as pod(flags, limit, facts)
}

mib(found) := {term.name: term.mib | some term in found.terms}

# J3's flags without the heap.
chapter := ["-XX:MaxMetaspaceSize=256m", "-XX:ReservedCodeCacheSize=128m", "-XX:MaxDirectMemorySize=256m", "-Xss512k"]

declared := "threads=200 native=100Mi"

# M1, first row.
test_half_of_the_limit if {
	found := budget(array.concat(["-XX:MaxRAMPercentage=50.0"], chapter), "4096Mi", declared)
	mib(found) == {"heap": 2048, "metaspace": 256, "code cache": 128, "direct": 256, "stacks": 100, "native": 100}
	found.total_mib == 2888
	found.left_mib == 1208
	round(found.headroom * 1000) == 295
	found.complete
	every term in found.terms {
		not term.assumed
	}
}

# M1, third row.
test_three_quarters_of_the_limit if {
	found := budget(array.concat(["-XX:MaxRAMPercentage=75.0"], chapter), "4096Mi", declared)
	found.total_mib == 3912
	found.left_mib == 184
	round(found.headroom * 1000) == 45
}

# M1, second row: heap and limit are one.
test_all_of_the_limit if {
	found := budget(["-Xmx4g"], "4096Mi", declared)
	found.terms[0].mib == found.limit_mib
}

# A region that is not set counts as what the JVM would allow (M4).
test_defaults if {
	found := budget([], "4096Mi", "")
	mib(found) == {"heap": 1024, "metaspace": 256, "code cache": 240, "direct": 1024, "stacks": 250, "native": 131}
	{term.name: term.source | some term in found.terms} == {
		"heap": "JVM default",
		"metaspace": "assumed",
		"code cache": "JVM default",
		"direct": "JVM default",
		"stacks": "assumed",
		"native": "assumed",
	}
	every term in found.terms {
		term.assumed
	}
}

test_classes_tell_the_metaspace if {
	found := budget([], "4096Mi", "classes=20000")
	found.terms[1] == {"name": "metaspace", "mib": 124, "source": "annotation", "flag": "", "assumed": true}
}

test_one_compiler_needs_less_code_cache if {
	every flags in [["-XX:-TieredCompilation"], ["-XX:TieredStopAtLevel=1"], ["-Xint"]] {
		mib(budget(flags, "4096Mi", "version=17"))["code cache"] == 48
	}
	mib(budget(["-XX:TieredStopAtLevel=1"], "4096Mi", "version=11"))["code cache"] == 240
	mib(budget(["-XX:TieredStopAtLevel=1"], "4096Mi", "version=28"))["code cache"] == 48
	mib(budget(["-XX:TieredStopAtLevel=3"], "4096Mi", "version=28"))["code cache"] == 240
	mib(budget(["-Xint"], "4096Mi", "version=8"))["code cache"] == 240
}

# An explicit 0 is no direct memory at all.
test_no_direct_memory if {
	found := budget(["-XX:MaxDirectMemorySize=0"], "4096Mi", "")
	found.terms[3].mib == 0
	found.terms[3].source == "flag"
}

test_values_that_cannot_be_read_count_as_not_set if {
	found := budget(
		["-XX:MaxDirectMemorySize=1Gi", "-XX:MaxMetaspaceSize=1Gi", "-XX:ReservedCodeCacheSize=x", "-Xss1.5m"],
		"4096Mi", "",
	)
	mib(found) == mib(budget([], "4096Mi", ""))
}

test_stacks if {
	mib(budget(["-XX:ThreadStackSize=2048"], "4096Mi", "threads=100")).stacks == 200
	mib(budget(["-Xss0"], "4096Mi", "threads=100")).stacks == 100
	found := memory.budgets with input as pod([], "4096Mi", "")
		with data.headroom.overrides as {"jvm": {"threads": 80}}
	mib(found[0]).stacks == 80
}

# 50 MiB and the collector's own memory, at least 100 (M3).
test_native_follows_the_collector if {
	expected := {
		"-XX:+UseG1GC": 254,
		"-XX:+UseParallelGC": 224,
		"-XX:+UseConcMarkSweepGC": 224,
		"-XX:+UseShenandoahGC": 214,
		"-XX:+UseZGC": 132,
		"-XX:+UseSerialGC": 100,
		"-XX:+UseEpsilonGC": 100,
	}
	every flag, native in expected {
		mib(budget([flag, "-Xmx4g"], "16Gi", "")).native == native
	}
}

test_native_from_the_config if {
	found := memory.budgets with input as pod([], "4096Mi", "")
		with data.headroom.overrides as {"jvm": {"native": "300Mi"}}
	found[0].terms[5] == {"name": "native", "mib": 300, "source": "config", "flag": "", "assumed": true}
	unread := memory.budgets with input as pod([], "4096Mi", "")
		with data.headroom.overrides as {"jvm": {"native": "much"}}
	unread[0].terms[5].source == "assumed"
}

test_without_a_limit_nothing_is_complete if {
	found := budget(["-Xmx1g"], null, "")
	not found.complete
	found.limit_mib == 0
	not budget(["-XX:-UseContainerSupport"], "1Gi", "").complete
	not budget(["-Xmx1Gi"], "1Gi", "").complete
}

# 0 is no bound of these two, and a limit's part of a MiB does not help.
test_bounds_of_the_terms if {
	zero := budget(["-XX:MaxMetaspaceSize=0", "-XX:ReservedCodeCacheSize=0"], "4096Mi", "")
	[zero.terms[1].mib, zero.terms[2].mib] == [256, 240]
	one := budget(["-XX:MaxMetaspaceSize=1", "-XX:ReservedCodeCacheSize=1"], "4096Mi", "")
	[[t.mib, t.source] | some t in array.slice(one.terms, 1, 3)] == [[1, "flag"], [1, "flag"]]
	budget(["-Xmx1g"], "1048575", "").limit_mib == 0
	budget(["-Xmx1g"], "1048576", "").limit_mib == 1
	budget(["-Xmx1g"], "0", "").headroom == budget(["-Xmx1g"], "0", "").left_mib
	every bytes, mib in {0: 0, 1: 1, 1048576: 1, 1048577: 2} {
		memory.mebibytes(bytes) == mib
	}
	mib(budget([], "4096Mi", "classes=1000")).metaspace == 19
	mib(budget([], "4096Mi", "classes=33744")).metaspace == 200
	mib(budget([], "4096Mi", "classes=33745")).metaspace == 201
	mib(budget([], "4096Mi", "native=0")).native == 0
}

test_native_of_nothing_in_the_config if {
	found := memory.budgets with input as pod([], "4096Mi", "")
		with data.headroom.overrides as {"jvm": {"native": "0"}}
	found[0].terms[5] == {"name": "native", "mib": 0, "source": "config", "flag": "", "assumed": true}
}

# Direct memory of less than 256 MiB needs no cap.
test_what_is_capped if {
	memory.capped(model(["-Xmx256m"], "4096Mi", "")).flag == ""
	memory.capped(model(["-Xmx258m"], "4096Mi", "")).flag == " with -XX:MaxDirectMemorySize=256m"
	memory.capped(model(["-Xmx258m"], "4096Mi", "")).jvm.numbers.MaxDirectMemorySize == 268435456
	memory.capped(model(["-Xmx258m", "-XX:MaxDirectMemorySize=1m"], "4096Mi", "")).flag == ""
}
