package headroom.diagnose

# direct_cap is [bytes, what sets it]: unset, the JVM allows as much as the heap (M4).
direct_cap := [input.read.flags.MaxDirectMemorySize, "MaxDirectMemorySize"] if {
	positive(input.read.flags.MaxDirectMemorySize)
} else := [most_heap, "the maximum heap, as MaxDirectMemorySize is not set"] if {
	is_object(input.read.flags)
}

# Native memory tracking counts direct buffers as Other since Java 11, with whatever else the
# program takes by Unsafe.
direct := judged("direct-memory", bytes, direct_cap[0], mib(bytes), message, fix) if {
	bytes := number(input.read.native.Other)
	message := sprintf("Direct memory takes %s of %s: %s.", [mib(bytes), mib(direct_cap[0]), direct_cap[1]])
	fix := "Raise MaxDirectMemorySize, and the limit with it (M1), or find who keeps the buffers."
} else := unknown("direct-memory", "native memory tracking is off", _direct_tells) if {
	input.read.native.off == true
} else := unknown("direct-memory", "before Java 11, native memory tracking does not tell it apart", _direct_tells) if {
	is_object(input.read.native)
	is_object(input.read.flags)
} else := unknown("direct-memory", why(["VM.native_memory", "VM.flags"]), _direct_tells)

_direct_tells := concat(" ", [
	"-XX:NativeMemoryTracking=summary makes `jcmd PID VM.native_memory` tell, for a few percent of speed;",
	"so does the bean java.nio:type=BufferPool,name=direct.",
])
