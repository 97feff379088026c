# METADATA
# title: A program refuses the sizes that it is given
# description: |
#   Some servers add up their sizes when they start, and end where the sum does not fit: Dragonfly wants 256 MiB
#   of maxmemory for each thread (R72), the explicit sizes of a Flink task manager have to fit its process
#   size (R71), and Trino's query.max-memory-per-node beside its headroom the heap (R73). The container restarts
#   for ever. Where the number of threads is that of the node's cores, it depends on the node; `nodes: {cores: 16}`
#   in headroom.yaml says how many the largest one has.
# related_resources:
# - ref: https://nightlies.apache.org/flink/flink-docs-stable/docs/deployment/memory/mem_setup_tm/
#   description: Flink, memory of task managers
# custom:
#   id: HR508
#   severity: error
#   harm: start
#   certain: true
#   facts: [R71, R72, R73]
#   fixable: false
#   remediation: |
#     Give the parts less, or the whole more, as the finding says.
package headroom.rules.runtimes["runtime-will-not-start"]

import data.headroom.runtimes

report contains finding if {
	some stop in runtimes.stopped
	finding := object.union(object.remove(stop, ["c"]), {"container": stop.c.name})
}
