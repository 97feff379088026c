package headroom.memory

# direct is memory outside the heap that the program asks for (NIO, Netty). Unset, the JVM
# allows as much as the heap; an explicit 0 is none at all (M4).
direct(j, heap_bytes) := {
	"name": "direct",
	"mib": mebibytes(cap),
	"source": "flag",
	"flag": "MaxDirectMemorySize",
	"assumed": false,
} if {
	cap := j.numbers.MaxDirectMemorySize
	cap >= 0
} else := {"name": "direct", "mib": mebibytes(heap_bytes), "source": "JVM default", "flag": "", "assumed": true}
