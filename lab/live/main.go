// Command live measures what collections cost by how much of a heap is live. It writes each run to
// tests/system/kernel/live.json and prints the table of docs/size.md. It is CPU time for what is allocated: a busy machine
// changes it little, and a service knows how much it allocates.
//
// With -again it runs the JVMs of the other table of docs/size.md under the limits that three tools gave them, each in a
// memory cgroup. It prints what the kernel did. With -sized it records services under a steady load, gives them what
// headroom size says, and runs them so, twice. Each run is written to tests/system/kernel/sized.json. Both need root on Linux.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

//go:embed *.java
var programs embed.FS

const (
	recorded = "tests/system/kernel/live.json"
	heap     = 256         // MiB
	allocate = 4 << 10     // MiB, while it is measured
	mibs     = 1024        // in a GiB
	patience = time.Minute // for one run
)

var (
	collectors = []string{"Serial", "Parallel", "G1", "Z"}
	shares     = []int{20, 30, 40, 50, 60, 70} // percent of the heap that live
)

// curves are all runs. A run has the CPU time of collections and compilation, in milliseconds for each GiB that was
// allocated. One that had not ended in time, or ran out of memory, is -1.
type curves struct {
	Date       string  `json:"date"`
	JDK        string  `json:"jdk"`
	HeapMiB    int     `json:"heapMiB"`
	Processors int     `json:"processors"`
	Curves     []curve `json:"curves"`
}

type curve struct {
	Collector   string `json:"collector"`
	LivePercent int    `json:"livePercent"`
	CPUMillis   []int  `json:"cpuMsPerGiB"`
}

func main() {
	java := flag.String("java", os.Getenv("JAVA_HOME"), "a JDK's `folder`")
	runs := flag.Int("runs", 5, "`HOW MANY` there are of each kind")
	again := flag.Bool("again", false, "run JVMs under the limits of docs/size.md")
	sized := flag.Bool("sized", false, "run JVMs with what headroom size gives them")
	flag.Parse()
	lab.Main("live", func(ctx context.Context) error {
		bin := filepath.Join(*java, "bin")
		dir, err := compiled(ctx, bin)
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		switch {
		case *again:
			return runAgain(ctx, bin, dir)
		case *sized:
			return runSized(ctx, bin, dir)
		}
		return run(ctx, bin, dir, *runs)
	})
}

// compiled is a folder with the programs.
func compiled(ctx context.Context, bin string) (string, error) {
	dir, err := os.MkdirTemp("", "live")
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, programs); err != nil {
		return "", err
	}
	_, err = lab.Output(ctx, filepath.Join(bin, "javac"), "-d", dir, filepath.Join(dir, "Live.java"), filepath.Join(dir, "Service.java"))
	return dir, err
}

func run(ctx context.Context, bin, dir string, runs int) error {
	version, err := lab.Output(ctx, filepath.Join(bin, "java"), "--version")
	if err != nil {
		return err
	}
	found := curves{
		Date: time.Now().UTC().Format(time.DateOnly), JDK: strings.Split(version, "\n")[1], HeapMiB: heap, Processors: 2,
	}
	for _, share := range shares {
		for _, collector := range collectors {
			found.Curves = append(found.Curves, curve{Collector: collector, LivePercent: share})
		}
	}
	for range runs { // one of each kind after the other, so that a busy minute is not that of one kind
		for i := range found.Curves {
			c := &found.Curves[i]
			c.CPUMillis = append(c.CPUMillis, cost(ctx, bin, dir, c))
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(found, "", " ")
	if err != nil {
		return err
	}
	fmt.Print(table(&found))
	return os.WriteFile(repo.Path(recorded), append(text, '\n'), 0o600)
}

// cost is the CPU time for each GiB that was not the program's own thread's: its collections, once it is compiled.
func cost(ctx context.Context, bin, dir string, c *curve) int {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	out, err := lab.Output(ctx, filepath.Join(bin, "java"),
		"-XX:+Use"+c.Collector+"GC", fmt.Sprintf("-Xms%dm", heap), fmt.Sprintf("-Xmx%dm", heap), "-XX:ActiveProcessorCount=2",
		"-cp", dir, "Live", fmt.Sprint(heap*c.LivePercent/100), fmt.Sprint(allocate))
	var process, own int
	if err != nil {
		return -1
	}
	if _, err := fmt.Sscan(out, &process, &own); err != nil {
		return -1
	}
	return max(0, process-own) * mibs / allocate
}

// table has the median of each kind, and its range.
func table(found *curves) string {
	var out strings.Builder
	out.WriteString("| live | Serial | Parallel | G1 | ZGC |\n|---|--:|--:|--:|--:|\n")
	for i, c := range found.Curves {
		if i%len(collectors) == 0 {
			fmt.Fprintf(&out, "| %d %% |", c.LivePercent)
		}
		out.WriteString(" " + cell(c.CPUMillis) + " |")
		if i%len(collectors) == len(collectors)-1 {
			out.WriteString("\n")
		}
	}
	return out.String()
}

// cell is a dash where most runs did not end; else the range is of those that did.
func cell(runs []int) string {
	ended := slices.DeleteFunc(slices.Sorted(slices.Values(runs)), func(ms int) bool { return ms < 0 })
	switch failed := len(runs) - len(ended); {
	case 2*failed > len(runs) || len(ended) == 0:
		return "–"
	case failed > 0:
		return fmt.Sprintf("%d (%d–…)", ended[len(runs)/2], ended[0])
	default:
		return fmt.Sprintf("%d (%d–%d)", ended[len(ended)/2], ended[0], ended[len(ended)-1])
	}
}
