package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

const (
	sizedFile = "tests/system/kernel/sized.json"
	rounds    = 3                // as it was, and twice with what it was given
	load      = 30 * time.Second // of each run
	sampled   = 5 * time.Second  // a step of the load; it stands for the five minutes of a week
	cfsPeriod = 100 * time.Millisecond
)

// services are recorded as they stand: what they keep alive and allocate in a second, and how they are started.
var services = []service{
	{Name: "tight", Class: "latency-sensitive", Flags: "-Xmx256m -XX:+UseG1GC", CPU: "2", Memory: "1Gi", LiveMiB: 180, Rate: 60},
	{Name: "roomy", Class: "latency-sensitive", Flags: "-Xmx1536m -XX:+UseG1GC", CPU: "2", Memory: "2560Mi", LiveMiB: 150, Rate: 60},
	{Name: "parallel", Class: "batch", Flags: "-Xmx448m -XX:+UseParallelGC", CPU: "2", Memory: "1Gi", LiveMiB: 240, Rate: 60},
	{Name: "small", Class: "latency-sensitive", Flags: "-Xmx96m -XX:+UseSerialGC", CPU: "1", Memory: "512Mi", LiveMiB: 60, Rate: 30},
}

type service struct {
	Name    string `json:"name"`
	Class   string `json:"class"`
	Flags   string `json:"flags"`
	CPU     string `json:"cpuRequest"`
	Memory  string `json:"memoryLimit"`
	LiveMiB int    `json:"liveMiB"`
	Rate    int    `json:"allocatesMiBPerSecond"`
	Runs    []ran  `json:"runs"`
}

// ran is a run: what it was given, and what came of it.
type ran struct {
	Flags     string  `json:"flags"`
	Limit     string  `json:"memoryLimit"`
	CPULimit  string  `json:"cpuLimit"`
	Killed    bool    `json:"oomKilled"`
	TookMiB   int64   `json:"tookMiB"`
	GCShare   float64 `json:"gcShare"`
	LiveMiB   int64   `json:"liveMiB"`
	Throttled float64 `json:"throttledPeriods"` // their share
}

// runSized runs each service as it is recorded, then with what headroom size gives it for that, and once more for what
// came of it.
func runSized(ctx context.Context, bin, dir string) error {
	e, err := engine.New(ctx, engine.Options{})
	if err != nil {
		return err
	}
	for i := range services {
		s := &services[i]
		object, err := s.manifest(dir)
		if err != nil {
			return err
		}
		for range rounds {
			run, seen, err := s.run(ctx, bin, object)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			s.Runs = append(s.Runs, run)
			if run.Killed {
				break
			}
			sizing, err := e.Size(ctx, engine.Review{Manifest: object, Measured: map[string]engine.Measured{"app": seen}})
			if err != nil {
				return err
			}
			if sizing.Object == nil {
				break
			}
			object = sizing.Object
		}
		fmt.Print(s.row())
	}
	text, err := json.MarshalIndent(map[string]any{"date": time.Now().UTC().Format(time.DateOnly), "services": services}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(repo.Path(sizedFile), append(text, '\n'), 0o600)
}

func (s *service) manifest(dir string) (object map[string]any, err error) {
	text := fmt.Sprintf(`{apiVersion: v1, kind: Pod, metadata: {name: %s, annotations: {headroom.dev/workload-class: %s,
		jvm.headroom.dev/app: version=25}}, spec: {containers: [{name: app, image: example.com/app:1,
		command: [java, %s, -cp, %q, Service, "%d", "%d", "%d"],
		resources: {requests: {cpu: %q, memory: %s}, limits: {memory: %s}}}]}}`,
		s.Name, s.Class, strings.ReplaceAll(s.Flags, " ", ", "), dir, s.LiveMiB, s.Rate*int(load.Seconds()), s.Rate, s.CPU, s.Memory, s.Memory)
	return object, yaml.Unmarshal([]byte(strings.ReplaceAll(text, "\t", "")), &object)
}

// container is what is read of the manifest.
type container struct {
	Command []string `json:"command"`
	Env     []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"env"`
	Resources struct {
		Limits map[string]string `json:"limits"`
	} `json:"resources"`
}

// containerOf is the one container of a manifest, and its limits.
func containerOf(object map[string]any) (c container, limits cgroup.Limits, err error) {
	var pod struct {
		Spec struct {
			Containers []container `json:"containers"`
		} `json:"spec"`
	}
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, &pod)
	}
	if err != nil {
		return c, limits, err
	}
	c = pod.Spec.Containers[0]
	memory, err := resource.ParseQuantity(c.Resources.Limits["memory"])
	if err != nil {
		return c, limits, err
	}
	limits.Memory = memory.Value()
	if text := c.Resources.Limits["cpu"]; text != "" {
		cpu, err := resource.ParseQuantity(text)
		if err != nil {
			return c, limits, err
		}
		limits.Quota, limits.Period = time.Duration(cpu.MilliValue())*cfsPeriod/1000, cfsPeriod
	}
	return c, limits, nil
}

// run starts a service as its manifest says, in a cgroup with its limits.
func (s *service) run(ctx context.Context, bin string, object map[string]any) (r ran, seen engine.Measured, err error) {
	c, limits, err := containerOf(object)
	if err != nil {
		return r, seen, err
	}
	g, err := cgroup.New(limits)
	if err != nil {
		return r, seen, err
	}
	defer g.Close()
	r = ran{Limit: c.Resources.Limits["memory"], CPULimit: c.Resources.Limits["cpu"]}
	command := g.Command(ctx, append([]string{filepath.Join(bin, "java")}, c.Command[1:]...)...)
	var out, said bytes.Buffer
	command.Stdout, command.Stderr, command.Env = &out, &said, os.Environ()
	r.Flags = strings.Join(c.Command[1:len(c.Command)-6], " ")
	for _, v := range c.Env {
		command.Env = append(command.Env, v.Name+"="+v.Value)
		r.Flags = v.Value + " " + r.Flags
	}
	began, ended := time.Now(), make(chan error, 1)
	if err := command.Start(); err != nil {
		return r, seen, err
	}
	go func() { ended <- command.Wait() }()
	peak, failed, err := watch(g, ended)
	if err != nil {
		return r, seen, err
	}
	lasted := time.Since(began)
	used, err := r.count(g)
	switch {
	case err != nil || r.Killed:
		return r, seen, err
	case failed != nil:
		return r, seen, fmt.Errorf("%w: %s", failed, said.String())
	}
	seen, err = r.told(out.String(), used.Used.Seconds()/lasted.Seconds(), peak)
	return r, seen, err
}

// count reads what the kernel counted.
func (r *ran) count(g *cgroup.Group) (cgroup.Stat, error) {
	used, err := g.CPU()
	if err != nil {
		return used, err
	}
	charged, err := g.Charged()
	if err != nil {
		return used, err
	}
	kills, err := g.Kills()
	r.TookMiB, r.Killed = charged/mib, kills > 0
	if used.Periods > 0 {
		r.Throttled = float64(used.Throttled) / float64(used.Periods)
	}
	return used, err
}

// told is what a Prometheus would have of the run, if it were a week.
func (r *ran) told(out string, average, peak float64) (engine.Measured, error) {
	const week = 7 * 24 * time.Hour
	var process, own float64
	told := engine.Runtime{Exporter: "the service itself", Kind: "jvm", Samples: 2016, Seen: week}
	_, err := fmt.Sscan(out, &process, &own, &told.GCShare, &told.Live, &told.Metaspace, &told.CodeCache, &told.Direct,
		&told.Threads, &told.HeapMax)
	r.GCShare, r.LiveMiB = told.GCShare, int64(told.Live)/mib
	milli := func(cores float64) string { return fmt.Sprintf("%dm", int(1000*cores)+1) }
	return engine.Measured{
		Source: "the lab", Window: week, Seen: week, Samples: 2016, Age: time.Minute,
		CPUAverage: milli(average), CPUPeak: milli(max(peak, average)), MemoryPeak: fmt.Sprintf("%dMi", r.TookMiB+1),
		Periods: -1, Throttled: -1, ThrottledSeconds: -1, Runtime: told,
	}, err
}

// watch waits for the end of a run, and gives the most cores that it used in a step.
func watch(g *cgroup.Group, ended <-chan error) (peak float64, failed, err error) {
	ticks := time.NewTicker(sampled)
	defer ticks.Stop()
	at, before := time.Now(), cgroup.Stat{}
	for {
		select {
		case failed = <-ended:
			return peak, failed, nil
		case <-ticks.C:
			now, err := g.CPU()
			if err != nil {
				return peak, nil, err
			}
			peak = max(peak, now.Less(before).Used.Seconds()/time.Since(at).Seconds())
			at, before = time.Now(), now
		}
	}
}

// row is the service in the table of docs/size.md.
func (s *service) row() string {
	var out strings.Builder
	fmt.Fprintf(&out, "| **%s** (%s), %d MiB a second |", s.Name, s.Class, s.Rate)
	for _, r := range s.Runs {
		limits := r.Limit
		if r.CPULimit != "" {
			limits += ", " + r.CPULimit + " CPU"
		}
		came := fmt.Sprintf("took %d MiB, %d live; %.1f %% in collections", r.TookMiB, r.LiveMiB, 100*r.GCShare)
		if r.Killed {
			came = "**OOMKilled**"
		}
		fmt.Fprintf(&out, " %s; %s: %s |", r.Flags, limits, came)
	}
	return strings.TrimSuffix(out.String(), " ") + "\n"
}
