package main

import "github.com/headroom-dev/headroom/tests/harness/record"

// missing names the facts that stand in no table above.
func (d *document) missing(seen *record.Evidence) {
	m := seen.Machine
	d.text(`
## What is not shown

| fact | why, and what holds it |
|---|---|
| T5, how cpu.stat is read | a division; policies/engine/vectors has the facts' two examples, and the policies are held to them |
| T6, P99 and the shares of periods | take the service, 32 processors and 5000 requests a second: above beside the model's one pause only |
| T7, the same service without a limit | a measurement of that service; the model can only say that without a quota nothing is throttled |
| T9, P99; T12, 8 workers on 6.4 and 8 cores | measurements of services that are not described well enough to be simulated |
| T11, run times | the model's threads have no end that could come sooner |
| T13, Go: 96 threads at 3 %% each | threads that sleep and wake, which the pool layer does not have; HR501 rests on the fact alone |
| T14, thresholds of alerts | a convention, which nothing here can confirm |
| J1, J2, defaults of JVMs | tests/integration/jvm starts real JVMs of each release and holds the policies to what they print: 23 collector and 15 compiler threads for 32 processors, where the chapter has 25 and 12 |
| J3, one service before and after | a measurement of that service; the policies take its flags for an example |
| M2, what is healthy | a convention |

Not measured at all: cgroup v%d, more than %d processors, other containers on the same node.`, 3-m.Cgroup, m.Processors)
}
