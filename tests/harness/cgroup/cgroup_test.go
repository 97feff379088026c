package cgroup

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestMounts(t *testing.T) {
	for name, c := range map[string]struct {
		own     string
		version int
		dirs    map[string]string
	}{
		"version 1": {
			"4:memory:/a\n2:cpu,cpuacct:/b:c\n1:name=systemd:/\n0::/\n", 1,
			map[string]string{
				"memory": "/sys/fs/cgroup/memory/a", "cpu": "/sys/fs/cgroup/cpu,cpuacct/b:c",
				"cpuacct": "/sys/fs/cgroup/cpu,cpuacct/b:c", "name=systemd": "/sys/fs/cgroup/name=systemd",
			},
		},
		"version 2": {
			"0::/user.slice\n", 2,
			map[string]string{
				"memory": "/sys/fs/cgroup/user.slice", "cpu": "/sys/fs/cgroup/user.slice", "cpuacct": "/sys/fs/cgroup/user.slice",
			},
		},
		"none": {"", 1, map[string]string{}},
	} {
		if m := mounts(c.own); m.version != c.version || !maps.Equal(m.own, c.dirs) {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// Files as the kernels of both versions write them.
func TestCounts(t *testing.T) {
	v1 := group(t, 1, map[string]string{
		"cpu.stat":                   "nr_periods 112\nnr_throttled 4\nthrottled_time 190000000\nnr_bursts 2\nburst_time 60000000\n",
		"cpuacct.usage":              "5000000000\n",
		"memory.max_usage_in_bytes":  "1048576\n",
		"memory.usage_in_bytes":      "1000000\n",
		"memory.stat":                "cache 0\ntotal_rss 500\ntotal_shmem 60\ntotal_inactive_file 1000\n",
		"memory.kmem.usage_in_bytes": "7\n",
		"memory.oom_control":         "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n",
	})
	v2 := group(t, 2, map[string]string{
		"cpu.stat":       "usage_usec 5000000\nnr_periods 112\nnr_throttled 4\nthrottled_usec 190000\nnr_bursts 2\nburst_usec 60000\n",
		"memory.peak":    "1048576\n",
		"memory.current": "1000000\n",
		"memory.stat":    "anon 500\nkernel 7\nshmem 60\ninactive_file 1000\n",
		"memory.events":  "low 0\noom 2\noom_kill 1\n",
	})
	for _, g := range []*Group{v1, v2} {
		cpu, err := g.CPU()
		if want := (Stat{112, 4, 190 * time.Millisecond, 5 * time.Second, 2, 60 * time.Millisecond}); err != nil || cpu != want {
			t.Errorf("version %d: %+v, %v", g.version, cpu, err)
		}
		if less := cpu.Less(Stat{100, 1, time.Millisecond, time.Second, 1, 0}); less.Periods != 12 || less.Used != 4*time.Second || less.Bursts != 1 {
			t.Errorf("version %d: %+v", g.version, less)
		}
		for name, c := range map[string]struct {
			read func() (int64, error)
			want int64
		}{"charged": {g.Charged, 1048576}, "kept": {g.Kept, 999000}, "held": {g.Held, 567}, "shared": {g.Shared, 60}, "kills": {g.Kills, 1}} {
			if got, err := c.read(); err != nil || got != c.want {
				t.Errorf("version %d, %s: %d, %v", g.version, name, got, err)
			}
		}
	}
	if _, err := group(t, 1, nil).CPU(); err == nil {
		t.Error("no file, and no error")
	}
	if _, err := parse("cpu.stat", "nr_periods many\n"); err == nil {
		t.Error("no number, and no error")
	}
}

// What sets a quota and a burst, as the kernels of both versions take it.
func TestBandwidth(t *testing.T) {
	limits := Limits{Quota: 200 * time.Millisecond, Period: 100 * time.Millisecond, Burst: 50 * time.Millisecond}
	for version, want := range map[int]map[string]string{
		1: {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "200000", "cpu.cfs_burst_us": "50000"},
		2: {"cpu.max": "200000 100000", "cpu.max.burst": "50000"},
	} {
		g := group(t, version, nil)
		if err := g.Rewrite(limits); err != nil {
			t.Error(err)
		}
		for file, value := range want {
			if text, err := os.ReadFile(filepath.Join(g.dirs["cpu"], file)); err != nil || string(text) != value {
				t.Errorf("version %d, %s: %q, %v", version, file, text, err)
			}
		}
		if err := group(t, version, nil).Rewrite(Limits{}); err != nil {
			t.Error(err)
		}
	}
}

func group(t *testing.T, version int, files map[string]string) *Group {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &Group{version: version, dirs: map[string]string{"cpu": dir, "cpuacct": dir, "memory": dir}}
}
