// Command hostile has headroom judge trees that were written to take its memory or its time, and prints what each took
// and what was said.
//
//	go run -C lab ./hostile [-command lint] [-run WORDS] BINARY
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/hostile"
)

func main() {
	commands := flag.String("command", "lint", "headroom's command: "+strings.Join(hostile.Commands(), ", "))
	words := flag.String("run", "", "run the trees alone whose name contains this")
	flag.Parse()
	lab.Main("hostile", func(ctx context.Context) error { return run(ctx, *commands, *words) })
}

func run(ctx context.Context, command, words string) error {
	if flag.NArg() != 1 {
		return errors.New("name one binary of headroom")
	}
	fmt.Println("| tree | MiB | seconds | exit code | what is said |\n|---|---|---|---|---|")
	for _, name := range slices.Sorted(maps.Keys(hostile.Trees())) {
		if !strings.Contains(name, words) {
			continue
		}
		dir, err := os.MkdirTemp("", "hostile")
		if err != nil {
			return err
		}
		found, err := hostile.Judge(ctx, flag.Arg(0), command, name, dir)
		_ = os.RemoveAll(dir) // a temporary folder
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %d | %.1f | %d | %s |\n", name, found.Peak>>20, found.Time.Round(time.Millisecond).Seconds(), found.Code,
			strings.ReplaceAll(found.Said, "|", `\|`))
	}
	return nil
}
