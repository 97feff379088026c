package headroom.rules.measured["jvm-direct-near-cap_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["jvm-direct-near-cap"] as rule

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

test_near_the_cap if {
	flags := ["-Xmx1g", "-XX:MaxDirectMemorySize=256m"]
	some f in report({}, flags, {"direct": 240 * mi})
	f.message == concat(" ", [
		"Direct memory took 240 MiB of the 256 that -XX:MaxDirectMemorySize allows, 93.8 %",
		"(measured by Prometheus: Micrometer over 7d); 90 % is the most.",
	])
	startswith(f.expected, "-XX:MaxDirectMemorySize=384m")
	f.figures == {"direct_mib": 240, "cap_mib": 256}
	count(report({}, flags, {"direct": 230 * mi})) == 0
	count(report({}, flags, {})) == 0
	some said in report({"jvm.headroom.dev/app": "direct=250Mi"}, flags, {})
	contains(said.message, "(annotation)")
}

# Without a cap it is the heap's maximum: that of a flag, or what the JVM says.
test_without_a_cap if {
	some f in report({}, ["-Xmx512m"], {"direct": 500 * mi})
	contains(f.message, "of the 512 that the JVM allows without -XX:MaxDirectMemorySize, as much as the heap")
	count(report({}, ["-Xmx1g"], {"direct": 500 * mi})) == 0
	some seen in report({}, [], {"direct": 1000 * mi})
	seen.figures.cap_mib == 1024
	count(report({}, ["-XX:MaxDirectMemorySize=0", "-Xmx512m"], {"direct": 500 * mi})) == 0
}

# The buffers of one Pod are not held against the heap of another.
test_of_one_pod if {
	told := {
		"direct": 900 * mi, "heap_max": 900 * mi,
		"pods": {"direct_share": {"direct": 240 * mi, "heap_max": 256 * mi}},
	}
	some f in report({}, [], told)
	f.figures == {"direct_mib": 240, "cap_mib": 256}
	some flagged in report({}, ["-Xmx960m"], told)
	flagged.figures == {"direct_mib": 900, "cap_mib": 960}
	some capped in report({}, ["-XX:MaxDirectMemorySize=960m"], told)
	capped.figures == {"direct_mib": 900, "cap_mib": 960}
}
