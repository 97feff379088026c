package reading

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestFiles(t *testing.T) {
	const mib = int64(1 << 20)
	for name, test := range map[string]struct {
		files   map[string]string
		read    map[string]any
		missing string // the name of a file
		broken  string // "FILE: the beginning of the reason"
	}{
		"cpu.stat v2": {
			files: map[string]string{CPUStat: "usage_usec 9\nnr_periods 600\nnr_throttled 19\nthrottled_usec 750000\n"},
			read: map[string]any{"cpu": map[string]any{
				"periods": int64(600), "throttled": int64(19), "throttled_ns": int64(750e6),
			}},
		},
		"cpu.stat v1": {
			files: map[string]string{Later + CPUStat: "nr_periods 600\nnr_throttled 19\nthrottled_time 750000000\n"},
			read: map[string]any{"cpu_later": map[string]any{
				"periods": int64(600), "throttled": int64(19), "throttled_ns": int64(750e6),
			}},
		},
		"cpu.stat without the controller": {
			files:   map[string]string{CPUStat: "usage_usec 9\nuser_usec 5\n"},
			missing: CPUStat,
		},
		"cpu.stat torn": {
			files:  map[string]string{CPUStat: "nr_periods 6\nnr_thro"},
			broken: "cpu.stat: line 2 is not a name and a number",
		},
		"cpu.stat without throttled": {
			files:  map[string]string{CPUStat: "nr_periods 6\nthrottled_usec 1\n"},
			broken: "cpu.stat: nr_periods and",
		},
		"cpu.stat more than all": {
			files:  map[string]string{CPUStat: "nr_periods 6\nnr_throttled 7\nthrottled_usec 1\n"},
			broken: "cpu.stat: nr_periods and",
		},
		"cpu.stat without time": {
			files:  map[string]string{CPUStat: "nr_periods 6\nnr_throttled 1\n"},
			broken: "cpu.stat: it has neither",
		},
		"cpu.stat overflows": {
			files:  map[string]string{CPUStat: "nr_periods 6\nnr_throttled 1\nthrottled_usec 18446744073709551615\n"},
			broken: "cpu.stat: throttled_usec",
		},
		"cpu.stat empty": {files: map[string]string{CPUStat: ""}, broken: "cpu.stat: it is empty"},
		"cpu.max": {
			files: map[string]string{CPUMax: "50000 100000\n"},
			read:  map[string]any{"version": 2, "quota_us": int64(50000), "period_us": int64(100000)},
		},
		"cpu.max without": {
			files: map[string]string{CPUMax: "max 100000\n"},
			read:  map[string]any{"version": 2, "quota_us": int64(-1), "period_us": int64(100000)},
		},
		"cpu.max of three": {
			files:  map[string]string{CPUMax: "1 2 3\n"},
			read:   map[string]any{"version": 2},
			broken: "cpu.max: ",
		},
		"quota v1": {
			files: map[string]string{CPUQuota: "-1\n"},
			read:  map[string]any{"quota_us": int64(-1)},
		},
		"quota v1 that is a": {
			files:  map[string]string{CPUQuota: "a\n"},
			broken: `cpu.cfs_quota_us: "a" is not a number`,
		},
		"memory v2, the later of both": {
			files: map[string]string{
				MemoryNow: "1", MemoryStat: "inactive_file 1\n",
				Later + MemoryNow: "1048576\n", Later + MemoryStat: "anon 5\ninactive_file 3\n", MemoryMax: "max\n",
			},
			read: map[string]any{"version": 2, "usage": mib, "inactive_file": int64(3), "limit": int64(-1)},
		},
		"memory v1 counts below": {
			files: map[string]string{
				UsageV1: "1048576\n", MemoryStat: "inactive_file 1\ntotal_inactive_file 3\n",
				LimitV1: "9223372036854771712\n", PeakV1: "2097152\n",
			},
			read: map[string]any{"version": 1, "usage": mib, "inactive_file": int64(3), "limit": int64(-1), "peak": 2 * mib},
		},
		"memory of a sample each": {
			files: map[string]string{Later + MemoryNow: "5", MemoryNow: "1048576", MemoryStat: "inactive_file 3\n"},
			read:  map[string]any{"version": 2, "usage": mib, "inactive_file": int64(3)},
		},
		"memory without cache": {
			files: map[string]string{MemoryNow: "5", MemoryStat: "anon 3\n"}, read: map[string]any{"version": 2},
			broken: "memory.stat: it has no inactive_file",
		},
		"memory that is max": {
			files:  map[string]string{MemoryNow: "max", MemoryStat: "inactive_file 1"},
			read:   map[string]any{"version": 2},
			broken: `memory.current: "max"`,
		},
		"kills v2": {
			files: map[string]string{MemoryEvents: "low 0\noom 3\noom_kill 2\n"},
			read:  map[string]any{"oom_kills": int64(2)},
		},
		"kills v1": {
			files: map[string]string{OOMControl: "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"},
			read:  map[string]any{"oom_kills": int64(1)},
		},
		"kills before 4.13": {
			files:   map[string]string{OOMControl: "oom_kill_disable 0\nunder_oom 0\n"},
			missing: OOMControl,
		},
		"pids": {
			files: map[string]string{PidsCurrent: "12\n"},
			read:  map[string]any{"pids": int64(12)},
		},
		"pids negative":    {files: map[string]string{PidsCurrent: "-1\n"}, broken: "pids.current: "},
		"escape sequences": {files: map[string]string{PidsCurrent: "\x1b[2J\n"}, broken: `pids.current: "?[2J"`},
		"status": {
			files: map[string]string{Status: "Name:\tjava\nVmRSS:\t  2 kB\nThreads:\t34\n"},
			read:  map[string]any{"threads": int64(34), "rss": int64(2048)},
		},
		"status of no one": {
			files:  map[string]string{Status: "Name:\tjava\n"},
			broken: "status: it has no line Threads",
		},
		"flags": {
			files: map[string]string{Flags: "7:\n-XX:MaxHeapSize=1048576 -XX:+UseG1GC\n"},
			read:  map[string]any{"flags": map[string]any{"MaxHeapSize": mib}},
		},
		"tracking off": {
			files: map[string]string{NativeMemory: "7:\nNative memory tracking is not enabled\n"},
			read:  map[string]any{"native": map[string]any{"off": true}},
		},
		"tracking in MB": {
			files: map[string]string{NativeMemory: "-      Java Heap (reserved=2MB, committed=1MB)\n"},
			read:  map[string]any{"native": map[string]any{"Java Heap": mib}},
		},
		"tracking of nothing": {
			files:  map[string]string{NativeMemory: "command not found\n"},
			broken: "VM.native_memory: ",
		},
		"heap of Shenandoah": {
			files: map[string]string{HeapInfo: "Shenandoah Heap\n 4M max, 4M soft max, 3M committed, 1M used\n" +
				" Metaspace       used 1024K, committed 2M\n"},
			read: map[string]any{"heap_info": map[string]any{"max": 4 * mib, "used": mib, "metaspace": mib}},
		},
		"heap of ZGC": {
			files: map[string]string{HeapInfo: " ZHeap           used 1M, capacity 2M, max capacity 4M\n"},
			read:  map[string]any{"heap_info": map[string]any{"max": 4 * mib, "used": mib}},
		},
		"heap in two parts": {
			files: map[string]string{HeapInfo: " PSYoungGen  total 9K, used 512K [0x0\n ParOldGen total 9K, used 512K [0x0\n"},
			read:  map[string]any{"heap_info": map[string]any{"used": mib}},
		},
		"counter that is none": {
			files:  map[string]string{PerfCounters: "sun.gc.generation.0.capacity=x\n"},
			broken: "PerfCounter.print: generation.0.capacity",
		},
	} {
		t.Run(name, func(t *testing.T) {
			facts := Of(test.files)
			if test.read == nil {
				test.read = map[string]any{}
			}
			if !reflect.DeepEqual(facts.Read, test.read) {
				t.Errorf("read %v, want %v", facts.Read, test.read)
			}
			if _, missing := facts.Missing[test.missing]; missing != (test.missing != "") {
				t.Errorf("missing %v", facts.Missing)
			}
			got := ""
			for _, b := range facts.Broken {
				got += fmt.Sprintf("%s: %s", b.File, b.Reason)
			}
			if !strings.HasPrefix(got, test.broken) || test.broken == "" && got != "" {
				t.Errorf("broken %q, want %q", got, test.broken)
			}
		})
	}
}

// What real JVMs told; the figures were held to what was allocated: Load keeps 120, 180, 100 and
// 40 MiB and some.
func TestCountersOfRealJVMs(t *testing.T) {
	const mib = 1 << 20
	for folder, want := range map[string]struct {
		gc           string
		alive, most  int64 // MiB
		afterGCKnown bool
	}{
		"v1-cart-serial": {"Serial", 121, 256, true},
		"v1-cart-g1":     {"G1", 193, 256, true},
		"v1-cart-zgc":    {"ZGC", 0, 256, false},
		"v1-cart-jre8":   {"Parallel", 41, 128, true},
	} {
		text, err := os.ReadFile(filepath.Join("../testdata", folder, PerfCounters))
		if err != nil {
			t.Fatal(err)
		}
		values, err := perfCounters(string(text))
		if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		alive, known := values["heap_after_gc"].(int64)
		if values["gc"] != want.gc || known != want.afterGCKnown || alive/mib != want.alive && alive/mib+1 != want.alive {
			t.Errorf("%s: %v", folder, values)
		}
		if most := values["heap_max"].(int64); most/mib != want.most {
			t.Errorf("%s: the heap is at most %d", folder, most)
		}
	}
}

func TestFlagsKeepNoSecrets(t *testing.T) {
	clean := CleanFlags(`-XX:+UseG1GC -XX:MaxHeapSize=5 -XX:OnOutOfMemoryError="curl -u me:hunter2" ` +
		`-XX:HeapDumpPath=/hunter2 -Dx=hunter2`)
	if clean != "-XX:+UseG1GC -XX:MaxHeapSize=5\n" {
		t.Errorf("%q", clean)
	}
}

func TestPerfDataThatIsNone(t *testing.T) {
	for _, data := range []string{
		"", "java", strings.Repeat("\x00", 64),
		"\xca\xfe\xc0\xc0\x01\x03" + strings.Repeat("\x00", 64),
		"\xca\xfe\xc0\xc0\x01\x02" + strings.Repeat("\xff", 64),
	} {
		if text, err := PerfData([]byte(data)); err == nil {
			t.Errorf("%q is read as %q", data, text)
		}
	}
}

// FuzzFiles: whatever stands in the files, they are read to the end, and what is read is whole:
// no figure is negative but the limits that say so.
func FuzzFiles(f *testing.F) {
	for _, folder := range []string{"v1-cart-g1", "v1-cart-zgc", "v2-cart", "garbage"} {
		for name := range maps.Keys(known()) {
			if text, err := os.ReadFile(filepath.Join("../testdata", folder, name)); err == nil {
				f.Add(name, string(text))
			}
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		facts := Of(map[string]string{name: text, Later + name: text})
		out, err := json.Marshal(facts)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range facts.Broken {
			if strings.ContainsAny(b.Reason, "\x1b\n\x00") {
				t.Errorf("%q", b.Reason)
			}
		}
		for key, value := range facts.Read {
			if n, ok := value.(int64); ok && n < 0 && key != "limit" && key != "quota_us" {
				t.Errorf("%s is %d in %s", key, n, out)
			}
		}
	})
}

func FuzzPerfData(f *testing.F) {
	f.Add([]byte("\xca\xfe\xc0\xc0\x01\x02\x00\x01" + strings.Repeat("\x00", 16) + "\x20\x00\x00\x00\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if text, err := PerfData(data); err == nil && !perfLine.MatchString(strings.SplitN(text, "\n", 2)[0]) {
			t.Errorf("%q", text)
		}
	})
}

func known() map[string]bool {
	names := map[string]bool{}
	for _, list := range [][]string{V1, V2, OfJVM} {
		for _, name := range list {
			names[name] = true
		}
	}
	return names
}
