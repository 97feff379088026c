package headroom.runtime.go

import data.headroom.images

# Programs in Go that are known by their images: the go line of a release is in its go.mod.

# program_of is {name, release, go} of a container whose image brings a known program. go is the line that its release
# has at most. Undefined where the release was not read, or where the program itself sets GOMAXPROCS.
program_of(c) := {"name": name, "release": text, "go": row.go} if {
	ref := images.reference(c.raw.image)
	some name, id in program_names[ref.last]
	images.named(ref.path, name)
	program := programs[id]
	not _asked(c, program)
	release := _numbers(ref.tag)
	row := _row(program.releases, release)
	row.go
	text := concat(".", [sprintf("%d", [n]) | some n in release])
}

# A flag of its own makes it take the limit.
_asked(c, program) if contains(concat(" ", images.words(c)), program.unless)

# _row is the next release that was read. Go lines never go back, but a later patch of an older release may have one
# that is younger than that of the next release: so far from 1.23 on.
_row(releases, release) := row if {
	row := [r | some r in releases; r.release >= release][0]
	_reaches(row, release)
}

_reaches(row, release) if array.slice(row.release, 0, 2) == array.slice(release, 0, 2)

_reaches(row, _) if row.go < [1, 23]

_numbers(tag) := [to_number(n) | some n in array.slice(groups, 1, 4)] if {
	[groups] := regex.find_all_string_submatch_n(`^v?([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})(?:$|[-+@_])`, tag, 1)
}
