package collect

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/diagnose/reading"
)

var (
	v2Files  = reading.V2
	v1CPU    = []string{reading.CPUStat, reading.CPUQuota, reading.CPUPeriod, reading.CPUBurstV1}
	v1Memory = []string{
		reading.UsageV1, reading.LimitV1, reading.PeakV1, reading.MemoryStat, reading.OOMControl, reading.FailCount,
	}
)

// collector reads one container.
type collector struct {
	executor Executor
	options  Options
	timeout  time.Duration
	into     *Collection
	noShell  bool
}

// Container reads the container of the executor into the collection. What cannot be read is
// Missing, Notes or Problems; an error is that of the context alone.
func Container(ctx context.Context, x Executor, o Options, into *Collection) error {
	c := &collector{executor: x, options: o, timeout: o.Timeout, into: into}
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	if c.options.Progress == nil {
		c.options.Progress = func(string) {}
	}
	into.Files, into.Missing = map[string]string{}, map[string]string{}
	if err := c.sample(ctx, ""); err != nil {
		c.unreachable(err)
		return ctx.Err()
	}
	two := o.Interval > 0 && len(into.Files) > 0
	pid := c.find(ctx)
	c.look(ctx, pid, "")
	if two {
		c.options.Progress(fmt.Sprintf("the second sample is taken in %s", o.Interval))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(o.Interval):
		}
		if err := c.sample(ctx, reading.Later); err != nil {
			into.Problems = append(into.Problems, fmt.Sprintf("the second sample could not be taken: %v", err))
			return ctx.Err()
		}
		if pid == "" {
			pid = c.find(ctx) // it may have started since
			c.look(ctx, pid, "")
		} else {
			c.look(ctx, pid, reading.Later)
		}
	}
	c.absentFiles()
	if pid != "" {
		c.jcmd(ctx, pid)
	}
	return ctx.Err()
}

// sample reads the cgroup's files; at is the folder that they are put into.
func (c *collector) sample(ctx context.Context, at string) error {
	paths := cgroupPaths()
	if at == "" {
		paths = append(paths, nodePaths...)
	}
	files, err := c.read(ctx, paths)
	if err != nil {
		return err
	}
	c.into.Samples = append(c.into.Samples, time.Now().UTC())
	for name, text := range files {
		c.into.Files[at+name] = text
	}
	return nil
}

// read gives those of the files that are there, by the last part of their names.
func (c *collector) read(ctx context.Context, paths []string) (map[string]string, error) {
	if !c.noShell {
		out, err := c.run(ctx, append([]string{"sh", "-c", readFiles, "sh"}, paths...)...)
		if err == nil {
			return parted(out), nil
		}
		if !errors.Is(err, errNoProgram) {
			return nil, err
		}
		c.noShell = true
	}
	files := map[string]string{}
	for _, file := range paths {
		if _, known := files[path.Base(file)]; known {
			continue
		}
		out, err := c.run(ctx, "cat", file)
		switch {
		case err == nil:
			files[path.Base(file)] = out
		case errors.Is(err, errNoProgram) || ctx.Err() != nil:
			return nil, err
		}
	}
	return files, nil
}

// parted takes the output of readFiles apart. The first file of a name is the one.
func parted(out string) map[string]string {
	files := map[string]string{}
	name := ""
	var b strings.Builder
	keep := func() {
		if _, known := files[name]; name != "" && !known {
			files[name] = b.String()
		}
		b.Reset()
	}
	for line := range strings.Lines(out) {
		title, isTitle := strings.CutPrefix(line, "==> /")
		if title, ends := strings.CutSuffix(title, " <==\n"); isTitle && ends {
			keep()
			name = path.Base(title)
			continue
		}
		b.WriteString(line)
	}
	keep()
	return files
}

// unreachable says why nothing was read from the container.
func (c *collector) unreachable(err error) {
	reason := "the container could not be reached"
	if errors.Is(err, errNoProgram) {
		reason = "the image has neither a shell nor cat"
		c.into.Notes = append(c.into.Notes, "The image has neither a shell nor cat, so that nothing could be read "+
			"inside the container: what follows is what the API server and the manifest tell.")
	} else {
		c.into.Problems = append(c.into.Problems, err.Error())
	}
	for _, name := range slices.Concat(reading.V2, reading.V1, reading.OfJVM) {
		c.into.Missing[name] = reason
	}
}

// absentFiles says what the container's cgroup does not have, as far as its version should.
func (c *collector) absentFiles() {
	_, isV2 := c.into.Files[reading.MemoryNow]
	_, isV1 := c.into.Files[reading.UsageV1]
	wanted := slices.Concat(reading.V2, reading.V1)
	switch {
	case isV2:
		wanted = reading.V2
	case isV1:
		wanted = reading.V1
	}
	for _, name := range wanted {
		if _, found := c.into.Files[name]; !found {
			c.into.Missing[name] = "the container's /sys/fs/cgroup does not have it"
		}
	}
}
