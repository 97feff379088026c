# METADATA
# title: What a runtime may grow to
# description: |
#   Sizes that a runtime is told, or takes by itself, against the memory limit, and how they are said. Each runtime
#   lists its own as `ceilings`: {c, sure, path, terms, before, expected}, where sure says that the runtime is no
#   guess, terms are {text, bytes, sure} and before says what would have freed memory, had there been any left.
package headroom.ceiling

_mebi := 1048576

# equation is the sum, in words: shared_buffers 512 MiB + 100 connections × 8 MiB = 1312 MiB. A term that is a size says
# it by itself; one that is a product has `product`.
equation(ceiling) := ceiling.terms[0].text if {
	count(ceiling.terms) == 1
	not ceiling.terms[0].product
} else := sprintf("%s = %v MiB", [concat(" + ", [term.text | some term in ceiling.terms]), mib(ceiling.bytes)])

# mib is a number of bytes in MiB, rounded down.
mib(bytes) := floor(bytes / _mebi)

# room is what a share of a limit leaves beside other bytes, in whole MiB.
room(limit, share, others) := floor(((limit * share) - others) / _mebi)

# limit_for is the smallest limit, in steps of 64 MiB, of which so many bytes are at most that share.
limit_for(bytes, share) := sprintf("%vMi", [ceil((bytes / share) / (64 * _mebi)) * 64])

# resources is the place of a container's memory limit.
resources(c) := array.concat(c.path, ["resources", "limits", "memory"])

# size reads sizes as programs do that know k, m and g for powers of 1024, and plain bytes: 512m, 1gb, 8388608.
# Undefined for all else.
size(text) := to_number(groups[1]) * _units[lower(groups[2])] if {
	groups := regex.find_all_string_submatch_n(`^([0-9]{1,15})([kKmMgGtT]?)[bB]?$`, text, 1)[0]
}

_units := {"": 1, "k": 1024, "m": 1048576, "g": 1073741824, "t": 1099511627776}
