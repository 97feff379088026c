# METADATA
# title: Processes
# description: |
#   What is true of any program that a container starts: the words of its command (`words`), the programs that they
#   come to run behind wrappers and through shells (`calls`), the variables that each of them gets (`variable`,
#   `arrived`) and the files that volumes put before it (`mounted`). All of it is computed from a container as workload
#   has it, with what stands beside it: nothing here knows an object, an image or a runtime.
package headroom.process
