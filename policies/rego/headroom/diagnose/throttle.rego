package headroom.diagnose

import data.headroom.cpu

# counted are the CFS counters to judge. These are the differences between two samples (T5). If
# there is one sample alone, or the second counts from anew, they are all since the container
# started.
default counted := {"known": false}

counted := {"periods": periods, "throttled": cut, "ns": ns, "since": _between, "known": true} if {
	periods := number(input.read.cpu_later.periods) - number(input.read.cpu.periods)
	cut := number(input.read.cpu_later.throttled) - number(input.read.cpu.throttled)
	ns := number(input.read.cpu_later.throttled_ns) - number(input.read.cpu.throttled_ns)
	min([cut, ns, periods]) >= 0
} else := object.union(_newest, {"since": "since the container started", "known": true})

# _newest are all that were ever counted, in the later of the samples that are there.
_newest := [{"periods": periods, "throttled": cut, "ns": ns} |
	some name in ["cpu_later", "cpu"]
	periods := number(input.read[name].periods)
	cut := number(input.read[name].throttled)
	ns := number(input.read[name].throttled_ns)
][0]

_between := sprintf("in %v s", [input.read.seconds]) if {
	positive(input.read.seconds)
} else := "between the two samples"

# throttled is the share of periods in which the container used its quota up.
throttled := verdict("cpu-throttled", said[0], share(counted.throttled, counted.periods), message, said[2]) if {
	counted.periods > 0
	said := _throttle_verdict(counted.throttled, counted.periods)
	parts := [counted.throttled, counted.periods, counted.since, said[1]]
	message := sprintf("%v of %v periods %s were throttled%s", parts)
} else := verdict("cpu-throttled", "ok", "no CPU limit", "Without a CPU limit nothing is throttled.", "") if {
	input.read.quota_us == -1
} else := unknown("cpu-throttled", _idle, "Diagnose it while it works, or longer (--interval).") if {
	counted.known
} else := unknown("cpu-throttled", why(["cpu.stat"]), "cAdvisor's container_cpu_cfs_throttled_periods_total tells.")

# A JVM that starts is always throttled, so that all since the start would be no verdict.
_idle := sprintf("nothing ran %s; since it started, %v of %v periods were throttled", [
	counted.since,
	_newest.throttled,
	_newest.periods,
])

# mean_throttle is how long a request may stand still in such a period, at most. The kernel adds up what each CPU
# waited on which the quota had run out. The sum is that of one standstill only where it was one CPU, and no
# standstill is longer than its period. No length is wrong by itself, so that it warns where their share does.
mean_throttle := verdict("cpu-mean-throttle", throttled.status, sprintf("at most %v ms", [wait]), message, "") if {
	min([counted.throttled, counted.periods]) > 0
	exact := cpu.stat(counted.periods, counted.throttled, counted.ns).mean_throttle_ms
	wait := round(min([exact, _period_ms]) * 10) / 10
	total := round(counted.ns / 1000000)
	message := sprintf("%v ms in all, summed over the CPUs: %s %v ms at most on average%s.", [
		total,
		"in a throttled period it is stopped for",
		wait,
		{true: sprintf(", the whole period of %v ms", [_period_ms]), false: ""}[exact >= _period_ms],
	])
} else := verdict("cpu-mean-throttle", "ok", "0 ms", "Nothing was throttled.", "") if {
	throttled.status == "ok"
} else := object.union(throttled, verdict("cpu-mean-throttle", throttled.status, "", throttled.message, throttled.fix))

# The kubelet's default (T1).
default _period_ms := 100

_period_ms := input.read.period_us / 1000 if positive(input.read.period_us)
