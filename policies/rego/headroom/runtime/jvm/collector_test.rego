package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# Collector, parallel, concurrent and compiler threads, and code cache in MiB, as measured on 2 processors and 4 GiB or
# on one and 1 GiB, by release.
test_flags_that_say_what_is_a_server if {
	never := "-XX:+NeverActAsServerClassMachine"
	always := "-XX:+AlwaysActAsServerClassMachine"
	every row in [
		["2", "4Gi", [never], {8}, ["Serial", 0, 0, 2, 240]],
		["2", "4Gi", [never], {11, 17, 21, 25, 26}, ["Serial", 0, 0, 1, 32]],
		["2", "4Gi", [never], {28}, ["G1", 2, 1, 2, 240]],
		["2", "4Gi", [never, always], {21}, ["Serial", 0, 0, 1, 32]],
		["2", "4Gi", [never, "-XX:+UseG1GC"], {11, 21}, ["G1", 2, 1, 1, 32]],
		["2", "4Gi", [never, "-XX:CICompilerCount=3"], {11, 21, 26}, ["Serial", 0, 0, 3, 32]],
		["2", "4Gi", [never, "-XX:ReservedCodeCacheSize=100m"], {11, 21}, ["Serial", 0, 0, 1, 100]],
		["2", "4Gi", [never, "-XX:TieredStopAtLevel=4"], {11, 21}, ["Serial", 0, 0, 2, 240]],
		["2", "4Gi", [never, "-XX:-TieredCompilation"], {11, 21}, ["Serial", 0, 0, 2, 48]],
		["2", "4Gi", [never, "-Xint"], {11}, ["Serial", 0, 0, 2, 48]],
		["2", "4Gi", ["-XX:-NeverActAsServerClassMachine"], {21}, ["G1", 2, 1, 2, 240]],
		["1", "1Gi", [always], {8}, ["Parallel", 1, 0, 2, 240]],
		["1", "1Gi", [always], {11, 17, 21, 25, 26}, ["G1", 1, 1, 2, 240]],
		["1", "1Gi", ["-XX:-AlwaysActAsServerClassMachine"], {21}, ["Serial", 0, 0, 2, 240]],
	] {
		[cpu, memory, flags, releases, want] := row
		every release in releases {
			j := under_limits(cpu, memory, flags, release)
			pools := [j.gc, j.parallel_gc_threads.value, j.conc_gc_threads.value, j.compiler_threads.value]
			array.concat(pools, [jvm.code_cache_size(j) / 1048576]) == want
		}
	}
}

# What the JVM would choose, switched off.
test_servers_without_their_collector if {
	always := "-XX:+AlwaysActAsServerClassMachine"
	under_limits("1", "1Gi", [always, "-XX:-UseSerialGC"], 21).startup == []
	count(under_limits("1", "1Gi", [always, "-XX:-UseG1GC"], 21).startup) == 1
	count(under_limits("1", "1Gi", ["-XX:-UseSerialGC"], 21).startup) == 1
}

# One number of compilers for any number of processors.
test_compilers_that_follow_no_processors if {
	every release in {8, 11, 17, 21, 25, 26, 28} {
		flags := ["-XX:-CICompilerCountPerCPU", "-XX:ActiveProcessorCount=8"]
		under_limits("2", "1Gi", flags, release).compiler_threads.value == 2
	}
}

under_limits(cpu, memory, flags, release) := model(
	{
		"command": array.concat(array.concat(["java"], flags), ["-jar", "/app.jar"]),
		"resources": {"limits": {"cpu": cpu, "memory": memory}},
	},
	{"jvm.headroom.dev/app": sprintf("version=%d", [release])},
)

test_the_budget_of_a_small_code_cache if {
	bound(["-XX:+NeverActAsServerClassMachine"]) == 32
	bound(["-XX:TieredStopAtLevel=1"]) == 48
	bound([]) == 240
}

bound(flags) := data.headroom.memory.code_cache(under_limits("2", "4Gi", flags, 21), 0).bound_mib
