package headroom.explain

import data.headroom.ceiling
import data.headroom.runtimes

# sizes are what the runtimes of a container may take of its memory: {text, mib}.
sizes(c) := [{"text": term.text, "mib": ceiling.mib(term.bytes)} |
	some found in runtimes.ceilings
	found.c.id == c.id
	some term in found.terms
]

# counts are the pools that they size by cores: {text, count}; a count of 0 is one for each core of the node.
counts(c) := [{"text": found.text, "count": found.count} |
	some found in runtimes.counters
	found.c.id == c.id
]
