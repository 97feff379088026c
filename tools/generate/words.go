package main

// word is what an editor shows of a key, and a value to begin with.
type word struct{ says, example string }

// words are those of all keys that HR105 reads, by where they stand. A key without words
// stops the generator.
var words = map[string]word{
	"workload workload-class": {
		"What kind of workload this is. Requests and limits that are right follow from it.", "latency-sensitive",
	},
	"workload class.": {
		"What kind of workload one container is; it wins over headroom.dev/workload-class.", "sidecar",
	},
	"workload cpu-average": {
		"Measured average CPU use of the main container, a quantity such as 700m.", "700m",
	},
	"workload cpu-average.": {"Measured average CPU use of one container, a quantity such as 700m.", "700m"},
	"workload cpu-peak.":    {"Measured peak CPU use of one container, a quantity such as 1500m.", "1500m"},
	"workload memory-peak.": {"Measured peak memory of one container, a quantity such as 900Mi.", "900Mi"},
	"workload measured.": {
		"When the values of one container were measured, over what time, and which of them: headroom annotate writes it.",
		"date=2026-11-27 over=7d of=cpu-average,cpu-peak,memory-peak",
	},
	"workload cpu-allocation": {
		"The CPU that a tenant pays for, for each Pod: what the limits of a multi-tenant Pod add up to. " +
			"Not more than the Namespace allocates.", "4",
	},
	"workload cpu-pinning": {
		"static: the node's CPU manager pins whole cores to the container, so its CPU limit may stay.", "static",
	},
	"workload runtime.": {
		"What runs in one container. Facts may follow: go version=1.24 names the go line of go.mod.", "jvm",
	},
	"workload cores-per-worker.": {
		"Cores that one worker of a pool needs; default 1. Workers times this should not be over the cores.", "500m",
	},
	"workload inject.": {
		"Caps that headroom may add to a JVM's flags. A cap can kill a process that needed more.", "metaspace, direct",
	},
	"workload ignore.": {
		"Exempts from a rule, by its ID or slug. The value is the reason; until=2027-01-31; may stand before it. " +
			"Without a reason in words, or past its day, it exempts nothing.", "until=2027-01-31; billed by limit",
	},
	"workload applied": {"Written by headroom's webhook: which rules changed what. Never read.", ""},

	"namespace default-class": {"The class of workloads that say none.", "latency-sensitive"},
	"namespace allowed-classes": {
		"The classes that workloads may have, said or inferred, with commas between them.", "batch, cron",
	},
	"namespace cpu-allocation": {
		"The CPU that a tenant pays for: no Pod of this namespace may have more. What cannot be read allocates nothing.", "4",
	},
	"namespace allow-ignore": {
		"The rules that workloads may exempt themselves from, with commas between them; without it, every rule but " +
			"those that bound tenants.",
		"HR407, HR408",
	},

	"label mode": {
		"What headroom's webhook does with findings here: off, audit (a record alone), warn whoever applies, " +
			"or enforce: errors are refused.", "",
	},
	"label mutate": {"Whether Pods are fixed when they are created.", ""},
}
