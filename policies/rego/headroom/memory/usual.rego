package headroom.memory

# What real servers took beside their heap, in MiB (M7, M8). usual is what is expected of each region where
# no flag, no annotation and no known family says it; least the low end, which no server was seen below.
usual := {"metaspace": 96, "code cache": 64, "direct": 64, "native": 100}

least := {"metaspace": 6, "code cache": 4, "direct": 0, "stacks": 2, "native": 25}

# Under a heap of less than small_mib, regions are expected to be smaller in proportion.
small_mib := 384

# stack_kib is what a thread uses of its stack at the most: 0.11 MiB were measured, of 1 MiB (M7); least_stack_kib the
# least.
stack_kib := 128

least_stack_kib := 32

# region is what is expected of a region that is neither declared nor capped: {mib, least_mib, source, grade}. A family
# that was measured has its own figure, of which another load may take a half.
region(j, name, heap_bytes) := {
	"mib": family.takes[name],
	"least_mib": max([least[name], floor(family.takes[name] / 2)]),
	"source": family.text,
	"grade": "known",
} if {
	family := family_of(j)
	family.takes[name]
} else := {
	"mib": usual_mib(name, heap_bytes),
	"least_mib": least[name],
	"source": "assumed",
	"grade": "assumed",
}

# usual_mib is what is expected of a region of no known family.
usual_mib(name, heap_bytes) := ceil(least[name] + (((usual[name] - least[name]) * small(heap_bytes)) / small_mib))

# growth is how many MiB a region grows by with each of a small heap.
growth(name) := (usual[name] - least[name]) / small_mib

# small is a heap in MiB as far as regions grow with it. One of no bytes is not known, and counts as large.
small(heap_bytes) := min([heap_bytes / 1048576, small_mib]) if {
	heap_bytes > 0
} else := small_mib
