package headroom.quantity

# format_cpu prints millicores as Kubernetes does: whole cores bare, else millicores.
format_cpu(millicores) := cores if {
	digits := json.marshal(millicores)
	cores := trim_suffix(digits, "000")
	cores != digits
} else := "0" if {
	millicores == 0
} else := concat("", [json.marshal(millicores), "m"])

# format_memory prints bytes in the largest binary unit that is exact, so that the text is the value itself.
format_memory(size) := "0" if {
	size == 0
} else := concat("", [json.marshal(bits.rsh(size, largest[0])), largest[1]]) if {
	largest := max([[power, unit] | some unit, power in binary_bits; bits.lsh(bits.rsh(size, power), power) == size])
} else := json.marshal(size)

# mib is bytes in MiB, to the nearest, for messages.
mib(size) := bits.rsh(size + 524288, 20)
