# METADATA
# title: Processes
# description: |
#   What is true of any program that a container starts: the words of its command (`words`), the programs that they come
#   to run behind wrappers and through shells (`calls`), the variables that each of them gets (`variable`, `arrived`)
#   and the files that volumes put before it (`mounted`). Nothing here knows an image or a runtime. What stands beside a
#   container in the input is read in `beside.rego` alone.
package headroom.process
