package headroom.explain

import data.headroom.classify
import data.headroom.cpu
import data.headroom.detail
import data.headroom.measured

# cpu_passing is what the row of its class asks for, in millicores as detail has it, and why.
cpu_passing(c) := {
	"cpu_request": wanted.wanted_request,
	"cpu_request_why": _request_why(c, cpu.row[c.id], wanted.wanted_request),
	"cpu_limit": wanted.wanted_limit,
	"cpu_limit_why": _limit_why(c, cpu.row[c.id], wanted.wanted_limit),
} if {
	wanted := detail.result[c.id].cpu
}

_request_why(c, null, _) := _no_row(c)

_request_why(c, row, wanted) := _why(c, object.get(row, "request", ""), wanted) if row != null

_limit_why(c, null, _) := _no_row(c)

_limit_why(c, row, wanted) := _why(c, _as_limit(object.get(row, "limit", "")), wanted) if row != null

# As a limit, what is measured is the peak.
_as_limit("measured") := "peak"

_as_limit(word) := word if word != "measured"

_no_row(c) := sprintf("no CPU rule applies to class %s", [classify.classes[c.id]])

_why(c, "none", _) := sprintf("class %s asks for none", [classify.classes[c.id]])

_why(c, "allocation", _) := sprintf("class %s asks for the tenant's allocation", [classify.classes[c.id]])

_why(c, word, wanted) := sprintf("class %s asks for %s; %s", [
	classify.classes[c.id],
	_word_text(word),
	_known_or_not(c, word, wanted),
]) if {
	not word in {"none", "allocation"}
}

_word_text(word) := sprintf("%v × its average use", [word.timesAverage]) if {
	word.timesAverage
} else := "its measured peak" if {
	word == "peak"
} else := "its measured average use" if {
	word == "measured"
} else := "its average use"

_known_or_not(c, "peak", wanted) := cpu.peak_words(c) if wanted != -1

_known_or_not(c, word, wanted) := cpu.average_words(c) if {
	word != "peak"
	wanted != -1
}

_known_or_not(c, _, -1) := measured.missing(c, "no annotation gives it")
