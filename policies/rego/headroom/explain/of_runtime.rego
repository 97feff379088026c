package headroom.explain

_of_runtime(c, []) := {
	"flags": [],
	"properties_hidden": 0,
	"options_hidden": 0,
	"jvm": null,
	"burst": null,
	"passing": passing_of_any(c),
	"unknown": unknown_of_any(c),
}

_of_runtime(c, [j]) := {
	"flags": flags(j),
	"properties_hidden": properties_hidden(j),
	"options_hidden": options_hidden(j),
	"jvm": jvm_line(j),
	"burst": gc_burst(j),
	"passing": passing_of_jvm(j),
	"unknown": array.concat(unknown_of_any(c), unknown_of_jvm(j)),
}
