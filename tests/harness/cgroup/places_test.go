package cgroup

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
	for own, want := range map[string][]string{
		"0::/\n":                   {root},
		"0::/user.slice/a.scope\n": {root + "/user.slice/a.scope", root + "/user.slice", root},
		"0::/../other\n":           nil, // above what is mounted
		"2:cpu:/a\n3:memory:/b\n":  {root + "/cpu/a"},
	} {
		var got []string
		for _, p := range mounts(own).places() {
			got = append(got, p["cpu"])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, not %v", own, got, want)
		}
	}
	g := &Group{version: 2, dirs: map[string]string{}}
	if err := g.make(mounts("0::/../other\n"), "none"); err == nil {
		t.Error("made a group nowhere")
	}
}

// A group is made once for all controllers that share its folder, and is not made where a process
// cannot be moved to. A plain folder takes the number of the shell and is no cgroup.
func TestBelow(t *testing.T) {
	parent := t.TempDir()
	g := &Group{version: 2, dirs: map[string]string{}}
	if err := g.below(map[string]string{"cpu": parent, "cpuacct": parent, "memory": parent}, "made"); err != nil {
		t.Error(err)
	}
	moved, err := os.ReadFile(filepath.Join(parent, "made", "cgroup.procs"))
	if err != nil || strings.TrimSpace(string(moved)) == "" {
		t.Errorf("%q, %v", moved, err)
	}
	refusing := filepath.Join(parent, "made", "none")
	if err := g.below(map[string]string{"cpu": refusing, "cpuacct": refusing, "memory": refusing}, "made"); err == nil {
		t.Error("made a group in a folder that is not there")
	}
	if err := g.below(map[string]string{"cpu": parent}, "other"); err == nil {
		t.Error("made a group without a controller")
	}
}

func TestRoom(t *testing.T) {
	if got := available("MemTotal: 9 kB\nMemAvailable:    4096 kB\n"); got != 4<<20 {
		t.Error(got)
	}
	if got := available(""); got != math.MaxInt64 {
		t.Error(got)
	}
	for text, want := range map[string]int64{"max\n": math.MaxInt64, "1048576\n": 1 << 20} {
		g := group(t, 2, map[string]string{"memory.max": text})
		if got := (mounted{version: 2}).limited(g.dirs["memory"]); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
	if got := (mounted{version: 1}).limited(t.TempDir()); got != math.MaxInt64 {
		t.Error(got)
	}
	if err := (mounted{}).room(math.MaxInt64 - 1); err == nil {
		t.Error("the machine has room for everything")
	}
	if err := (mounted{}).room(0); err != nil {
		t.Error(err)
	}
}

// What a test left that was killed is removed, and nothing else.
func TestSweep(t *testing.T) {
	parent := t.TempDir()
	const gone = 1 << 30 // above the highest number of a process
	stays := []string{fmt.Sprintf("%s%d-1", prefix, os.Getpid()), "other-1-1", prefix + "name", fmt.Sprintf("other-%d-1", gone)}
	for _, name := range append([]string{fmt.Sprintf("%s%d-1", prefix, gone)}, stays...) {
		if err := os.Mkdir(filepath.Join(parent, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(parent, prefix)
	entries, err := os.ReadDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	slices.Sort(stays)
	if !slices.Equal(left, stays) {
		t.Errorf("%v are left, not %v", left, stays)
	}
	Sweep(filepath.Join(parent, "none"), prefix)
}

// A group of the same name is made anew, and not one that is in use.
func TestMake(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "group")
	for range 2 {
		if err := Make(dir); err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "used"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Make(dir); err == nil {
		t.Error("made a group that is in use")
	}
	if err := os.Remove(filepath.Join(dir, "used")); err != nil {
		t.Fatal(err)
	}
	Remove(dir)
	if _, err := os.Stat(dir); err == nil {
		t.Error("it is still there")
	}
	Remove(dir)
}
