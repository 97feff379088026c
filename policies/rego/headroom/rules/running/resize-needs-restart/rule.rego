# METADATA
# title: Resized under a running process
# description: |
#   A resize changes the limits of a container that goes on running. A process works out much by the limits that it
#   finds as it starts, and keeps it: a JVM its heap, its collector and the threads of its pools, a cache or a
#   database that is given a share of the memory its size, Go its GOMEMLIMIT. So a memory limit that is lowered below
#   what the process was started for is an error: it may grow to the old size, and is OOMKilled. A limit that is
#   raised gives a heap nothing before a restart, and other CPUs change neither -XX:ActiveProcessorCount nor the
#   threads that the JVM has (J12); these are warnings. A VerticalPodAutoscaler that updates in place resizes as its
#   own user does, and is judged alike. A resizePolicy of RestartContainer restarts the process, so that nothing is
#   said.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/
#   description: Resize CPU and memory of containers
# custom:
#   id: HR606
#   severity: error
#   harm: OOMKilled
#   certain: true
#   facts: [M1, J3, J12]
#   remediation: |
#     Change the limit in the workload, which replaces its Pods, or give the container resizePolicy:
#     [{resourceName: memory, restartPolicy: RestartContainer}] there, so that a resize restarts it.
package headroom.rules.running["resize-needs-restart"]

import data.headroom.resize
import data.headroom.workload

report contains finding if {
	workload.before
	some finding in array.concat(resize.of_memory, resize.of_cpu)
}
