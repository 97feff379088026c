package headroom.quantity_test

import data.headroom.quantity

# policies/engine/quantity compares with apimachinery; here stands what a reader should know, run by every OPA in use.

test_milli if {
	every text, millicores in {
		"100m": 100, "2": 2000, "0": 0, "0m": 0, "0.5": 500, "1.5": 1500, " 250m ": 250, "010": 10000,
		"1e3": 1000000, "100u": 1, "1n": 1, "1.0001": 1001, "+1": 1000, "2k": 2000000, "1Ki": 1024000,
		"9223372036854775": 9223372036854775000,
	} {
		quantity.milli(text) == millicores
	}
}

test_milli_of_a_number if {
	quantity.milli(2) == 2000
	quantity.milli(0.5) == 500
	quantity.milli(1e3) == 1000000
	quantity.milli(0.00001) == 1
	quantity.milli(null) == 0
}

test_bytes if {
	every text, size in {
		"512Mi": 536870912, "1Gi": 1073741824, "1.5Gi": 1610612736, "250M": 250000000, "128974848": 128974848, "0": 0,
		"0.1Gi": 107374183, "100m": 1, "1e3": 1000, "2.5k": 2500, "1Pi": 1125899906842624, "1.Mi": 1048576,
		"1.0000000001": 2,
	} {
		quantity.bytes(text) == size
	}
}

# The sign keeps the cheap built-ins from reading it.
test_each_unit if {
	every text, size in {
		"+1": 1, "+1k": 1000, "+1M": 1000000, "+1G": 1000000000, "+1T": 1000000000000, "+1P": 1000000000000000,
		"+1E": 1000000000000000000, "+1Ki": 1024, "+1Mi": 1048576, "+1Gi": 1073741824, "+1Ti": 1099511627776,
		"+1Pi": 1125899906842624, "+1Ei": 1152921504606846976,
	} {
		quantity.bytes(text) == size
	}
	every text, millicores in {
		"+1m": 1, "+1000u": 1, "+1001u": 2, "+1000000n": 1, "+1000001n": 2, "+1k": 1000000, "+1M": 1000000000,
	} {
		quantity.milli(text) == millicores
	}
}

test_bytes_of_a_number if {
	quantity.bytes(536870912) == 536870912
	quantity.bytes(0.5) == 1
	quantity.bytes(null) == 0
}

test_saturation if {
	every text in ["9223372036854775808", "2000E", "8Ei", "9999999999999999999Ki", "10000000000000000000000000000000"] {
		json.marshal(quantity.bytes(text)) == "9223372036854775807"
		json.marshal(quantity.milli(text)) == "9223372036854775807"
	}
}

test_no_quantity_is_minus_one if {
	every value in ["", "1MB", "123mi", "1Ki1", "-1", "NaN", "1e99", "1\n", true, false, [], ["1"], {}, {"a": 1}, -1] {
		quantity.milli(value) == -1
		quantity.bytes(value) == -1
	}
}

# Compared as text: numbers beyond 64 bits may compare equal when they are not.
test_parse_is_exact if {
	every text, value in {
		"0.5": "0.5", "100m": "0.1", "-1.5": "-1.5", "-0": "0", "5.": "5", ".5": "0.5", "1E": "1000000000000000000",
		"12345678901234567890123456789012": "12345678901234567890123456789012",
		"12345678901234567.890123456789": "12345678901234567.890123457",
		"9007199254740993Ki": "9223372036854775807", "-8Ei": "-9223372036854775807",
		"8388607.9999999999Ti": "9223372036854775698.048837223", "1e-18": "0.000000001",
		"1e-00000000000000000000000000018": "0.000000001",
	} {
		parsed := quantity.parse(text)
		parsed.ok
		json.marshal(parsed.value) == value
	}
}

# ParseQuantity takes these for zero, and the API server with it.
test_parse_takes_less_than_a_number_for_zero if {
	every text in ["+", "-", ".", "-.", "Ki", "Ti", "m", "E", "e3", ".e-9", "0.e-10"] {
		quantity.parse(text) == {"ok": true, "value": 0}
	}
}

test_parse_gives_a_reason if {
	units := "units are m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or none"
	every text, reason in {
		"": "is empty",
		"1\n": "holds a line break, a tab or another control character, which the API server does not trim",
		"1 Gi": "has a blank inside",
		"1,5": "has a comma; the decimal mark is a point",
		"1MB": "has the unit MB, which Kubernetes does not know; M is 1000000, Mi is 1048576, m is a thousandth",
		"1K": "has the unit K, which Kubernetes does not know; k is 1000, Ki is 1024",
		"5cores": sprintf("has the unit cores, which Kubernetes does not know; %s", [units]),
		"half": sprintf("is not a number with a unit; %s", [units]),
		"1.2.3Mi": sprintf("is not a number with a unit; %s", [units]),
		".5gb": "has the unit gb, which Kubernetes does not know; G is 10^9, Gi is 2^30",
		"Pi": sprintf("is not a number with a unit; %s", [units]),
		"1e19": "has an exponent beyond 18",
		"123456789012345678901234567890123": "is 33 characters long; a quantity has at most 32",
	} {
		quantity.parse(text) == {"ok": false, "reason": reason}
	}
	quantity.parse([]) == {"ok": false, "reason": "is of type array; a quantity is a string or a number"}
}

# The guard wins over ParseQuantity: each of these parses, or hangs ParseQuantity (W45).
test_guarded if {
	every text in ["1e99999999", "1e-99999999", "2E6024865272343", "1e4294967297", "1e19", "0e19", " 1e019 "] {
		not quantity.guarded(text)
	}
	every value in ["1e18", "1e-18", "1e0018", "1E", "x", "", 1, 1e3, null] {
		quantity.guarded(value)
	}
	every value in [true, [], {}, 1e19] {
		not quantity.guarded(value)
	}
}

test_format_cpu if {
	every pair in [
		[0, "0"], [1, "1m"], [2, "2m"], [500, "500m"], [1000, "1"], [1500, "1500m"], [10000, "10"], [1000000, "1000"],
	] {
		quantity.format_cpu(pair[0]) == pair[1]
	}
}

test_format_memory if {
	every pair in [
		[0, "0"], [1000, "1000"], [1024, "1Ki"], [1025, "1025"], [536870912, "512Mi"], [1073741824, "1Gi"],
		[1610612736, "1536Mi"], [128000000, "128M"], [1024000, "1000Ki"], [9223372036854775807, "9223372036854775807"],
		[1.5, "1.5"], [999, "999"], [1000000, "1M"], [1000000000, "1G"], [1000000000000, "1T"], [1000000000000000, "1P"],
		[1000000000000000000, "1E"], [1048576, "1Mi"], [1099511627776, "1Ti"], [1125899906842624, "1Pi"],
		[1152921504606846976, "1Ei"], [2000000000000, "2T"], [1023000, "1023000"], [-1024, "-1024"],
	] {
		quantity.format_memory(pair[0]) == pair[1]
	}
}

test_percent if {
	quantity.percent(1, 3) == 33.3
	quantity.percent(3, 2) == 150
	quantity.percent(1, 0) == 0
}

test_mib if {
	quantity.mib(536870912) == 512
	quantity.mib(524288) == 1
	quantity.mib(524287) == 0
}

# 8192 processors, and 52 bits of addresses.
test_the_most_of_any_node if {
	quantity.most == {"cpu": quantity.milli("8192"), "memory": quantity.bytes("4Pi")}
}
