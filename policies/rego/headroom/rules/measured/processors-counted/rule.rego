# METADATA
# title: Runtime that counts more processors than its limit, as measured
# description: |
#   The program itself says how many processors it counts: more than twice those of its CPU limit. Its collector, its
#   compilers and its pools have threads for all of them, and use up the quota of a period at once. A JVM does so whose
#   release, or a flag out of sight, keeps it from seeing the limit; a Go program does before the go line 1.25, and the
#   BEAM runs a scheduler for each. Prometheus has it as system_cpu_count, jvm_cpu_count, go_sched_gomaxprocs_threads,
#   dotnet_process_cpu_count or erlang_vm_schedulers_online; an annotation says it of a JVM:
#   jvm.headroom.dev/<container>: processors=64.
# related_resources:
# - ref: https://pkg.go.dev/runtime#GOMAXPROCS
#   description: GOMAXPROCS and its default
# custom:
#   id: HR611
#   severity: error
#   harm: throttled
#   certain: true
#   size: "processors for each core"
#   facts: [J1, J4, T13]
#   remediation: |
#     Of a JVM set -XX:ActiveProcessorCount to the limit in whole cores, or move it to a release that reads its limits.
#     Of a Go program set GOMAXPROCS, of the BEAM +S, of .NET DOTNET_PROCESSOR_COUNT.
package headroom.rules.measured["processors-counted"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.measured
import data.headroom.quantity
import data.headroom.registry
import data.headroom.runtime.jvm
import data.headroom.runtimes
import data.headroom.workload

report contains finding if {
	some c in workload.containers
	c.cpu_limit > 0
	c.role != "init"
	not _set(c)
	counted := _counted(c)
	cores := ceil(c.cpu_limit / 1000)
	counted.processors > 2 * cores
	finding := {
		"container": c.name,
		"path": cpu.limit_path(c),
		"message": sprintf("It counts %v processors (%s), and limits.cpu is %s: %s.", [
			counted.processors,
			counted.text,
			quantity.format_cpu(c.cpu_limit),
			"it has threads for all of them, which use up the quota at once",
		]),
		"expected": _expected(c, cores),
		"figures": {"processors": counted.processors, "cores": cores},
		"size": cpu.tenths(counted.processors / cores),
		"follows": ["jvm-processors", "jvm-container-support-off", "go-procs"],
	}
}

# What was counted before the manifest set a number says nothing of now: HR402, HR501 and HR505 judge that number.
_set(c) if jvm.by_id[c.id].flags.ActiveProcessorCount

_set(c) if {
	some entry in c.raw.env
	entry.name == "GOMAXPROCS"
}

# A pool of a JVM is one of several.
_set(c) if {
	some counter in runtimes.counters
	counter.c.id == c.id
	not jvm.by_id[c.id]
}

_counted(c) := {"processors": j.facts.processors, "text": jvm.fact_text(j, "processors")} if {
	j := jvm.by_id[c.id]
	j.facts.processors
} else := {"processors": seen.processors, "text": seen.text} if {
	seen := measured.runtime_of(c.name)
	seen.processors
}

_expected(c, cores) := advice.in_place(j, sprintf("-XX:ActiveProcessorCount=%v", [cores])) if {
	j := jvm.by_id[c.id]
} else := sprintf(registry.about[kind].follows, [cores]) if {
	kind := measured.runtime_of(c.name).kind
	registry.about[kind].follows
} else := sprintf("GOMAXPROCS=%v", [max([2, cores])])
