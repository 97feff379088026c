package headroom.words

# grouped is a whole number with a blank between thousands: 10 080.
grouped(n) := strings.reverse(trim_suffix(regex.replace(strings.reverse(json.marshal(n)), "[0-9]{3}", "$0 "), " "))

# span is a length of time in the largest unit that it is at least two of, to one decimal
# place: 40s, 90m, 24h, 7d.
span(seconds) := sprintf("%v%s", [round((seconds * 10) / unit[1]) / 10, unit[0]]) if {
	unit := [u | some u in _units; seconds >= 2 * u[1]][0]
} else := sprintf("%vs", [round(seconds)])

_units := [["d", 86400], ["h", 3600], ["m", 60]]

# times says how often: once, twice, 1 000 times.
times(1) := "once"

times(2) := "twice"

times(n) := sprintf("%s times", [grouped(n)]) if not n in {1, 2}
