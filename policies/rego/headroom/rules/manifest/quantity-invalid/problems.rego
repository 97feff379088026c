package headroom.rules.manifest["quantity-invalid"]

import data.headroom.quantity
import data.headroom.words

# _problems of one `resources`: {path below it, why}, and what else a finding says of it.
_problems(resources) := {{"path": [], "why": _no_map(resources)}} if {
	_misshapen(resources)
} else := lists | quantities if {
	lists := {{"path": [list], "why": _no_map(resources[list])} |
		some list in ["requests", "limits"]
		_misshapen(resources[list])
	}
	quantities := {object.union(problem, {"path": [list, name]}) |
		some list in ["requests", "limits"]
		is_object(resources[list])
		some name, value in resources[list]
		not _usual(name, value)
		problem := _problem(name, value)
	}
}

# Less than 1000 cores, and less than 1 PiB: most quantities are like this, and in order.
_usual(name, value) if {
	is_string(value)
	regex.match(_usual_texts[name], value)
}

_usual_texts := {"cpu": `^(?:[0-9]{1,6}m|[0-9]{1,3}(?:\.[0-9]{1,3})?)$`, "memory": `^[0-9]{1,6}(?:[KMG]i|[kMG])$`}

# null is how a template says nothing.
_misshapen(x) if {
	not is_object(x)
	x != null
}

_no_map(x) := sprintf("is %s, not a map; the API server refuses it", [words.quoted(x)])

_problem(_, null) := {"why": "is null: whatever fills it in has left it empty, and it counts as not set"}

_problem(name, value) := {
	"why": sprintf("is the placeholder %s: its value is not known here, and was not judged", [words.quoted(value)]),
	"expected": "the manifest as it is applied: fill it in first (kustomize, envsubst, a template), and lint the result",
	"severity": "warning",
	"outcome": "possible",
	"harm": "style",
} if {
	words.placeholder(value)
} else := {"why": sprintf("%s %s; %s", [words.quoted(value), parsed.reason, _consequence(value)])} if {
	parsed := quantity.parse(value)
} else := {"why": sprintf("is %s, below 0; the API server refuses it", [words.quoted(value)])} if {
	quantity.parse(value).value < 0
} else := {
	"why": sprintf("is %s, which is %d cores; no node has more than 8192", [words.quoted(value), floor(given / 1000)]),
	"figures": {"given_millicores": given, "most_millicores": quantity.most_millicores},
} if {
	name == "cpu"
	given := quantity.milli(value)
	given > quantity.most_millicores
} else := {
	"why": sprintf("is %s, which is %d PiB; no node has more than 4", [words.quoted(value), bits.rsh(given, 50)]),
	"figures": {"given_bytes": given, "most_bytes": quantity.most_bytes},
} if {
	name == "memory"
	given := quantity.bytes(value)
	given > quantity.most_bytes
} else := {
	"why": sprintf("is %s; devices come whole, and the API server refuses a part of one", [words.quoted(value)]),
} if {
	contains(name, "/")
	parsed := quantity.parse(value)
	floor(parsed.value) != parsed.value
}

# What the guard stops, Kubernetes may well accept, and then choke on.
_consequence(value) := "programs that compare such a number have hung on it" if {
	not quantity.guarded(value)
	type_name(value) in {"string", "number"}
} else := "the API server refuses it"
