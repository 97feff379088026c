package headroom.runtime.jvm

# A release between two that were measured is taken to refuse what both its neighbours refuse.
supported := [8, 11, 17, 21, 25]

every_release := {8, 11, 17, 21, 25, 26, 28}

since_11 := {11, 17, 21, 25, 26, 28}

# startup lists what keeps a JVM from starting: {flags, reason, versions, all, path, settled, wants}. versions
# are those of 8, 11, 17, 21 and 25 that refuse, or the declared one. all says that no
# candidate is left that would start, settled that values which win are refused, and not a word as it stands. wants is
# what every release takes instead, "" where no value is at fault.
startup(jvm) := [entry |
	not _tells_and_ends(jvm)
	refusals := _refusals(jvm)
	candidates := _left_of(_possible(jvm), refusals)
	some r in refusals
	not _of_image(r)
	not jvm.version in object.get(r, "takes", set())
	refusing := [v | some v in candidates; r.refusing[v]]
	entry := _entry_of(r, refusing, candidates, jvm.version)
]

# With these words java tells of itself and ends, before it looks at other flags: some wherever they stand, the
# others before the first flag (measured).
_tells_and_ends(jvm) if {
	some s in jvm.sources
	s.name == "command line"
	some i, word in words_of(s)
	_ends_at(word, i)
}

_ends_at(word, _) if word in {"-Xinternalversion", "-fullversion"}

_ends_at(word, 0) if {
	word in {"-X", "-Xlog:help", "-version", "--version", "-help", "-h", "-?", "--help", "--help-extra"}
}

_entry_of(r, refusing, candidates, version) := {
	"flags": r.flags,
	"reason": r.reason,
	"path": r.path,
	"settled": r.settled,
	"wants": object.get(r, "wants", ""),
	"versions": refusing,
	"all": _all_refuse(r, refusing, candidates),
} if {
	version == 0
	count(refusing) > 0
} else := {
	"flags": r.flags,
	"reason": r.reason,
	"path": r.path,
	"settled": r.settled,
	"wants": object.get(r, "wants", ""),
	"versions": [version],
	"all": true,
} if {
	count(refusing) == count(candidates)
}

# Without a release, one after 25 may run as well.
_all_refuse(r, refusing, candidates) if {
	count(refusing) == count(candidates)
	every v in newer {
		r.refusing[v]
	}
} else := false

newer := {26, 28}

# candidates_of are the releases that it may be.
candidates_of(jvm) := _left_of(_possible(jvm), _refusals(jvm))

# none_starts: several flags, each refused by some releases, may leave no release that starts.
none_starts(jvm) if {
	refusals := _refusals(jvm)
	own := [r | some r in refusals; not _of_image(r)]
	every v in array.concat(_left_of(_possible(jvm), refusals), [v | jvm.version == 0; some v in newer]) {
		some r in own
		r.refusing[v]
	}
}

# What an image's tag says rules out older ones.
_possible(jvm) := [v | some v in considered(jvm.version); v >= object.get(jvm, "least_version", 0)] if {
	jvm.version == 0
} else := considered(jvm.version)

# An image starts with its own options, so that it holds none of the releases that refuse one of them.
_left_of(candidates, refusals) := left if {
	left := [v | some v in candidates; not _refused_by_image(refusals, v)]
	count(left) > 0
} else := candidates

_refused_by_image(refusals, release) if {
	some r in refusals
	_of_image(r)
	r.refusing[release]
}

# Of two options that contradict each other one may be the manifest's.
_of_image(r) if {
	count(r.flags) == 1
	r.path[count(r.path) - 1] == "image"
}

considered(version) := supported if {
	version == 0
} else := [version] if {
	version in every_release
} else := [v | some i, v in measured; _beside(version, i)]

_beside(version, i) if i == count([v | some v in measured; v < version]) - 1

_beside(version, i) if i == count([v | some v in measured; v < version])

# refused_by are [flags, release] for every release that would not start, 26 and 28 too.
refused_by(jvm) := {[r.flags, release] | some r in _refusals(jvm); some release in r.refusing}

# lifted says that something out of sight may let a JVM start that is refused here: another value, or
# -XX:+IgnoreUnrecognizedVMOptions. With that, names that no JVM knows are passed over.
lifted(j, entry) if {
	count(curing(j, entry)) > 0
	entry.settled
}

lifted(j, entry) if {
	count(stronger(j, "")) > 0
	not entry.settled
	not _still_refused(j, entry.flags)
}

# curing are the places out of sight that may cure what is refused. Of flags that contradict each other, and nothing
# else, one must be overridden: a source weaker than both cannot. -XX:+IgnoreUnrecognizedVMOptions counts from anywhere.
curing(j, entry) := stronger_than(j, min({rank |
	some name, flag in j.flags
	flag_text(j, name) in entry.flags
	rank := max({s.rank | some s in j.sources; s.name == flag.source})
})) if {
	entry.reason in {_above_maximum, one_collector}
} else := stronger(j, "")

_still_refused(j, flags) if {
	some entry in startup(_ignoring(j))
	entry.flags == flags
	entry.all
}

# Java 8 looks for that flag in the source of the other, later releases anywhere.
_ignoring(j) := object.union(j, {
	"flags": object.union(j.flags, {"IgnoreUnrecognizedVMOptions": {"value": "+", "source": "", "path": []}}),
	"sources": [object.union(s, {"options": object.union({"-XX:IgnoreUnrecognizedVMOptions": ["+"]}, s.options)}) |
		some s in j.sources
	],
})

_refusals(jvm) := [object.union(r, {"settled": settled}) |
	some settled, lists in {
		false: [_flag_refusals(jvm), _option_refusals(jvm), _missing_values(jvm), _text_refusals(jvm), _told_refusals(jvm)],
		true: [
			_heap_refusals(jvm),
			_min_above_initial(jvm),
			_thread_refusals(jvm),
			_size_refusals(jvm),
			_relation_refusals(jvm),
			_generation_refusals(jvm),
		],
	}
	some list in lists
	some r in list
	count(r.refusing) > 0
]
