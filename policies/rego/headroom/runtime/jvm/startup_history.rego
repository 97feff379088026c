package headroom.runtime.jvm

# Flags that came to a release with an update, or were in no release between two that were measured: the first update
# that takes them, and where that is written. A release without one never had them.
_came_with := {
	"ActiveProcessorCount": {"8": 191, "9": "JDK 10", "source": "JDK-8146115"},
	"UseContainerSupport": {"8": 191, "9": "JDK 10", "source": "JDK-8146115"},
	"PreferContainerQuotaForCPUCount": {"8": 191, "9": "JDK 10", "source": "JDK-8197867"},
	"InitialRAMPercentage": {"8": 191, "9": "JDK 10", "source": "JDK-8186248"},
	"MaxRAMPercentage": {"8": 191, "9": "JDK 10", "source": "JDK-8186248"},
	"MinRAMPercentage": {"8": 191, "9": "JDK 10", "source": "JDK-8186248"},
	"UseCGroupMemoryLimitForHeap": {"8": 131, "source": "JDK-8170888"},
	"ExitOnOutOfMemoryError": {"8": 92, "source": "JDK-8138745"},
	"CrashOnOutOfMemoryError": {"8": 92, "source": "JDK-8138745"},
	"UseStringDeduplication": {"8": 20, "source": "JDK-8029075"},
	"UseContainerCpuShares": {"11": 17, "17": 5, "source": "JDK-8281181"},
}

# _too_early speaks of a declared update, or a release between, that is older than a flag.
_too_early(jvm) := [r |
	some release in [object.get(jvm, "release", {})]
	some s in jvm.sources
	some option, values in s.options
	row := _came_with[substring(option, 4, -1)]
	first := row[sprintf("%v", [release.feature])]
	_before(release, first)
	reason := sprintf("it came with %s (%s)", [_first_text(release.feature, first), row.source])
	refusing := {v | some v in considered(release.feature)}
	r := refusal(s, option, values[0], reason, refusing - _rescued(jvm, s))
]

_before(release, first) if {
	is_number(first)
	release.update > 0
	release.update < first
}

_before(_, first) if is_string(first)

_first_text(_, first) := first if is_string(first)

_first_text(8, first) := sprintf("8u%v", [first]) if is_number(first)

_first_text(feature, first) := sprintf("%v.0.%v", [feature, first]) if {
	is_number(first)
	feature != 8
}
