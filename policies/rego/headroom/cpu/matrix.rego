package headroom.cpu

import data.headroom.config
import data.headroom.exempt
import data.headroom.measured
import data.headroom.quantity
import data.headroom.words
import data.headroom.workload

# What the rules that hold containers against their rows have in common: which values may
# be compared with one container's use, where they stand, and how they are said.

# times is the factor by which a row's word multiplies the average. Undefined for words
# that do not speak of the average.
times("average") := 1

times("measured") := 1

times(word) := word.timesAverage if is_number(word.timesAverage)

# limited is true where any container has a CPU limit of any size, from any source.
limited if {source | source := workload.containers[_].cpu_limit_source} - {""} != set()

# asked are the words of all rows of the containers for requests and limits. A rule looks here
# first and skips rows that no container has.
asked := {word | word := row[_][_]}

asked_of_limits := {word | word := row[_].limit}

# running are the containers that run beside each other.
running := [c | some c in workload.containers; c.role != "init"]

# shared says that a value is the whole Pod's while several containers draw on it, so that
# it cannot be held against what one of them uses.
shared("pod") if count(running) > 1

# pinned says that a container gets whole cores of its own, the alternative to no limit (T12). The
# static CPU manager gives them to a container of a Guaranteed Pod that asks for an integer number
# of CPUs. Its limit throttles nothing.
pinned(c) if {
	_cpu_manager == "static"
	c.cpu_limit % 1000 == 0
	guaranteed
}

# _cpu_manager is the policy of the nodes' CPU manager, as an annotation says it or every KubeletConfiguration beside
# the workload. Of several that differ, which one is its node's is not known.
_cpu_manager := workload.annotations["headroom.dev/cpu-pinning"]

_cpu_manager := policies[0] if {
	not workload.annotations["headroom.dev/cpu-pinning"]
	policies := [p | some p in {object.get(k, "cpuManagerPolicy", "none") | some k in workload.context.kubelets}]
	count(policies) == 1
}

# guaranteed says that the Pod has the QoS class of that name. Every container, init containers too, has CPU and
# memory limits of its own and asks for all of them.
guaranteed if {
	workload.containers[0]
	every c in workload.containers {
		c.cpu_limit_source != "pod"
		c.cpu_limit > 0
		c.cpu_request == c.cpu_limit
		c.memory_limit > 0
		c.memory_request == c.memory_limit
	}
}

# loses_limit says that HR202 wants a container's CPU limit away, and nothing exempts it from that.
# What follows from the limit is then judged as it will be without one, so that no advice undoes
# another.
default loses_limit(_) := false

loses_limit(c) if {
	row[c.id].limit == "none"
	c.cpu_limit > 0
	c.cpu_limit_source in {"container", "pod"}
	not pinned(c)
	not exempt.rules.HR202
	not exempt.from_comment("HR202", workload.located(limit_path(c)))
	not exempt.from_config("HR202", "latency-cpu-limit", c.name)
	config.severity("HR202", "latency-cpu-limit", "error") != "off"
}

# without_limit is a container as HR202 will leave it, with the limit that it had as lost_limit.
without_limit(c) := object.union(c, {"cpu_limit": 0, "lost_limit": c.cpu_limit}) if loses_limit(c)

without_limit(c) := c if not loses_limit(c)

# limit_path and request_path are where a value stands or, if it does not, should stand.
limit_path(c) := array.concat(_owner_path(c, c.cpu_limit_source), ["resources", "limits", "cpu"])

request_path(c) := array.concat(_owner_path(c, c.cpu_request_source), ["resources", "requests", "cpu"])

_owner_path(_, "pod") := workload.spec_path

_owner_path(c, source) := c.path if source != "pod"

# limit_words and request_words say an effective value and what set it.
limit_words(c) := "there is no CPU limit" if {
	c.cpu_limit == 0
} else := sprintf(_limit_words[c.cpu_limit_source], [quantity.format_cpu(c.cpu_limit)])

_limit_words := {
	"container": "limits.cpu is %s",
	"limit-range": "limits.cpu is not set, and the namespace's LimitRange makes it %s",
	"pod": "limits.cpu of the Pod is %s",
}

request_words(c) := "there is no CPU request" if {
	c.cpu_request == 0
} else := sprintf(_request_words[c.cpu_request_source], [quantity.format_cpu(c.cpu_request)])

_request_words := {
	"container": "requests.cpu is %s",
	"limit": "requests.cpu is not set, so Kubernetes makes it the limit, %s",
	"limit-range": "requests.cpu is not set, and the namespace's LimitRange makes it %s",
	"pod": "requests.cpu of the Pod is %s",
}

# average_words say an average, or that it is not known, and peak_words a known peak, with where it is from.
average_words(c) := sprintf("its average use is %s (%s)", [
	quantity.format_cpu(average[c.id].milli),
	average[c.id].text,
]) if {
	measured.counts(c.name, "cpu_average")
} else := sprintf("its average use is %s, as measured (%s%s)", [
	quantity.format_cpu(average[c.id].milli),
	average[c.id].text,
	measured.doubt(c, "; %s"),
]) if {
	average[c.id].milli > 0
} else := sprintf("its average use is not known (%s)", [measured.missing(c, "no annotation gives it")])

peak_words(c) := sprintf("its peak is %s (%s)", [
	quantity.format_cpu(peak[c.id]),
	measured.containers[c.name].text,
]) if {
	measured.counts(c.name, "cpu_peak")
} else := sprintf("its measured peak is %s (cpu-peak.headroom.dev/%s%s)", [
	quantity.format_cpu(peak[c.id]),
	c.name,
	measured.doubt(c, "; %s"),
])

# not_measured is the text for a value that neither an annotation nor a measurement gives.
not_measured(c, what) := sprintf("its %s, which was not measured", [trim_prefix(what, "measured ")]) if {
	workload.measured
	measured.doubt(c, "%s") == ""
} else := sprintf("its %s, not known yet%s (headroom annotate: %s.headroom.dev/%s)", [
	what,
	measured.doubt(c, ": %s"),
	concat("-", ["cpu", regex.replace(what, `^.* `, "")]),
	c.name,
])

# measurement says, behind an average, who measured it; "" where no measurement gives it.
measurement(c) := concat("", [", ", average[c.id].text]) if {
	measured.counts(c.name, "cpu_average")
} else := measured.doubt(c, "; %s")

# band says which values are within the tolerance of what is wanted.
band(wanted) := sprintf("%v %% either way passes: %s to %s", [
	tolerance_permille / 10,
	quantity.format_cpu(ceil((wanted * (1000 - tolerance_permille)) / 1000)),
	quantity.format_cpu(floor((wanted * (1000 + tolerance_permille)) / 1000)),
])

# said makes a message of what is and why it matters.
said(facts) := sprintf("%s.", [sentence(concat("; ", facts))])

# sentence begins with a capital, unless it begins with the name of a field.
sentence(text) := text if {
	strings.any_prefix_match(text, ["limits.", "requests."])
} else := words.capital(text)

# product shows how a wanted value came about, where it is not the average itself.
product(1, _) := ""

product(factor, milli) := sprintf(", %v × the average of %s", [factor, quantity.format_cpu(milli)]) if factor != 1
