package headroom.advice_test

import data.headroom.advice

test_a_quantity_for_a_path if {
	every path, wanted in {
		["requests", "cpu"]: "a quantity such as 500m or 2",
		["limits", "memory"]: "a quantity such as 512Mi or 2Gi",
		["limits", "ephemeral-storage"]: "a quantity such as 512Mi or 2Gi",
		["limits", "example.com/gpu"]: "a whole number of example.com/gpu",
		["limits"]: "requests and limits as maps of resource names to quantities",
		[]: "requests and limits as maps of resource names to quantities",
	} {
		advice.resource_quantity(path) == wanted
	}
}

units := {
	["512", "m"]: "512Mi",
	["512", "k"]: "512Mi",
	["4000", "k"]: "4000Mi",
	["512", "Ki"]: "512Mi",
	["2", "Mi"]: "2Gi",
	["4", "M"]: "4Gi",
	["4", ""]: "4Gi",
	["63", ""]: "63Gi",
	["64", ""]: "64Mi",
	["512", ""]: "512Mi",
	["65535", ""]: "65535Mi",
	["65536", ""]: "65536Ki",
	["4194303", ""]: "4194303Ki",
	["0.5", ""]: "0.5Gi",
}

test_the_unit_that_was_meant if {
	every pair, wanted in units {
		advice.memory_unit(pair[0], pair[1]) == sprintf("%s, if that was meant", [wanted])
	}
}

test_odd_spellings_get_no_guess if {
	every pair in [["5", "u"], ["1", "e3"], ["007", ""], [".5", ""], ["5.", ""]] {
		advice.memory_unit(pair[0], pair[1]) == "a number with the unit Mi or Gi"
	}
}

test_no_size_that_containers_have if {
	every pair in [["1", "m"], ["1500000.5", "m"], ["3", "k"], ["0.001", ""]] {
		advice.memory_unit(pair[0], pair[1]) == "a number with the unit Mi or Gi"
	}
}
