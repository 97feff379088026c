# Kubernetes quantities, total: no value of a manifest makes these functions undefined or abort.
# They equal resource.ParseQuantity on what the guard (W45) lets through; policies/engine/quantity tests that.
package headroom.quantity

# milli is Quantity.MilliValue: millicores, rounded up, at most 2^63-1; -1 for no quantity or a negative one.
# The patterns admit only what the cheap built-ins read exactly; units.parse alone reads "5gI" and refuses "100n".
milli(x) := to_number(trim_suffix(x, "m")) if {
	is_string(x)
	regex.match(`^[1-9][0-9]{0,8}m$`, x)
} else := units.parse(concat("", [x, "k"])) if {
	is_string(x)
	regex.match(`^[0-9]{1,9}(?:\.[0-9]{1,3})?$`, x)
} else := units.parse(concat("", [number, "k"])) if {
	is_number(x)
	number := json.marshal(x)
	regex.match(`^[0-9]{1,9}(?:\.[0-9]{1,3})?$`, number)
} else := scaled(x, 3)

# bytes is Quantity.Value: whole bytes, rounded up, at most 2^63-1; -1 for no quantity or a negative one.
# Fractions other than quarters may leave part of a byte, so they take the slow way.
bytes(x) := units.parse(x) if {
	is_string(x)
	regex.match(`^[0-9]{1,6}(?:(?:\.(?:25|5|75))?[KMGT]i|(?:\.[0-9]{1,3})?[kMGT]|[0-9]{0,9})$`, x)
} else := units.parse(number) if {
	is_number(x)
	number := json.marshal(x)
	regex.match(`^[0-9]{1,15}$`, number)
} else := scaled(x, 0)

# parse gives {"ok": true, "value": number} or {"ok": false, "reason": words that follow the field's name}.
parse(x) := {"ok": true, "value": to_number(plain(value))} if {
	value := read(x)
	value.reason == ""
} else := {"ok": false, "reason": read(x).reason}

# guarded tells whether x is text or a number that may be handed to ParseQuantity at all.
guarded(x) if {
	t := text(x)
	is_string(t)
	guard(t) == ""
} else := false
