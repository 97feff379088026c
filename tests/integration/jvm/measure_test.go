//go:build integration

package jvm_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/jdks"
)

// A result is what one JVM made of one flag set. Sizes are bytes.
type result struct {
	Starts            bool   `json:"starts"`
	Error             string `json:"error,omitempty"`
	GC                string `json:"gc,omitempty"`
	Heap              int64  `json:"heap,omitempty"`
	InitialHeap       int64  `json:"initialHeap,omitempty"`
	ParallelGCThreads int64  `json:"parallelGCThreads,omitempty"`
	ConcGCThreads     int64  `json:"concGCThreads,omitempty"`
	CompilerThreads   int64  `json:"compilerThreads,omitempty"`
	CodeCache         int64  `json:"codeCache,omitempty"`
	Stack             int64  `json:"stack,omitempty"`
	Metaspace         int64  `json:"metaspace,omitempty"`
	Direct            int64  `json:"direct,omitempty"`
	Processors        int64  `json:"processors,omitempty"` // ActiveProcessorCount as set, -1 when it is not
}

// startTimeout ends only what never would: no verdict rests on the speed of the machine.
const startTimeout = 30 * time.Minute

// enter moves the shell into the cgroups named by its first two arguments and becomes the rest.
const enter = `echo $$ >"$1/cgroup.procs" && echo $$ >"$2/cgroup.procs" && shift 2 && exec "$@"`

// measure starts the JVM with the flag set and reads what it made of the flags.
func measure(machine jdks.JDK, set flagSet, l *limits) (result, error) {
	dir, err := os.MkdirTemp("", "headroom-jvm-")
	if err != nil {
		return result{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range set.Files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return result{}, err
		}
	}
	command := append([]string{machine.Java}, set.Args...)
	// No performance data: it would be a file in the temporary folder of the machine for each start.
	command = append(command, "-XX:-UsePerfData", "-XX:+PrintFlagsFinal", "-version")
	if l.refused == nil {
		c, err := l.cage(l.of(set))
		if err != nil {
			return result{}, fmt.Errorf("limit %s: %w", set.Name, err)
		}
		command = append([]string{"/bin/sh", "-c", enter, "sh", c.memory, c.cpu}, command...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = set.environment()
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if ctx.Err() != nil {
		return result{}, fmt.Errorf("%s on %s: no answer in %s", set.Name, machine.Build, startTimeout)
	}
	if err != nil {
		return result{Error: complaint(stderr.String() + stdout.String())}, nil
	}
	return parseFlags(stdout.String()), nil
}

// noise is what a JVM says besides the reason: echoes, headlines, warnings and the flags printed before it gave up.
var noise = regexp.MustCompile(`^$|^#$|Picked up |warning|^\[Global flags\]|^\S+ \w+ +:?= |` +
	`^Error occurred during init|^Error: Could not create the Java|^Error: A fatal exception`)

// uptime is the stamp of a line of the unified log.
var uptime = regexp.MustCompile(`^\[\d+\.\d+s\]`)

// complaint is the line with which the JVM refused. Java 8 says it on stdout, later ones on stderr.
func complaint(output string) string {
	for _, line := range strings.Split(output, "\n") {
		line = uptime.ReplaceAllString(strings.TrimSpace(line), "")
		if !noise.MatchString(line) {
			return line
		}
	}
	return "no message"
}

var flagLine = regexp.MustCompile(`(?m)^\s*\S+\s+(\w+)\s+:?=\s*(\S*)`)

// collectors in the order in which a JVM of several true flags would be meant: CMS implies ParNew.
var collectors = []struct{ flag, name string }{
	{"UseConcMarkSweepGC", "CMS"},
	{"UseG1GC", "G1"},
	{"UseParallelGC", "Parallel"},
	{"UseParallelOldGC", "Parallel"},
	{"UseSerialGC", "Serial"},
	{"UseZGC", "ZGC"},
	{"UseShenandoahGC", "Shenandoah"},
	{"UseEpsilonGC", "Epsilon"},
}

func parseFlags(output string) result {
	flags := map[string]string{}
	for _, match := range flagLine.FindAllStringSubmatch(output, -1) {
		flags[match[1]] = match[2]
	}
	number := func(flag string) int64 {
		value, err := strconv.ParseInt(flags[flag], 10, 64)
		if err != nil {
			return 0 // the largest unsigned value: "unlimited", which 0 stands for here
		}
		return value
	}
	found := result{
		Starts:            true,
		GC:                "Serial", // Java 8 on a small machine: no flag is true, and it is Serial by fallback
		Heap:              number("MaxHeapSize"),
		InitialHeap:       number("InitialHeapSize"),
		ParallelGCThreads: number("ParallelGCThreads"),
		ConcGCThreads:     number("ConcGCThreads"),
		CompilerThreads:   number("CICompilerCount"),
		CodeCache:         number("ReservedCodeCacheSize"),
		Stack:             number("ThreadStackSize") << 10,
		Metaspace:         number("MaxMetaspaceSize"),
		Direct:            number("MaxDirectMemorySize"),
		Processors:        number("ActiveProcessorCount"),
	}
	for _, collector := range collectors {
		if flags[collector.flag] == "true" {
			found.GC = collector.name
			break
		}
	}
	return found
}
