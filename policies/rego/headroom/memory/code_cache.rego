package headroom.memory

import data.headroom.runtime.jvm

# code_cache holds what the JIT compilers produce: up to 240 MiB, or 48 with only one compiler or
# none (M4).
code_cache(j, heap_bytes) := _under_cap(
	j, "ReservedCodeCacheSize",
	seen_region(j, "code cache", "code_cache", mebibytes(j.facts.code_cache)),
) if {
	j.facts.code_cache
} else := _under_cap(j, "ReservedCodeCacheSize", object.union(found, {
	"name": "code cache",
	"mib": min([found.mib, bound]),
	"bound_mib": bound,
	"flag": "",
})) if {
	bound := _default_code_cache_mib(j)
	found := region(j, "code cache", heap_bytes)
}

_default_code_cache_mib(j) := 32 if {
	jvm.as_client(j.flags, j.sources, j.version)
} else := 48 if {
	jvm.small_code_cache(j)
} else := 240
