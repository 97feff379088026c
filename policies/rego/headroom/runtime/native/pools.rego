package headroom.runtime.native

import data.headroom.cpu
import data.headroom.environment
import data.headroom.workload

# Libraries that compute have a thread for each core that they count, which are the node's (R30); a variable
# says another number. Which library an image has, no manifest tells, so that nothing is said without one.
_pools := {
	"BLIS_NUM_THREADS": "BLIS",
	"GOTO_NUM_THREADS": "OpenBLAS",
	"MKL_NUM_THREADS": "MKL",
	"NUMBA_NUM_THREADS": "Numba",
	"NUMEXPR_NUM_THREADS": "NumExpr",
	"OMP_NUM_THREADS": "OpenMP",
	"OPENBLAS_NUM_THREADS": "OpenBLAS",
	"POLARS_MAX_THREADS": "Polars",
	"RAYON_NUM_THREADS": "Rayon",
	"TF_NUM_INTEROP_THREADS": "TensorFlow",
	"TF_NUM_INTRAOP_THREADS": "TensorFlow",
	"TOKIO_WORKER_THREADS": "Tokio",
}

# counters are the pools of threads that variables size.
counters := [{
	"c": c,
	"sure": true,
	"path": setting.path,
	"text": sprintf("%s runs %v threads (%s=%v)", [_pools[name], threads, name, threads]),
	"count": threads,
	"expected": sprintf("%s: \"%v\" (limits.cpu rounded up)", [name, cpu.cores[id]]),
} |
	some id, present in environment.present
	c := workload.containers[id]
	c.role != "init"
	some name in sort(present & object.keys(_pools))
	setting := environment.setting(c, name)
	setting.state == "literal"
	regex.match(`^[1-9][0-9]{0,5}$`, setting.text)
	threads := to_number(setting.text)
]
