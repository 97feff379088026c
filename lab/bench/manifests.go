package main

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
)

//go:embed manifest.yaml.tmpl
var templates embed.FS

// workload is what varies from one Deployment to the next.
type workload struct {
	N         int
	Name      string
	Namespace string
	Class     string
	JVM       bool
	Flags     string // of the JVM
	Sidecar   bool
	// Limited, Unequal, Unmeasured and Bare are the mistakes that people make: a CPU limit
	// on what must answer fast, a memory request below the limit, no average, no class.
	Limited, Unequal, Unmeasured, Bare bool
	CPU                                int // millicores
	Memory                             int // Mi
}

// workloadOf gives the same Deployment for the same number, on every machine. One in five is a JVM,
// two in five have a sidecar, and three in ten have something wrong with them.
func workloadOf(n int) workload {
	const cpuSteps, memorySteps = 8, 6
	w := workload{
		N:         n,
		Name:      fmt.Sprintf("service-%05d", n),
		Namespace: []string{"shop", "billing", "search", "identity"}[n%4],
		Class:     []string{"latency-sensitive", "latency-sensitive", "latency-sensitive", "batch"}[n%4],
		JVM:       n%5 == 0,
		Sidecar:   n%5 < 2,
		CPU:       250 * (1 + n%cpuSteps),
		Memory:    256 * (1 + n%memorySteps),
	}
	switch n % 10 {
	case 3:
		w.Limited = true
	case 5:
		w.Limited, w.Unequal = true, true
	case 8:
		w.Bare, w.Unmeasured = true, true
	}
	if w.JVM {
		w.Memory += 768
		share := "40.0"
		if w.Unequal {
			share = "95.0"
		}
		w.Flags = "-XX:ActiveProcessorCount=2 -XX:+UseG1GC -XX:ParallelGCThreads=2 -XX:ConcGCThreads=1 -XX:MaxRAMPercentage=" + share +
			" -XX:MaxMetaspaceSize=128m -XX:ReservedCodeCacheSize=96m -XX:MaxDirectMemorySize=64m -Xss512k -Xlog:gc"
	}
	return w
}

// jvmOf gives a JVM, each with something wrong: flags as people have them.
func jvmOf(n int) workload {
	w := workloadOf(5 * n)
	w.N, w.Name = n, fmt.Sprintf("service-%05d", n)
	w.Limited, w.Unequal = n%2 == 0, n%3 == 0
	const kinds = 6
	switch n % kinds {
	case 0:
		w.Flags = fmt.Sprintf("-Xms%dm -Xmx%dm", w.Memory, w.Memory)
	case 1:
		w.Flags = "-XX:MaxRAMPercentage=90.0 -XX:+UseG1GC"
	case 2:
		w.Flags = "-Xms512m -Xmx512m -XX:+UseG1GC -XX:MaxGCPauseMillis=200 -XX:ParallelGCThreads=16 -XX:ConcGCThreads=4"
	case 3:
		w.Flags = "-Dspring.profiles.active=production"
	case 4:
		w.Flags = "-XX:+UseContainerSupport -XX:InitialRAMPercentage=80.0 -XX:MaxRAMPercentage=80.0 -XX:+HeapDumpOnOutOfMemoryError" +
			" -XX:HeapDumpPath=/tmp -XX:+ExitOnOutOfMemoryError -Xlog:gc*:stdout"
	case 5:
		w.Flags = "-XX:ActiveProcessorCount=8 -Xss4m -Xmx768m -XX:MaxMetaspaceSize=512m -XX:ReservedCodeCacheSize=512m -XX:+UseParallelGC" +
			" -XX:+AlwaysPreTouch -Dfile.encoding=UTF-8 -Djava.security.egd=file:/dev/./urandom"
	}
	return w
}

func fileName(n int) string { return fmt.Sprintf("deployment-%05d.yaml", n) }

// writeManifests writes n Deployments, one a file.
func writeManifests(dir string, n int, of func(n int) workload) error {
	functions := template.FuncMap{"twice": func(n int) int { return 2 * n }, "half": func(n int) int { return n / 2 }}
	text, err := template.New("manifest.yaml.tmpl").Funcs(functions).ParseFS(templates, "*.tmpl")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	var file bytes.Buffer
	for i := range n {
		file.Reset()
		if err := text.Execute(&file, of(i)); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, fileName(i)), file.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}
