package headroom.rules.classification["annotation-invalid"]

import data.headroom.measured
import data.headroom.quantity
import data.headroom.words

complaints contains [entry, why, "a quantity such as 500m or 2"] if {
	some entry in _texts
	entry.reads == "cpu"
	why := _no_amount(entry.value, quantity.milli(entry.value))
}

complaints contains [entry, why, "a quantity such as 512Mi or 2Gi"] if {
	some entry in _texts
	entry.reads == "memory"
	why := _no_amount(entry.value, quantity.bytes(entry.value))
}

complaints contains [entry, why, "a number of cores such as 1 or 0.5"] if {
	some entry in _texts
	entry.reads == "cores"
	why := _no_amount(entry.value, quantity.milli(entry.value))
}

complaints contains [entry, why, "date=2026-11-27 over=7d of=cpu-average,memory-peak: headroom annotate"] if {
	some entry in _texts
	entry.reads == "dated"
	not entry.name in object.keys(measured.dated)
	why := sprintf("is %s, which headroom cannot read", [words.quoted(entry.value)])
}

_no_amount(text, amount) := sprintf("is %s, which %s", [words.quoted(text), reason]) if {
	amount < 0
	reason := quantity.parse(text).reason
} else := sprintf("is %s, less than nothing", [words.quoted(text)]) if {
	amount < 0
} else := sprintf("is %s, which says nothing: %s", [words.quoted(text), _read_as]) if {
	amount == 0
}

# The one amount of a Namespace is its allocation.
_read_as := "no Pod of this namespace may run" if {
	_namespace
} else := "it is read as not set"
