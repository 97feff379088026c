package headroom.ceiling_test

import data.headroom.ceiling
import data.headroom.runtimes

mebi := 1048576

of(sure, limit, terms) := {"c": {"memory_limit": limit * mebi}, "sure": sure, "terms": [{
	"text": sprintf("part %v", [size]),
	"bytes": size * mebi,
	"sure": certain,
} |
	some [size, certain] in terms
]}

# Each case: whether the runtime is sure, the limit, the terms, what is reached and whether that is certain.
cases := [
	[true, 100, [[100, true]], [[100, true]]],
	[true, 100, [[99, true]], []],
	[true, 100, [[99, true], [1, false]], [[100, false]]],
	[true, 100, [[100, true], [1, false]], [[101, true]]],
	[false, 100, [[200, true]], [[200, false]]],
	[true, 0, [[200, true]], []],
	[true, -1, [[200, true]], []],
	[true, 100, [], []],
]

test_reached if {
	every case in cases {
		[sure, limit, terms, want] := case
		found := runtimes.reached with data.headroom.runtimes.ceilings as [of(sure, limit, terms)]
		[[ceiling.mib(one.bytes), one.certain] | some one in found] == want
	}
}

test_equation if {
	one := object.union(of(true, 100, [[100, true]]), {"bytes": 100 * mebi})
	ceiling.equation(one) == "part 100"
	two := object.union(of(true, 100, [[60, true], [50, true]]), {"bytes": 110 * mebi})
	ceiling.equation(two) == "part 60 + part 50 = 110 MiB"
}

test_what_fits if {
	ceiling.room(2048 * mebi, 0.75, 0) == 1536
	ceiling.room(2048 * mebi, 0.75, 100 * mebi) == 1436
	ceiling.limit_for(1536 * mebi, 0.75) == "2048Mi"
	ceiling.limit_for(1537 * mebi, 0.75) == "2112Mi"
	ceiling.resources({"path": ["spec"]}) == ["spec", "resources", "limits", "memory"]
}

test_sizes if {
	sizes := {"1": 1, "8k": 8192, "512m": 512 * mebi, "512MB": 512 * mebi, "2g": 2048 * mebi, "1t": 1048576 * mebi}
	every text, bytes in sizes {
		ceiling.size(text) == bytes
	}
	every text in ["", "m", "-1", "1.5g", "512Mi", "50%", "9999999999999999", "1 g"] {
		not ceiling.size(text)
	}
}
