package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

// python makes an environment with packages of PyPI; it needs python3 with venv.
func python(ctx context.Context, packages ...string) (bin string, err error) {
	return venv(ctx, "python", packages...)
}

// venv is the same, in an environment of that name, for packages that the others cannot live with.
func venv(ctx context.Context, name string, packages ...string) (bin string, err error) {
	dir, err := filepath.Abs(filepath.Join(".tools", "runtimes", name))
	if err != nil {
		return "", err
	}
	bin = filepath.Join(dir, "bin")
	if _, err := os.Stat(bin); err != nil {
		if _, err := lab.Output(ctx, "python3", "-m", "venv", dir); err != nil {
			return "", err
		}
	}
	_, err = lab.Output(ctx, filepath.Join(bin, "pip"), append([]string{"install", "-q"}, packages...)...)
	return bin, err
}

// pools are those of libraries that compute, in a container with one CPU.
func pools(ctx context.Context) ([]record.Runtime, error) {
	bin, err := python(ctx, "numpy", "scikit-learn", "polars", "numexpr")
	if err != nil {
		return nil, err
	}
	interpreter := filepath.Join(bin, "python")
	const tasks = `; import os; print(len(os.listdir("/proc/self/task")))`
	numpy := `import numpy; a = numpy.ones((900, 900)); a @ a` + tasks
	learn := `from sklearn.ensemble import HistGradientBoostingClassifier as H; import numpy; ` +
		`H(max_iter=3).fit(numpy.random.rand(5000, 9), numpy.arange(5000) % 2)` + tasks
	polars := `import polars; print(polars.thread_pool_size())`
	numexpr := `import numexpr; print(numexpr.nthreads)`
	var trials []trial
	for _, of := range []struct{ module, what, code, name, value string }{
		{"numpy", "threads after a product of matrices", numpy, "", ""},
		{"numpy", "threads after a product of matrices", numpy, "OPENBLAS_NUM_THREADS", "1"},
		{"numpy", "threads after a product of matrices", numpy, "OMP_NUM_THREADS", "1"},
		{"numpy", "threads after a product of matrices", numpy, "OPENBLAS_NUM_THREADS", "16"},
		{"sklearn", "threads after a fit", learn, "", ""},
		{"sklearn", "threads after a fit", learn, "OMP_NUM_THREADS", "1"},
		{"polars", "threads of its pool", polars, "", ""},
		{"polars", "threads of its pool", polars, "POLARS_MAX_THREADS", "16"},
		{"numexpr", "threads of its pool", numexpr, "", ""},
		{"numexpr", "threads of its pool", numexpr, "NUMEXPR_NUM_THREADS", "16"},
	} {
		version, err := versionOf(ctx, interpreter, "-c", "import "+of.module+"; print("+of.module+".__version__)")
		if err != nil {
			return nil, err
		}
		t := trial{
			Runtime: record.Runtime{Fact: "R30", Program: of.module, Version: version, MilliCPU: 1000, What: of.what, Unit: "threads"},
			command: []string{interpreter, "-c", of.code},
		}
		if of.name != "" {
			t.What += " with " + of.name + "=" + of.value
			t.environment = []string{of.name + "=" + of.value}
			t.Container = map[string]any{"env": []any{map[string]any{"name": of.name, "value": of.value}}}
		}
		trials = append(trials, t)
	}
	return all(ctx, trials)
}
