package record_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

func TestReadWhatWasWritten(t *testing.T) {
	run := record.Run{TookMS: 130.1, Periods: 2, Throttled: 1, ThrottledMS: 49.9, UsedMS: 80, Bursts: 1, BurstMS: 30}
	cpu := record.CPU{QuotaMS: 50, PeriodMS: 100, BurstMS: 40}
	written := &record.Evidence{
		Machine: record.Machine{Processors: 2, Kernel: "6.18.44", Cgroup: 1, SliceMS: 5},
		Quota:   []record.Quota{{Threads: 1, WorkMS: 80, CPU: cpu, Runs: []record.Run{run, run}}},
		Busy:    []record.Busy{{Threads: 2, CPU: cpu, Runs: []record.Run{run}}},
		Pauses:  []record.Pauses{{JDK: "17", GCThreads: 2, CPU: cpu, Run: run, Pauses: 3, MeanMS: 1, P99MS: 2, WorstMS: 3}},
		Memory:  []record.Memory{{JDK: "17", Feature: 17, Collector: "G1", BudgetMiB: 3, ChargedMiB: 2, KeptMiB: 1}},
		Kills:   []record.Kill{{JDK: "17", LimitMiB: 512, Heap: "-Xmx1g", Rules: []string{"HR304"}, Killed: true, ExitCode: 137}},
	}
	for _, e := range []*record.Evidence{written, {}} {
		file := filepath.Join(t.TempDir(), "evidence.json")
		if err := e.Write(file); err != nil {
			t.Fatal(err)
		}
		read, err := record.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range []any{read.Quota, read.Busy, read.Pauses, read.Memory, read.Kills} {
			if e != written && reflect.ValueOf(list).Len() > 0 {
				t.Errorf("read %v of nothing", list)
			}
		}
		if e == written && !reflect.DeepEqual(read, written) {
			t.Errorf("read %+v, written %+v", read, written)
		}
	}
	if _, err := record.Read(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no file, and no error")
	}
}

func TestReadServersThatWereWritten(t *testing.T) {
	written := &record.Servers{
		Machine: record.Machine{Processors: 4, Kernel: "6.18.44", Cgroup: 1},
		Servers: []record.Server{{
			Name: "a", Version: "1", Date: "2026-01-02", JDK: "17.0.1", Feature: 17, LimitMiB: 512, CPU: "1", Flags: []string{"-Xmx1g"},
			Seconds: 50, Collector: "G1", Killed: true, Threads: 3, HeldMiB: 4, Heap: record.Heap{Max: 1, Used: 2, Committed: 3, Resident: 4},
			Regions: record.Regions{Metaspace: 1, CodeCache: 2, Direct: 3, Stacks: 4, Native: 5, Collector: 6},
		}},
	}
	file := filepath.Join(t.TempDir(), "servers.json")
	if err := written.Write(file); err != nil {
		t.Fatal(err)
	}
	if read, err := record.ReadServers(file); err != nil || !reflect.DeepEqual(read, written) {
		t.Errorf("read %+v, %v", read, err)
	}
	if _, err := record.ReadServers(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no file, and no error")
	}
}
