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
	estimate := mebibytes((j.facts.classes * 5800) + 14000000)
} else := {"name": "metaspace", "mib": 256, "source": "assumed", "flag": "", "assumed": true}
