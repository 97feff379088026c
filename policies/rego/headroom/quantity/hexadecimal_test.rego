package headroom.quantity_test

import data.headroom.quantity

test_hexadecimal if {
	every digits, number in {"0": 0, "f": 15, "FF": 255, "0010": 16, "fffffffffff": 17592186044415} {
		quantity.hexadecimal(digits) == number
	}
}
