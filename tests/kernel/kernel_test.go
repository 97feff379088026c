// Package kernel_test compares the models with the kernel and with JVMs of this machine: the quota
// model with cpu.stat, the memory budget with what a cgroup is charged. Where the machine lets us
// make no cgroup, its tests are skipped and say so.
package kernel_test

import "github.com/headroom-dev/headroom/tests/kernel/record"

// evidence is what the tests of this run measured.
var evidence record.Evidence
