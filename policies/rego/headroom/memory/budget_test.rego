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

bound(found) := {term.name: term.bound_mib | some term in found.terms}

low(found) := {term.name: term.least_mib | some term in found.terms}

# J3's flags without the heap.
chapter := ["-XX:MaxMetaspaceSize=256m", "-XX:ReservedCodeCacheSize=128m", "-XX:MaxDirectMemorySize=256m", "-Xss512k"]

declared := "threads=200 native=100Mi"

# M1, first row. Classes are not declared, and a cap of 256 MiB on direct memory is no guard.
test_half_of_the_limit if {
	found := budget(array.concat(["-XX:MaxRAMPercentage=50.0"], chapter), "4096Mi", declared)
	bound(found) == {"heap": 2048, "metaspace": 256, "code cache": 128, "direct": 256, "stacks": 100, "native": 100}
	found.bound_mib == 2888
	mib(found) == {"heap": 2048, "metaspace": 96, "code cache": 64, "direct": 256, "stacks": 25, "native": 100}
	found.total_mib == 2589
	low(found) == {"heap": 2048, "metaspace": 6, "code cache": 4, "direct": 0, "stacks": 7, "native": 100}
	found.least_mib == 2165
	found.left_mib == 4096 - 2589
	round(found.headroom * 1000) == 368
	found.complete
	{term.grade | some term in found.terms} == {"declared"}
	found.grade == "declared"
}

# M1, third row.
test_three_quarters_of_the_limit if {
	found := budget(array.concat(["-XX:MaxRAMPercentage=75.0"], chapter), "4096Mi", declared)
	found.bound_mib == 3912
	found.total_mib == 3613
	round(found.headroom * 1000) == 118
}

# M1, second row: heap and limit are one.
test_all_of_the_limit if {
	found := budget(["-Xmx4g"], "4096Mi", declared)
	found.terms[0].mib == found.limit_mib
}

# M7, and as bounds what the JVM would allow (M4).
test_defaults if {
	found := budget([], "4096Mi", "")
	mib(found) == {"heap": 1024, "metaspace": 96, "code cache": 64, "direct": 64, "stacks": 32, "native": 131}
	low(found) == {"heap": 1024, "metaspace": 6, "code cache": 4, "direct": 0, "stacks": 2, "native": 65}
	bound(found) == {"heap": 1024, "metaspace": 256, "code cache": 240, "direct": 1024, "stacks": 250, "native": 197}
	[found.least_mib, found.total_mib, found.bound_mib] == [1101, 1411, 2991]
	{term.name: term.source | some term in found.terms} == {
		"heap": "JVM default",
		"metaspace": "assumed",
		"code cache": "assumed",
		"direct": "assumed",
		"stacks": "assumed",
		"native": "assumed",
	}
	{term.name: term.grade | some term in found.terms; term.grade != "assumed"} == {"heap": "known"}
	found.grade == "assumed"
}

test_classes_tell_the_metaspace if {
	found := budget([], "4096Mi", "classes=20000")
	found.terms[1] == {
		"name": "metaspace", "mib": 124, "least_mib": 124, "bound_mib": 124,
		"source": "annotation", "flag": "", "grade": "declared",
	}
	capped := budget(["-XX:MaxMetaspaceSize=256m"], "4096Mi", "classes=20000")
	[capped.terms[1].mib, capped.terms[1].bound_mib] == [124, 256]
	less := budget(["-XX:MaxMetaspaceSize=100m"], "4096Mi", "classes=20000")
	[less.terms[1].mib, less.terms[1].bound_mib] == [100, 100]
}

test_one_compiler_needs_less_code_cache if {
	every flags in [["-XX:-TieredCompilation"], ["-XX:TieredStopAtLevel=1"], ["-Xint"]] {
		bound(budget(flags, "4096Mi", "version=17"))["code cache"] == 48
		mib(budget(flags, "4096Mi", "version=17"))["code cache"] == 48
	}
	bound(budget(["-XX:TieredStopAtLevel=1"], "4096Mi", "version=11"))["code cache"] == 240
	bound(budget(["-XX:TieredStopAtLevel=1"], "4096Mi", "version=28"))["code cache"] == 48
	bound(budget(["-XX:TieredStopAtLevel=3"], "4096Mi", "version=28"))["code cache"] == 240
	bound(budget(["-Xint"], "4096Mi", "version=8"))["code cache"] == 240
}

# No figure is more than a cap, and a cap that is more than what is expected changes the bound alone.
test_caps if {
	every case in [
		["-XX:MaxMetaspaceSize=5m", 1, [5, 5, 5], "flag"],
		["-XX:MaxMetaspaceSize=6m", 1, [6, 6, 6], "flag"],
		["-XX:MaxMetaspaceSize=7m", 1, [6, 7, 7], "flag"],
		["-XX:MaxMetaspaceSize=96m", 1, [6, 96, 96], "flag"],
		["-XX:MaxMetaspaceSize=97m", 1, [6, 96, 97], "assumed"],
		["-XX:ReservedCodeCacheSize=3m", 2, [3, 3, 3], "flag"],
		["-XX:ReservedCodeCacheSize=64m", 2, [4, 64, 64], "flag"],
		["-XX:ReservedCodeCacheSize=65m", 2, [4, 64, 65], "assumed"],
	] {
		[flag, i, figures, source] := case
		term := budget([flag], "4096Mi", "").terms[i]
		[term.least_mib, term.mib, term.bound_mib] == figures
		[term.source, term.grade] == [source, "declared"]
		startswith(flag, sprintf("-XX:%s=", [term.flag]))
	}
}

# A cap on direct memory is a guard, up to 128 MiB, or is set because so much is used.
test_direct_memory if {
	every case in [
		[["-Xmx1g"], [0, 64, 1024], "assumed"],
		[["-Xmx384m"], [0, 64, 384], "assumed"],
		[["-Xmx192m"], [0, 32, 192], "assumed"],
		[["-Xmx6m"], [0, 1, 6], "assumed"],
		[["-Xmx1g", "-XX:MaxDirectMemorySize=0"], [0, 0, 0], "flag"],
		[["-Xmx1g", "-XX:MaxDirectMemorySize=7m"], [0, 7, 7], "flag"],
		[["-Xmx1g", "-XX:MaxDirectMemorySize=64m"], [0, 64, 64], "flag"],
		[["-Xmx1g", "-XX:MaxDirectMemorySize=65m"], [0, 64, 65], "assumed"],
		[["-Xmx1g", "-XX:MaxDirectMemorySize=128m"], [0, 64, 128], "assumed"],
		[["-Xmx40m", "-XX:MaxDirectMemorySize=128m"], [0, 7, 128], "assumed"],
		[["-Xmx1g", "-XX:MaxDirectMemorySize=134217729"], [0, 129, 129], "flag"],
		# A quarter of the limit is as much as the JVM allows by itself.
		[["-Xmx40m", "-XX:MaxDirectMemorySize=1023m"], [0, 1023, 1023], "flag"],
		[["-Xmx40m", "-XX:MaxDirectMemorySize=1g"], [0, 7, 1024], "assumed"],
		[["-Xmx40m", "-XX:MaxDirectMemorySize=1056m"], [0, 7, 1056], "assumed"],
		[["-Xmx40m", "-XX:MaxDirectMemorySize=1057m"], [0, 1057, 1057], "flag"],
	] {
		[flags, figures, source] := case
		term := budget(flags, "4096Mi", "").terms[3]
		[term.least_mib, term.mib, term.bound_mib] == figures
		term.source == source
		term.grade == {true: "declared", false: "assumed"}[count(flags) == 2]
	}
}

# Netty without cleaner counts its buffers beside the JDK's (M7).
test_netty_without_cleaner if {
	with_cap := ["-XX:MaxDirectMemorySize=160m"]
	every properties, direct in {
		[]: 160,
		["-Dio.netty.tryReflectionSetAccessible=false"]: 160,
		["-Dio.netty.tryReflectionSetAccessible=true", "-Dio.netty.tryReflectionSetAccessible=false"]: 160,
		["-Dio.netty.maxDirectMemory=1048576"]: 160,
		["-Dio.netty.tryReflectionSetAccessible=true"]: 320,
		["-Dio.netty.tryReflectionSetAccessible=true", "-Dio.netty.maxDirectMemory=1048576"]: 161,
		["-Dio.netty.tryReflectionSetAccessible=true", "-Dio.netty.maxDirectMemory=0"]: 160,
		["-Dio.netty.tryReflectionSetAccessible=true", "-Dio.netty.maxDirectMemory=-1"]: 320,
	} {
		mib(budget(array.concat(with_cap, properties), "4096Mi", "")).direct == direct
	}
}

test_values_that_cannot_be_read_count_as_not_set if {
	found := budget(
		["-XX:MaxDirectMemorySize=1Gi", "-XX:MaxMetaspaceSize=1Gi", "-XX:ReservedCodeCacheSize=x", "-Xss1.5m"],
		"4096Mi", "",
	)
	mib(found) == mib(budget([], "4096Mi", ""))
}

# A thread uses 128 KiB of its stack, or the whole of a smaller one.
test_stacks if {
	every case in [
		[["-XX:ThreadStackSize=2048"], "threads=100", [4, 13, 200], "annotation"],
		[["-Xss0"], "threads=100", [4, 13, 100], "annotation"],
		[["-Xss128k"], "threads=96", [3, 12, 12], "annotation"],
		[["-Xss96k"], "threads=100", [4, 10, 10], "annotation"],
		[["-Xss96k"], "threads=1", [1, 1, 1], "annotation"],
		[[], "", [2, 32, 250], "assumed"],
		[["-Xss40k"], "", [2, 10, 10], "assumed"],
	] {
		[flags, facts, figures, source] := case
		term := budget(flags, "4096Mi", facts).terms[4]
		[term.least_mib, term.mib, term.bound_mib] == figures
		[term.source, term.grade] == [source, object.get({"assumed": "assumed"}, source, "declared")]
	}
	found := memory.budgets with input as pod([], "4096Mi", "")
		with data.headroom.overrides as {"jvm": {"threads": 800}}
	term := found[0].terms[4]
	[term.least_mib, term.mib, term.bound_mib, term.source, term.grade] == [25, 100, 800, "config", "declared"]
}

# 50 MiB and the collector's own memory, at least 100 (M3).
test_native_follows_the_collector if {
	expected := {
		"-XX:+UseG1GC": 254,
		"-XX:+UseParallelGC": 224,
		"-XX:+UseConcMarkSweepGC": 224,
		"-XX:+UseShenandoahGC": 214,
		"-XX:+UseZGC": 212,
		"-XX:+UseSerialGC": 100,
		"-XX:+UseEpsilonGC": 100,
	}
	every flag, native in expected {
		mib(budget([flag, "-Xmx4g"], "16Gi", "")).native == native
	}
}

native(flags, limit, overrides) := found[0].terms[5] if {
	found := memory.budgets with input as pod(flags, limit, "") with data.headroom.overrides as overrides
}

test_native_from_the_config if {
	every text, mib in {"300Mi": 300, "0": 0} {
		native([], "4096Mi", {"jvm": {"native": text}}) == {
			"name": "native", "mib": mib, "least_mib": mib, "bound_mib": mib,
			"source": "config", "flag": "", "grade": "declared",
		}
	}
	native([], "4096Mi", {"jvm": {"native": "much"}}).source == "assumed"
}

# What is assumed has a low end, and what is declared has none.
test_the_low_end_of_native if {
	found := native(["-Xmx4g"], "16Gi", {})
	[found.least_mib, found.mib, found.bound_mib] == [127, 254, 381]
	said := budget([], "4096Mi", "native=40Mi").terms[5]
	[said.least_mib, said.mib, said.bound_mib, said.grade] == [40, 40, 40, "declared"]
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
	[zero.terms[1].bound_mib, zero.terms[2].bound_mib] == [256, 240]
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

# Under a small heap regions are expected to be smaller, a low end never more than what is expected.
test_a_small_heap_has_small_regions if {
	mib(budget(["-Xmx128m", "-XX:+UseSerialGC"], "512Mi", "")) == {
		"heap": 128, "metaspace": 36, "code cache": 24, "direct": 22, "stacks": 32, "native": 52,
	}
	every heap in [2, 16, 64, 128, 256, 382, 384, 386] {
		found := budget([sprintf("-Xmx%vm", [heap])], "4096Mi", "")
		every term in found.terms {
			term.least_mib <= term.mib
			term.mib <= term.bound_mib
		}
	}
}

# A heap that is not known counts as a large one.
test_regions_beside_a_heap_that_is_not_known if {
	found := budget([], null, "")
	[found.terms[1].mib, found.terms[2].mib, found.terms[5].mib] == [96, 64, 100]
}

# J17: what a pool may have beyond those of the servers that were measured.
test_a_larger_pool_for_requests if {
	every n, want in {"200": 32, "201": 32, "1000": 132} {
		found := budget([concat("", ["-Dserver.jetty.threads.max=", n])], "1Gi", "")
		mib(found).stacks == want
	}
	found := budget(["-Dserver.tomcat.threads.max=1000"], "4Gi", "")
	[term] := [term | some term in found.terms; term.name == "stacks"]
	[term.mib, term.least_mib, term.bound_mib, term.grade] == [132, 2, 1050, "assumed"]
	term.source == "250 assumed, and 800 more by -Dserver.tomcat.threads.max=1000, command line"
	mib(budget(["-Dserver.tomcat.threads.max=1000"], "4Gi", "threads=40")).stacks == 5
}
