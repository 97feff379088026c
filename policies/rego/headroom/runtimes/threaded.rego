package headroom.runtimes

import data.headroom.environment
import data.headroom.images
import data.headroom.process
import data.headroom.registry

# threaded are containers with many threads that allocate by glibc's malloc, whose arenas nothing bounds (R24):
# {c, text}, as runtimes tell them in `allocators`.
threaded := [allocator |
	some name in registry.names
	some allocator in data.headroom.runtime[name].allocators
	allocator.c.role != "init"
	allocator.c.memory_limit > 0
	_glibc(allocator.c)
	environment.hidden(allocator.c) == []
	every variable in _bounds {
		process.variable(allocator.c, variable).state == "absent"
	}
	not _sets_it(allocator.c)
]

# Whatever is preloaded may be another allocator.
_bounds := ["MALLOC_ARENA_MAX", "GLIBC_TUNABLES", "LD_PRELOAD"]

# Alpine has musl, whose malloc has no arenas.
_glibc(c) if {
	is_string(c.raw.image)
	not regex.match(`(?i)alpine|musl`, c.raw.image)
} else if not c.raw.image

# A script may set it, and an image that is known to be built with it.
_sets_it(c) if {
	some word in images.words(c)
	regex.match(`MALLOC_ARENA_MAX|jemalloc|tcmalloc`, word)
}

_sets_it(c) if regex.match(_own_allocator, images.found[c.id].name)

# Images that set it, or preload another allocator, as their Dockerfiles say.
_own_allocator := `(?:^|/)(?:dremio-[a-z]+|besu|teku|flink|spring-cloud-(?:dataflow|skipper)-server)$`
