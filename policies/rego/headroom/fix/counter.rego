package headroom.fix

import data.headroom.environment

# counter is the fix that sizes a pool by a variable that nothing sets yet.
counter(found) := [env(found.c, found.set.name, found.set.value)] if {
	found.sure
	not limit_changes(found.c)
	environment.surely_absent(found.c, found.set.name)
} else := []
