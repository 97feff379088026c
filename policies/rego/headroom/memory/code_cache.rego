package headroom.memory

import data.headroom.runtime.jvm

# code_cache holds what the JIT compilers produce: 240 MiB, or 48 with only one compiler or
# none (M4).
code_cache(j) := {
	"name": "code cache",
	"mib": mebibytes(cap),
	"source": "flag",
	"flag": "ReservedCodeCacheSize",
	"assumed": false,
} if {
	cap := j.numbers.ReservedCodeCacheSize
	cap > 0
} else := {"name": "code cache", "mib": 48, "source": "JVM default", "flag": "", "assumed": true} if {
	jvm.small_code_cache(j)
} else := {"name": "code cache", "mib": 240, "source": "JVM default", "flag": "", "assumed": true}
