package headroom.quantity

# format_cpu prints millicores as Kubernetes does: whole cores bare, else millicores.
format_cpu(millicores) := cores if {
	digits := json.marshal(millicores)
	cores := trim_suffix(digits, "000")
	cores != digits
} else := "0" if {
	millicores == 0
} else := concat("", [json.marshal(millicores), "m"])

# The unit that a person would choose: 128000000 is 128M, not 125000Ki.
memory_units := [
	["Ei", 1152921504606846976], ["Pi", 1125899906842624], ["Ti", 1099511627776], ["Gi", 1073741824], ["Mi", 1048576],
	["E", 1000000000000000000], ["P", 1000000000000000], ["T", 1000000000000], ["G", 1000000000], ["M", 1000000],
	["Ki", 1024],
]

# format_memory prints bytes in the first unit that is exact, so that the text, put in a manifest, is that value.
format_memory(size) := concat("", [json.marshal(size / first[1]), first[0]]) if {
	regex.match(`^[1-9][0-9]{3,18}$`, json.marshal(size))
	first := [unit | some unit in memory_units; size % unit[1] == 0][0]
} else := json.marshal(size)

# mib is bytes in MiB, to the nearest, for messages.
mib(size) := round(size / 1048576)

# percent is how much one amount is of another, with a decimal; 0 of nothing.
percent(part, whole) := round((part * 1000) / whole) / 10 if {
	whole > 0
} else := 0
