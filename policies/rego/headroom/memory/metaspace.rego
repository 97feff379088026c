package headroom.memory

# metaspace holds class metadata, without an upper bound unless MaxMetaspaceSize sets one.
# Without it, the number of classes tells: 5.8 kB each and 14 MB (Paketo's calculator).
metaspace(j) := {
	"name": "metaspace",
	"mib": mebibytes(cap),
	"source": "flag",
	"flag": "MaxMetaspaceSize",
	"assumed": false,
} if {
	cap := j.numbers.MaxMetaspaceSize
	cap > 0
} else := {"name": "metaspace", "mib": estimate, "source": "annotation", "flag": "", "assumed": true} if {
	estimate := mebibytes((j.facts.classes * bytes_of_a_class) + bytes_of_no_class)
} else := {"name": "metaspace", "mib": 256, "source": "assumed", "flag": "", "assumed": true}

bytes_of_a_class := 5800

bytes_of_no_class := 14000000
