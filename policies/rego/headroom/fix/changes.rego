# METADATA
# title: Fixes
# description: |
#   What can be changed without making a workload worse, and the changes themselves. A rule
#   reports its fix as a list of changes, [] without a fix; Go makes one patch of all.
#   A fix is made as a whole or not at all.
package headroom.fix

import data.headroom.quantity
import data.headroom.runtime.jvm

# set gives a field a value, remove takes a field away.
set(path, value) := {"change": "set", "path": path, "value": value}

remove(path) := {"change": "remove", "path": path}

# env adds a variable that the container does not have.
env(c, name, value) := {"change": "env", "container": c.path, "name": name, "value": value}

# flags go right behind java, else in front of JAVA_TOOL_OPTIONS: the user's own win in both places (J9).
flags(j, list) := {"change": "jvm-flags", "container": j.c.path, "flags": list, "behind": place} if {
	place := jvm.behind_java(j)
} else := {"change": "jvm-flags", "container": j.c.path, "flags": list} if {
	not _of_image(j.c)
} else := {"change": "jvm-flags", "container": j.c.path, "flags": list, "value": _of_image(j.c)}

# A variable of the manifest would take the place of what the image sets, so that this goes with it.
_of_image(c) := c.raw.env[i].value if {
	c.raw.env[i].name == "JAVA_TOOL_OPTIONS"
	i >= c.raw.inside.env
}

set_cpu_limit(c, milli) := set(_field(c, "limits", "cpu"), quantity.format_cpu(milli))

set_cpu_request(c, milli) := set(_field(c, "requests", "cpu"), quantity.format_cpu(milli))

remove_cpu_limit(c) := remove(_field(c, "limits", "cpu"))

_field(c, list, resource) := array.concat(c.path, ["resources", list, resource])
