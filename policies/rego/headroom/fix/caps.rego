package headroom.fix

import data.headroom.runtime.jvm

# What bounds a JVM's regions, where inject.headroom.dev asks for it.

# region_caps are the fix of HR307: caps on all of the regions, or none.
region_caps(j, regions, caps) := [flags(j, caps) | _may_cap(j, regions, caps)]

_may_cap(j, regions, caps) if {
	every region in regions { region.cap in jvm.requested(j) }
	jvm.may_inject(j, caps)
	not worsens(j, caps)
}

# code_cache_cap is the fix of HR407.
code_cache_cap(j, cap) := [flags(j, [cap]) | _may_cap_code_cache(j, cap)]

_may_cap_code_cache(j, cap) if {
	"code-cache" in jvm.requested(j)
	not jvm.code_cache_in_parts(j)
	jvm.may_inject(j, [cap])
	not regions_first(j.c)
	not worsens(j, [cap])
}
