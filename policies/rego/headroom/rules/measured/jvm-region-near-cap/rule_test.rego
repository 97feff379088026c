package headroom.rules.measured["jvm-region-near-cap_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["jvm-region-near-cap"] as rule

mi := 1048576

review(annotations, flags, runtime) := reviews.of_pod(
	annotations,
	{"containers": [{
		"name": "app",
		"command": array.concat(["java"], flags),
		"resources": {"limits": {"memory": "2Gi"}},
	}]},
	{"measured": {"app": {
		"source": "Prometheus", "window_seconds": 604800, "samples": 2016, "age_seconds": 30,
		"runtime": object.union(
			{"exporter": "Micrometer", "kind": "jvm", "samples": 2016, "seen_seconds": 604800, "heap_max": 1024 * mi},
			runtime,
		),
	}}},
)

report(annotations, flags, runtime) := found if {
	found := rule.report with input as review(annotations, flags, runtime)
}

test_metaspace_near_its_cap if {
	some f in report({}, ["-XX:MaxMetaspaceSize=256m"], {"metaspace": 240 * mi})
	f.message == concat(" ", [
		"Metaspace took 240 MiB of the 256 that -XX:MaxMetaspaceSize allows, 93.8 %",
		"(measured by Prometheus: Micrometer over 7d); 90 % is the most.",
	])
	startswith(f.expected, "-XX:MaxMetaspaceSize=384m")
	endswith(f.expected, ", and limits.memory with it")
	f.figures == {"metaspace_mib": 240, "cap_mib": 256}
	count(report({}, ["-XX:MaxMetaspaceSize=256m"], {"metaspace": 230 * mi})) == 0
	count(report({}, ["-XX:MaxMetaspaceSize=384m"], {"metaspace": 240 * mi})) == 0
	count(report({}, [], {"metaspace": 900 * mi})) == 0
	count(report({}, ["-XX:MaxMetaspaceSize=256m"], {})) == 0
	some said in report({"jvm.headroom.dev/app": "metaspace=250Mi"}, ["-XX:MaxMetaspaceSize=256m"], {})
	contains(said.message, "(annotation)")
}

# Of the class space only what a flag says is held against it.
test_class_space_near_its_cap if {
	some f in report({}, ["-XX:CompressedClassSpaceSize=32m"], {"class_space": 30 * mi})
	contains(f.message, "The compressed class space took 30 MiB of the 32 that -XX:CompressedClassSpaceSize allows")
	startswith(f.expected, "-XX:CompressedClassSpaceSize=64m")
	f.figures == {"class_space_mib": 30, "cap_mib": 32}
	count(report({}, [], {"class_space": 30 * mi})) == 0
}

test_code_cache_near_its_cap if {
	some f in report({}, ["-XX:ReservedCodeCacheSize=64m"], {"code_cache": 60 * mi})
	contains(f.message, "The code cache took 60 MiB of the 64 that -XX:ReservedCodeCacheSize allows, 93.8 %")
	startswith(f.expected, "-XX:ReservedCodeCacheSize=96m")
	some parts in report({}, ["-XX:ReservedCodeCacheSize=64m", "-XX:NonNMethodCodeHeapSize=8m"], {"code_cache": 60 * mi})
	endswith(parts.expected, ", and its segments and limits.memory with it")
}

# What the JVM allows by itself is a cap as well. More than that shows a flag that is not visible here.
test_code_cache_without_a_flag if {
	some f in report({}, [], {"code_cache": 230 * mi})
	contains(f.message, "of the 240 that the JVM allows without -XX:ReservedCodeCacheSize, 95.8 %")
	count(report({}, [], {"code_cache": 260 * mi})) == 0
	some small in report({}, ["-XX:-TieredCompilation"], {"code_cache": 46 * mi})
	small.figures.cap_mib == 48
	count(report({}, ["-XX:ReservedCodeCacheSize=lots"], {"code_cache": 230 * mi})) == 0
}
