package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

// frameworks are PyTorch of Debian, TensorFlow of PyPI, and Rayon and Tokio of crates.io, in a container with one CPU.
func frameworks(ctx context.Context) ([]record.Runtime, error) {
	bin, err := python(ctx, "tensorflow-cpu")
	if err != nil {
		return nil, err
	}
	program, versions, err := rust(ctx)
	if err != nil {
		return nil, err
	}
	const debian = "/usr/bin/python3"
	interpreter := filepath.Join(bin, "python")
	torch := []string{debian, "-c", `import torch; a = torch.ones((900, 900)); a @ a; print(torch.get_num_threads())`}
	tensorflow := []string{interpreter, "-c", `import os, tensorflow as t; a = t.ones((900, 900)); a @ a; print(len(os.listdir("/proc/self/task")))`}
	torchVersion, err := versionOf(ctx, debian, "-c", "import torch; print(torch.__version__)")
	if err != nil {
		return nil, err
	}
	tensorflowVersion, err := versionOf(ctx, filepath.Join(bin, "pip"), "show", "tensorflow-cpu")
	if err != nil {
		return nil, err
	}
	var trials []trial
	for _, of := range []struct {
		program, version, what string
		command                []string
		name, value            string
	}{
		{"PyTorch", torchVersion, "threads of its pool", torch, "", ""},
		{"PyTorch", torchVersion, "threads of its pool", torch, "OMP_NUM_THREADS", "16"},
		{"PyTorch", torchVersion, "threads of its pool", torch, "MKL_NUM_THREADS", "16"},
		{"TensorFlow", tensorflowVersion, "threads after a product of matrices", tensorflow, "", ""},
		{"TensorFlow", tensorflowVersion, "threads after a product of matrices", tensorflow, "TF_NUM_INTRAOP_THREADS", "16"},
		{"TensorFlow", tensorflowVersion, "threads after a product of matrices", tensorflow, "TF_NUM_INTRAOP_THREADS", "1"},
		{"Rayon", versions["rayon"], "threads of its pool", []string{program, "rayon"}, "", ""},
		{"Rayon", versions["rayon"], "threads of its pool", []string{program, "rayon"}, "RAYON_NUM_THREADS", "16"},
		{"Tokio", versions["tokio"], "worker threads", []string{program, "tokio"}, "", ""},
		{"Tokio", versions["tokio"], "worker threads", []string{program, "tokio"}, "TOKIO_WORKER_THREADS", "16"},
	} {
		t := trial{
			Runtime: record.Runtime{Fact: "R32", Program: of.program, Version: of.version, MilliCPU: 1000, What: of.what, Unit: "threads"},
			command: of.command,
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

// rust builds a program that prints how many threads a pool has; it needs cargo.
func rust(ctx context.Context) (program string, versions map[string]string, err error) {
	dir, err := filepath.Abs(filepath.Join(".tools", "runtimes", "rust"))
	if err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o755); err != nil {
		return "", nil, err
	}
	for name, text := range map[string]string{
		"Cargo.toml": "[package]\nname = \"threads\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n" +
			"[dependencies]\nrayon = \"1\"\ntokio = { version = \"1\", features = [\"rt-multi-thread\"] }\n",
		"src/main.rs": "fn main() {\n    let tokio = std::env::args().nth(1).as_deref() == Some(\"tokio\");\n" +
			"    let threads = if tokio { tokio::runtime::Runtime::new().unwrap().metrics().num_workers() } else { rayon::current_num_threads() };\n" +
			"    println!(\"{threads}\");\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", nil, err
		}
	}
	manifest := filepath.Join(dir, "Cargo.toml")
	if _, err := lab.Output(ctx, "cargo", "build", "-q", "--manifest-path", manifest); err != nil {
		return "", nil, err
	}
	versions = map[string]string{}
	for _, crate := range []string{"rayon", "tokio"} {
		versions[crate], err = versionOf(ctx, "cargo", "tree", "--manifest-path", manifest, "-p", crate, "--depth", "0")
		if err != nil {
			return "", nil, err
		}
	}
	return filepath.Join(dir, "target", "debug", "threads"), versions, nil
}
