package headroom.memory

# metaspace holds class metadata, without an upper bound unless MaxMetaspaceSize sets one.
metaspace(j) := _under_cap(j, "MaxMetaspaceSize", _classes(j))

# The number of classes, where it is declared, tells: 5.8 kB each and 14 MB (Paketo's calculator).
_classes(j) := {
	"name": "metaspace",
	"mib": estimate,
	"least_mib": estimate,
	"bound_mib": estimate,
	"source": "annotation",
	"flag": "",
	"assumed": false,
} if {
	estimate := mebibytes((j.facts.classes * bytes_of_a_class) + bytes_of_no_class)
} else := {
	"name": "metaspace",
	"mib": usual.metaspace,
	"least_mib": least.metaspace,
	"bound_mib": unbounded_metaspace_mib,
	"source": "assumed",
	"flag": "",
	"assumed": true,
}

bytes_of_a_class := 5800

bytes_of_no_class := 14000000

# What is counted as the bound of what has none.
unbounded_metaspace_mib := 256
