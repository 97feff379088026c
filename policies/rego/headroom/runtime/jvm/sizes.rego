package headroom.runtime.jvm

# stack_size is one thread's: {bytes, flag, set}. -Xss counts bytes, ThreadStackSize KiB; 0 is
# the default again.
stack_size(flags) := {"bytes": bytes, "flag": "ThreadStackSize", "set": true} if {
	bytes := stack_bytes(flags.ThreadStackSize.value)
	bytes > 0
} else := {"bytes": 1048576, "flag": "", "set": false}

stack_bytes(value) := size_of(substring(value, 3, -1)) if startswith(value, "Xss")

stack_bytes(value) := size_of(value) * 1024 if not startswith(value, "Xss")

# small_code_cache is true where the JVM reserves 48 instead of 240 MiB for compiled code.
small_code_cache(j) if off(j.flags, "TieredCompilation")

small_code_cache(j) if {
	j.version >= 11
	interpreted(j)
}

small_code_cache(j) if {
	j.version >= 17
	j.version < 28
	j.numbers.TieredStopAtLevel in {0, 1, 2, 3}
}

small_code_cache(j) if {
	j.version >= 28
	j.numbers.TieredStopAtLevel in {0, 1}
}

interpreted(j) if {
	some s in j.sources
	s.options["-Xint"]
}
