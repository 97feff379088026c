// Command live measures what collections cost by how much of a heap is live. It prints the table of docs/size.md, in CPU
// time for what is allocated: a busy machine changes it little, and a service knows how much it allocates.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/headroom-dev/headroom/lab"
)

//go:embed Live.java
var program []byte

const (
	heap     = 256         // MiB
	allocate = 8 << 10     // MiB, while it is measured
	mibs     = 1024        // in a GiB
	patience = time.Minute // for one run
)

var (
	collectors = []string{"Serial", "Parallel", "G1", "Z"}
	shares     = []int{20, 30, 40, 50, 60, 70} // percent of the heap that live
)

func main() {
	java := flag.String("java", os.Getenv("JAVA_HOME"), "a JDK's `folder`")
	flag.Parse()
	lab.Main("live", func(ctx context.Context) error { return run(ctx, filepath.Join(*java, "bin")) })
}

func run(ctx context.Context, bin string) error {
	dir, err := os.MkdirTemp("", "live")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	source := filepath.Join(dir, "Live.java")
	if err := os.WriteFile(source, program, 0o600); err != nil {
		return err
	}
	if _, err := lab.Output(ctx, filepath.Join(bin, "javac"), "-d", dir, source); err != nil {
		return err
	}
	fmt.Print("| live |")
	for _, collector := range collectors {
		fmt.Printf(" %s |", collector+map[bool]string{true: "GC"}[collector == "Z"])
	}
	fmt.Println("\n|---|--:|--:|--:|--:|")
	for _, share := range shares {
		fmt.Printf("| %d %% |", share)
		for _, collector := range collectors {
			fmt.Printf(" %s |", cost(ctx, bin, dir, collector, share))
		}
		fmt.Println()
	}
	return nil
}

// cost is the CPU time for each GiB that was not the program's own thread's: its collections, once it is compiled.
func cost(ctx context.Context, bin, dir, collector string, share int) string {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	out, err := lab.Output(ctx, filepath.Join(bin, "java"),
		"-XX:+Use"+collector+"GC", fmt.Sprintf("-Xms%dm", heap), fmt.Sprintf("-Xmx%dm", heap), "-XX:ActiveProcessorCount=2",
		"-cp", dir, "Live", fmt.Sprint(heap*share/100), fmt.Sprint(allocate))
	if err != nil {
		return "–" // not done in time, or out of memory
	}
	var process, own float64
	if _, err := fmt.Sscan(out, &process, &own); err != nil || process <= 0 {
		return "?"
	}
	return fmt.Sprintf("%.0f", max(0, process-own)*mibs/allocate)
}
