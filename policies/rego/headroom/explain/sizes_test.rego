package headroom.explain_sizes_test

import data.headroom.explain

test_sizes_and_counts if {
	found := explain.result with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [
		{"name": "app", "command": ["node", "--max-old-space-size=512", "a.js"]},
		{"name": "b", "env": [{"name": "OMP_NUM_THREADS", "value": "4"}]},
	]}}
	found[0].sizes == [{"text": "The old space may grow to 512 MiB (--max-old-space-size=512)", "mib": 512}]
	found[0].counts == []
	found[1].sizes == []
	found[1].counts == [{"text": "OpenMP runs 4 threads (OMP_NUM_THREADS=4)", "count": 4}]
}
