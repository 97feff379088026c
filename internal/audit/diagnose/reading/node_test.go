package reading

import (
	"maps"
	"testing"
)

func TestNode(t *testing.T) {
	for text, want := range map[string][2]int64{
		"6.18.44-fc-v595\n":              {6, 18},
		"4.19.0-17-amd64\n":              {4, 19},
		"3.10.0-1160.el7.x86_64\n":       {3, 10},
		"5.15.0-1051-azure":              {5, 15},
		"5.4\n":                          {5, 4},
		"6.6.10+bpo-cloud-amd64~deb12\n": {6, 6},
	} {
		f := Of(map[string]string{Kernel: text})
		kernel, _ := f.Read["kernel"].(map[string]any)
		if len(f.Broken) > 0 || kernel["major"] != want[0] || kernel["minor"] != want[1] {
			t.Errorf("%q: %v %v", text, kernel, f.Broken)
		}
	}
	for text, want := range map[string]int64{"0\n": 1, "0-31\n": 32, "0-1,4,8-11\n": 7, "2-2": 1} {
		f := Of(map[string]string{Online: text, Later + CPUs: text})
		if len(f.Broken) > 0 || f.Read["cpus_node"] != want || f.Read["cpus"] != want {
			t.Errorf("%q: %v %v", text, f.Read, f.Broken)
		}
	}
}

func TestNodeOfGarbage(t *testing.T) {
	for name, texts := range map[string][]string{
		Kernel: {"", "Linux", "6", "6.x", "6.1\x1b[31m", "12345.1", "6.1 hunter2"},
		Online: {"", "a", "3-1", "0-", "0,,2", "0-99999", "-1", "0-4\n5"},
	} {
		for _, text := range texts {
			f := Of(map[string]string{name: text})
			if len(f.Broken) != 1 || f.Broken[0].File != name || len(f.Read) > 0 {
				t.Errorf("%s %q: %v %v", name, text, f.Read, f.Broken)
			}
		}
	}
}

func TestBurst(t *testing.T) {
	for _, files := range []map[string]string{
		{CPUMax: "200000 100000\n", CPUBurst: "50000\n"},
		{CPUQuota: "200000\n", CPUPeriod: "100000\n", CPUBurstV1: "50000\n"},
	} {
		f := Of(files)
		if len(f.Broken) > 0 || f.Read["burst_us"] != int64(50000) || f.Read["quota_us"] != int64(200000) {
			t.Errorf("%v %v", f.Read, f.Broken)
		}
	}
	if f := Of(map[string]string{CPUMax: "max 100000", CPUBurst: "max"}); len(f.Broken) != 1 || f.Broken[0].File != CPUBurst {
		t.Error(f.Broken)
	}
}

// The second look is what is judged, and the first what was before.
func TestTwoLooks(t *testing.T) {
	const counters = "java.property.java.version=\"17.0.9\"\njava.property.java.home=\"/opt/secret\"\nsun.gc.collector.0.invocations="
	f := Of(map[string]string{
		Status: "Threads:\t41\n", Later + Status: "Threads:\t47\n",
		PerfCounters: counters + "3\n", Later + PerfCounters: counters + "5\n",
	})
	now, _ := f.Read["perf"].(map[string]any)
	before, _ := f.Read["perf_before"].(map[string]any)
	if f.Read["threads"] != int64(47) || f.Read["threads_before"] != int64(41) || now["collections"] != int64(5) ||
		before["collections"] != int64(3) || now["version"] != "17.0.9" {
		t.Errorf("%v %v", f.Read, f.Broken)
	}
	one := Of(map[string]string{Status: "Threads:\t41\n"})
	if !maps.Equal(one.Read, map[string]any{"threads": int64(41)}) {
		t.Errorf("one look: %v", one.Read)
	}
	broken := Of(map[string]string{Status: "Threads:\t41\n", Later + Status: "nothing"})
	if len(broken.Broken) != 1 || broken.Broken[0].File != Later+Status || broken.Read["threads"] != nil {
		t.Errorf("%v %v", broken.Read, broken.Broken)
	}
}
