# METADATA
# title: The BEAM waits busily under a CPU limit
# description: |
#   Erlang's schedulers spin for a while before they sleep, and the CPU limit counts that as work. 50 processes that woke
#   each 2 to 5 ms took 376 ms of CPU a second under a limit of 500m, and 87 with `+sbwt none`; under 250m they were
#   throttled in each period, and in none with it (R42). The price is a little more time until a scheduler wakes up. Above
#   one CPU, without a limit, and for RabbitMQ, whose own script turns it off, this says nothing.
# related_resources:
# - ref: https://www.erlang.org/doc/apps/erts/erl_cmd.html
#   description: erl, its emulator flags +sbwt, +sbwtdcpu and +sbwtdio
# custom:
#   id: HR506
#   severity: info
#   harm: throttled
#   facts: [R42]
#   fixable: false
#   remediation: |
#     Add `+sbwt none +sbwtdcpu none +sbwtdio none` to ERL_FLAGS, or to vm.args of the release. Where vm.args in the image
#     has it, exempt the workload.
package headroom.rules.runtimes["beam-busy-wait"]

import data.headroom.cpu
import data.headroom.runtime.beam
import data.headroom.words

report contains finding if {
	some spin in beam.spins
	finding := {
		"container": spin.c.name,
		"path": spin.path,
		"message": concat(" ", array.concat(
			[sprintf("The BEAM's schedulers spin before they sleep (no +sbwt), and %s, which counts that as work.", [
				cpu.limit_words(spin.c),
			])],
			words.unless_hidden(false, spin.hidden),
		)),
		"expected": "ERL_FLAGS: +sbwt none +sbwtdcpu none +sbwtdio none, beside what it has, unless vm.args in the image has that",
		"figures": {"limit_millicores": spin.c.cpu_limit},
	}
}
