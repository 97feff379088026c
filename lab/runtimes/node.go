package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

// node needs npm, which installs the releases.
func node(ctx context.Context) ([]record.Runtime, error) {
	var trials []trial
	for _, release := range []int{18, 20, 22, 24} {
		dir := filepath.Join(".tools", "runtimes", fmt.Sprintf("node%d", release))
		binary, err := filepath.Abs(filepath.Join(dir, "node_modules", ".bin", "node"))
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(binary); err != nil {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return nil, err
			}
			if _, err := lab.Output(ctx, "npm", "install", "--prefix", dir, fmt.Sprintf("node@%d", release)); err != nil {
				return nil, err
			}
		}
		version, err := versionOf(ctx, binary, "--version")
		if err != nil {
			return nil, err
		}
		const limit = `console.log(require('v8').getHeapStatistics().heap_size_limit / 2 ** 20)`
		const fill = `const kept = []; for (;;) kept.push(new Array(1e5).fill({}))`
		of := func(mebi int, what, unit string, arguments ...string) trial {
			words := []any{"node"}
			for _, word := range arguments[:len(arguments)-2] {
				words = append(words, word)
			}
			return trial{
				Runtime: record.Runtime{
					Fact: "R1", Program: "Node.js", Version: version, MemoryMiB: mebi, What: what, Unit: unit,
					Container: map[string]any{"image": "node:" + version, "command": append(words, "server.js")},
				},
				command: append([]string{binary}, arguments...),
			}
		}
		for _, mebi := range []int{256, 512, 1024, 2048, 4096, 8192} {
			trials = append(trials, of(mebi, "heap limit by default", "MiB", "-e", limit))
		}
		trials = append(trials,
			of(512, "heap limit with --max-old-space-size=4096", "MiB", "--max-old-space-size=4096", "-e", limit),
			of(512, "OOMKilled with --max-old-space-size=512, all filled", "kills", "--max-old-space-size=512", "-e", fill),
			of(512, "OOMKilled with --max-old-space-size=384, all filled", "kills", "--max-old-space-size=384", "-e", fill),
		)
		for _, flags := range [][]string{
			{"--max-semi-space-size=64"}, {"--max-old-space-size=512", "--max-semi-space-size=64"},
		} {
			trials = append(trials, of(1024, "heap limit with "+strings.Join(flags, " "), "MiB", append(flags, "-e", limit)...))
		}
		// 24 knows it, and 22 does not.
		if release >= 24 {
			for _, percent := range []string{"50", "100"} {
				flag := "--max-old-space-size-percentage=" + percent
				trials = append(trials, of(1024, "heap limit with "+flag, "MiB", flag, "-e", limit))
			}
		}
	}
	return all(ctx, trials)
}
