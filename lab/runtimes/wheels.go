package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// wheels are programs that packages of PyPI bring along, 1 GB in all: MKL alone, and .NET.
func wheels(ctx context.Context) ([]record.Runtime, error) {
	bin, err := python(ctx, "mkl", "dotnetcore2", "pythonnet")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "runtimes")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range map[string]string{
		"mkl.py": multiply, "net.py": clr, "net.json": netconfig,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	interpreter := filepath.Join(bin, "python")
	versions := map[string]string{}
	for program, wheel := range map[string]string{"MKL": "mkl", ".NET": "dotnetcore2"} {
		if versions[program], err = versionOf(ctx, filepath.Join(bin, "pip"), "show", wheel); err != nil {
			return nil, err
		}
	}
	product := []string{interpreter, filepath.Join(dir, "mkl.py"), filepath.Join(filepath.Dir(bin), "lib", "libmkl_rt.so.3")}
	net := func(figure string) []string {
		return []string{interpreter, filepath.Join(dir, "net.py"), filepath.Join(dir, "net.json"), figure}
	}
	var trials []trial
	for _, of := range []struct {
		fact, program, what, unit string
		mebi, milli               int
		command                   []string
		name, value               string
	}{
		{"R30", "MKL", "threads after a product of matrices", "threads", 0, 1000, product, "", ""},
		{"R30", "MKL", "threads after a product of matrices", "threads", 0, 1000, product, "MKL_NUM_THREADS", "1"},
		{"R30", "MKL", "threads after a product of matrices", "threads", 0, 1000, product, "OMP_NUM_THREADS", "1"},
		{"R30", "MKL", "threads after a product of matrices", "threads", 0, 1000, product, "MKL_NUM_THREADS", "16"},
		{"R10", ".NET", "the heap's hard limit", "MiB", 512, 0, net("heap"), "", ""},
		{"R10", ".NET", "the heap's hard limit", "MiB", 2048, 0, net("heap"), "", ""},
		{"R10", ".NET", "the heap's hard limit", "MiB", 512, 0, net("heap"), "COMPlus_GCHeapHardLimit", "8000000"},
		{"R10", ".NET", "OOMKilled, filled", "kills", 256, 0, net("fill"), "COMPlus_GCHeapHardLimit", "10000000"},
		{"R10", ".NET", "OOMKilled, filled", "kills", 256, 0, net("fill"), "COMPlus_GCHeapHardLimit", "C000000"},
		{"R10", ".NET", "processors", "processors", 0, 500, net("processors"), "", ""},
		{"R10", ".NET", "processors", "processors", 0, 1500, net("processors"), "", ""},
	} {
		t := trial{
			Runtime: record.Runtime{
				Fact: of.fact, Program: of.program, Version: versions[of.program], MemoryMiB: of.mebi, MilliCPU: of.milli, What: of.what, Unit: of.unit,
			},
			command: of.command, environment: []string{"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1"},
		}
		if of.name != "" {
			t.What = fmt.Sprintf("%s with %s=%s", of.what, of.name, of.value)
			t.environment = append(t.environment, of.name+"="+of.value)
			t.Container = map[string]any{"env": []any{map[string]any{"name": of.name, "value": of.value}}}
		}
		trials = append(trials, t)
	}
	return all(ctx, trials)
}

// multiply calls MKL without numpy, which has a library of its own.
const multiply = `import ctypes, os, sys
mkl = ctypes.CDLL(sys.argv[1])
n = 900
a, b, c = [(ctypes.c_double * (n * n))(*[1.0] * (n * n)) for _ in range(3)]
mkl.cblas_dgemm(101, 111, 111, n, n, n, ctypes.c_double(1), a, n, b, n, ctypes.c_double(0), c, n)
assert c[0] == n
print(len(os.listdir("/proc/self/task")))
`

const netconfig = `{"runtimeOptions": {"tfm": "netcoreapp3.1", "framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"}}}`

// clr starts .NET in Python, as there is no compiler for it.
const clr = `import os, sys
import dotnetcore2
from clr_loader import get_coreclr
from pythonnet import set_runtime
set_runtime(get_coreclr(runtime_config=sys.argv[1], dotnet_root=os.path.join(os.path.dirname(dotnetcore2.__file__), "bin")))
import clr, System
if sys.argv[2] == "heap":
    print(System.GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2**20)
elif sys.argv[2] == "processors":
    print(System.Environment.ProcessorCount)
else:
    kept = []
    for i in range(400):
        kept.append(System.Array[System.Byte](b"\1" * (1 << 20)))
`
