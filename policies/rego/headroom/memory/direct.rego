package headroom.memory

import data.headroom.runtime.jvm

# direct is memory outside the heap that the program asks for (NIO, Netty). Unset, the JVM
# allows as much as the heap; an explicit 0 is none at all (measured).
direct(j, _) := {"name": "direct", "mib": mebibytes(cap), "source": "flag", "flag": "MaxDirectMemorySize", "assumed": false} if {
	j.flags.MaxDirectMemorySize
	cap := jvm.size(j.flags, "MaxDirectMemorySize")
	cap >= 0
}

direct(j, heap_bytes) := {"name": "direct", "mib": mebibytes(heap_bytes), "source": "JVM default", "flag": "", "assumed": true} if {
	not jvm.size(j.flags, "MaxDirectMemorySize") >= 0
}
