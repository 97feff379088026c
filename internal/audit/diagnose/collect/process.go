package collect

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/audit/diagnose/reading"
)

// jcmdBytes is what must be free before the limit for jcmd to be started. It takes some 45 MiB at
// its largest (measured on JDK 17), and must not be what gets a container killed.
const jcmdBytes = 96 << 20

// find looks for a JVM and gives its PID, "" if it finds none or cannot tell.
func (c *collector) find(ctx context.Context) string {
	if c.noShell {
		c.missing("the image has no shell to look for a JVM with", reading.OfJVM...)
		return ""
	}
	out, err := c.run(ctx, "sh", "-c", listProcesses)
	if err != nil {
		c.missing(err.Error(), reading.OfJVM...)
		return ""
	}
	jvms := javaProcesses(out)
	found := len(jvms) > 0
	c.into.JVM = &found
	if !found {
		c.missing("no JVM runs in the container", reading.OfJVM...)
		return ""
	}
	if len(jvms) > 1 {
		c.into.Notes = append(c.into.Notes, fmt.Sprintf("%d JVMs run in the container; this is PID %d.", len(jvms), jvms[0]))
	}
	for _, name := range reading.OfJVM {
		delete(c.into.Missing, name)
	}
	return strconv.Itoa(jvms[0])
}

// look reads what changes while a JVM runs: twice, as nothing is stable at one look. at is the folder that it is put
// into. A JVM that has gone by the second look leaves the first.
func (c *collector) look(ctx context.Context, pid, at string) {
	if pid == "" {
		return
	}
	files, err := c.read(ctx, []string{"/proc/" + pid + "/status"})
	if text, found := files[reading.Status]; found {
		c.into.Files[at+reading.Status] = text
	} else if at == "" {
		c.missing(reason(err, "it cannot be read"), reading.Status)
	}
	text, err := c.counters(ctx, pid)
	switch {
	case err == nil:
		c.into.Files[at+reading.PerfCounters] = text
	case at == "":
		c.missing(reason(err, ""), reading.PerfCounters)
	}
}

// javaProcesses are the PIDs of JVMs, lowest first: processes called java, and those with HotSpot
// counters. The counters may outlive their process.
func javaProcesses(out string) []int {
	alive, jvms := map[int]bool{}, []int{}
	for line := range strings.Lines(out) {
		first, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		pid, err := strconv.Atoi(first)
		if err != nil || pid <= 0 {
			continue
		}
		if name != "+counters" {
			alive[pid] = true
		}
		if name == "java" || name == "+counters" && alive[pid] {
			jvms = append(jvms, pid)
		}
	}
	slices.Sort(jvms)
	return slices.Compact(jvms)
}

// counters reads what HotSpot keeps of itself in a file: heap, metaspace and threads without
// asking the JVM, and where the image has no jcmd.
func (c *collector) counters(ctx context.Context, pid string) (string, error) {
	out, err := c.run(ctx, "sh", "-c", readCounters, "sh", pid)
	if err != nil {
		return "", err
	}
	return reading.PerfData([]byte(out))
}

// jcmd asks the JVM for its flags, its native memory and its heap.
func (c *collector) jcmd(ctx context.Context, pid string) {
	asked := []string{reading.Flags, reading.NativeMemory, reading.HeapInfo}
	if c.options.NoJcmd {
		c.missing("jcmd was not to be started", asked...)
		return
	}
	if free, limited := reading.Of(c.into.Files).Free(); limited && free < jcmdBytes {
		c.missing(fmt.Sprintf("jcmd was not started: only %d MiB are left before the limit, and it may take 45",
			free>>20), asked...)
		return
	}
	out, err := c.run(ctx, "sh", "-c", askJVM, "sh", pid)
	for name, text := range answers(out) {
		c.into.Files[name] = text
	}
	for _, name := range asked {
		if _, answered := c.into.Files[name]; !answered {
			c.missing("jcmd: "+reason(err, "it did not say"), name)
		}
	}
}

var (
	flagsBegin  = regexp.MustCompile(`(?m)^-XX:.*$`)
	nativeBegin = regexp.MustCompile(`(?im)^Native memory tracking`)
	heapBegins  = regexp.MustCompile(`(?m)^ ?(?:garbage-first heap|PSYoungGen|def new generation|DefNew|` +
		`par new generation|ZHeap|Shenandoah Heap)`)
)

// answers takes the output of askJVM apart, as far as it got: each part begins in its own way.
func answers(out string) map[string]string {
	files := map[string]string{}
	if flags := flagsBegin.FindString(out); flags != "" {
		files[reading.Flags] = reading.CleanFlags(flags)
	}
	rest := ""
	if at := nativeBegin.FindStringIndex(out); at != nil {
		rest = out[at[0]:]
	}
	if at := heapBegins.FindStringIndex(rest); at != nil {
		files[reading.HeapInfo] = rest[at[0]:]
		rest = rest[:at[0]]
	}
	if rest != "" {
		files[reading.NativeMemory] = rest
	}
	return files
}

func (c *collector) missing(why string, names ...string) {
	for _, name := range names {
		c.into.Missing[name] = why
	}
}

// reason is an error in words, or otherwise what else is known.
func reason(err error, otherwise string) string {
	switch {
	case errors.Is(err, errNoProgram):
		return "the image does not have it"
	case err != nil:
		return err.Error()
	}
	return otherwise
}
