package headroom.fix

import data.headroom.cpu
import data.headroom.runtime.jvm

# processors is the fix that gives a JVM without a CPU limit its processor count, unless it is
# about to get a limit, which tells it as much. What it uses has to be known, as too few processors would slow it down.
# The count must not make other flags wrong, or refuse to start: ConcGCThreads may not be more than the
# ParallelGCThreads that follow from it, CICompilerCount not over twice it.
processors(j, flag) := by_limit(j.c) if {
	limit_changes(j.c)
} else := [flags(j, [flag])] if {
	max([j.c.cpu_limit, cpu.average[j.c.id].milli]) > 0
	jvm.may_inject(j, [flag])
	not worsens(j, [flag])
} else := []

# pair is the fix that sizes both kinds of GC threads, for the cores that there will be. A quota could be used up by
# them faster, as far as pauses are long. So they are sized only without a quota, where the cores follow from a known
# use.
pair(j) := [] if {
	not jvm.pair_may_be_injected(j)
} else := by_limit(j.c) if {
	limit_changes(j.c)
} else := [] if {
	# Threads for no limit would stay when the limit comes.
	_limit_left_alone(j)
} else := [flags(j, added)] if {
	j.c.cpu_limit == 0
	cpu.average[j.c.id].milli > 0
	added := jvm.pair(j, jvm.thread_room(j))
	not worsens(j, added)
} else := []

# HR204 wants another limit, and no fix makes it: its peak is not known, or the JVM would take Serial.
_limit_left_alone(j) if {
	some report in data.headroom.rules.cpu["batch-cpu-limit"].report
	report.container == j.container
	_in_force("batch-cpu-limit", report)
}

# worsens says whether flags would make a JVM worse.
worsens(j, added) if worse(complaints(j), complaints(jvm.changed(j, j.c, added)))

# steady_processors is the fix that gives a JVM the processors that it has after a startup boost. It must not make it
# take another collector than it has with the boost.
steady_processors(j, flag, boost) := processors(j, flag) if {
	boosted := object.union(j.c, {"cpu_limit": boost.milli})
	jvm.changed(j, boosted, []).gc == jvm.changed(j, j.c, [flag]).gc
} else := []
