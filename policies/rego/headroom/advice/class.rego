package headroom.advice

import data.headroom.words
import data.headroom.workload

# allowed_class is a class that a namespace lets its workloads have.
allowed_class(allowed) := sprintf("one of %s", [words.listed_shown(allowed)]) if count(allowed) > 0

allowed_class(allowed) := "a class in headroom.dev/allowed-classes of the Namespace" if count(allowed) == 0

# judged_kind is a kind that headroom judges, in the place of one that it does not.
judged_kind := sprintf("one of the kinds of %s: %s", [workload.api_version, words.listed(workload.kinds)]) if {
	workload.kinds
} else := "the Pods themselves linted, or judged by headroom's webhook as they are created"
