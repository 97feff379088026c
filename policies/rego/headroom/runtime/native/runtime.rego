# METADATA
# title: Native code
# description: |
#   A program with no runtime that sizes itself by the machine. Only the annotation says so. Libraries that compute on
#   threads of their own are native code too, whatever runs them: their variables stand here.
package headroom.runtime.native

about := {
	"words": "native code",
	"variables": [
		"BLIS_NUM_THREADS", "GOTO_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "NUMEXPR_NUM_THREADS",
		"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS", "RAYON_NUM_THREADS",
		"TF_NUM_INTEROP_THREADS", "TF_NUM_INTRAOP_THREADS",
		"TOKIO_WORKER_THREADS",
	],
}
