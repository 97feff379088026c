# METADATA
# title: Compiler threads
# description: |
#   The JIT compilers work in threads of their own, most of all after the start, when requests
#   wait for them. Their number follows the processors that the JVM counts: 2 on two, 18 on the
#   64 of a node (measured). A CPU limit or ActiveProcessorCount sizes them; a count of its own
#   above the cores makes them take CPU time from what they are to speed up.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -XX:CICompilerCount in the java command's manual
# custom:
#   id: HR405
#   severity: warning
#   harm: threads
#   size: "threads too many"
#   facts: [J1, J2]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set -XX:ActiveProcessorCount (HR402), which sizes the compilers too. A count of their own is
#     seldom needed: at least 2, and no more than the cores.
package headroom.rules.jvm["jvm-compiler-threads"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	not jvm.release_lacks(j) # it lacks the flag, and counts the node's with a limit too (HR401)
	j.c.cpu_limit == 0
	not j.flags.ActiveProcessorCount
	not j.flags.CICompilerCount
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": jvm.unless_set(
			j,
			"Neither a CPU limit nor -XX:ActiveProcessorCount nor -XX:CICompilerCount is set.",
		),
		"why": sprintf("The JIT compilers start threads for the node's cores: %s.", [jvm.compilers_on(j)]),
		"expected": sprintf("%s, which sizes these threads too", [_processors(j)]),
		"figures": {"cores": jvm.cores(j)},
		"fix": fix.processors(j, advice.processors(j)),
		"severity": _severity(j),
		"follows": ["jvm-processors"],
	}
}

_severity(j) := "info" if {
	jvm.few_on_nodes(j)
} else := jvm.absence(j, "warning")

_processors(j) := advice.in_place(j, advice.processors(j)) if {
	jvm.cores(j) > 0
} else := sprintf("%s (HR402)", [advice.in_place(j, "-XX:ActiveProcessorCount")])

report contains finding if {
	some j in jvm.judged
	flag := j.flags.CICompilerCount
	cores := jvm.cores(j)
	cores > 0
	most := max([2, cores])
	j.compiler_threads.value > most
	finding := {
		"container": j.container,
		"path": flag.path,
		"message": jvm.unless_set(j, sprintf("%s is more than the %s of the container (%s).", [
			jvm.origin(j, "CICompilerCount"),
			jvm.plural(cores, "core"),
			jvm.cores_text(j),
		])),
		"why": "Compiler threads take CPU from the code that they are to speed up; 2 are enough for both compilers.",
		"expected": sprintf("-XX:CICompilerCount=%v, or none", [most]),
		"figures": {"compiler_threads": j.compiler_threads.value, "cores": cores},
		"size": j.compiler_threads.value - most,
		"harm": jvm.threads_harm(j.c),
		"severity": jvm.as_set(j, "warning"),
	}
}
