package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// Each server has its jars and its source, and none of them is left over.
func TestTable(t *testing.T) {
	jars, err := parseArtefacts(artefactList)
	if err != nil {
		t.Fatal(err)
	}
	if len(servers) < 8 {
		t.Errorf("%d servers", len(servers))
	}
	seen, taken, compiled := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range servers {
		key := s.name + s.jars + string(rune('0'+s.release))
		if seen[key] {
			t.Errorf("%s is there twice for one release", s.name)
		}
		seen[key], taken[s.jars], compiled[s.source] = true, true, true
		if len(jars[s.jars]) == 0 {
			t.Errorf("%s has no jars", s.name)
		}
		if !slices.ContainsFunc(jars[s.jars], func(a artefact) bool { return strings.Contains(a.path, "/"+s.version) }) {
			t.Errorf("%s is of another version than %s", s.name, s.version)
		}
		if s.source == "" {
			continue
		}
		if _, err := fs.Stat(sources, "java/"+s.source+".java"); err != nil {
			t.Error(err)
		}
	}
	for name := range jars {
		if !taken[name] {
			t.Errorf("no server takes the jars of %s", name)
		}
	}
	files, err := fs.ReadDir(sources, "java")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !compiled[strings.TrimSuffix(file.Name(), ".java")] {
			t.Errorf("no server takes %s", file.Name())
		}
	}
}

func TestArtefacts(t *testing.T) {
	const sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" // of hello
	for list, good := range map[string]bool{
		"# a\n" + sum + "  x/a.jar\n": true,
		sum + "  x/a.jar\n":           false,
		"# a\n" + sum + " x/a.jar\n":  false,
		"# a\nbeef  x/a.jar\n":        false,
		"# a\nnothing\n":              false,
	} {
		if _, err := parseArtefacts(list); (err == nil) != good {
			t.Errorf("%q: %v", list, err)
		}
	}
	a := artefact{sum, "x/a.jar"}
	dir := t.TempDir()
	file := filepath.Join(dir, "x", "a.jar")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	for text, good := range map[string]bool{"hello": true, "hell": false} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := a.get(context.Background(), dir); (err == nil) != good || got != file {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
}

// What jcmd of JDK 21 says, shortened.
const native = `
Total: reserved=2101517KB, committed=362657KB

-                 Java Heap (reserved=393216KB, committed=142336KB)
                            (mmap: reserved=393216KB, committed=142336KB, at peak)

-                     Class (reserved=1049802KB, committed=9216KB)
                            (  Metadata:   )
                            (    reserved=65536KB, committed=55232KB)

-                    Thread (reserved=233201KB, committed=24429KB)
                            (threads #228)
                            (stack: reserved=232448KB, committed=23552KB, peak=23676KB)

-                      Code (reserved=250012KB, committed=26624KB)

-                        GC (reserved=46127KB, committed=41984KB)

-                     Other (reserved=16716KB, committed=16384KB)

-                 Metaspace (reserved=65817KB, committed=55296KB)
`

func TestTracked(t *testing.T) {
	heap, r, err := tracked(native)
	want := record.Regions{Metaspace: 63, CodeCache: 26, Direct: 16, Stacks: 23, Collector: 41}
	if err != nil || heap != 139 || r != want {
		t.Errorf("%v, %+v, %v", heap, r, err)
	}
	for _, without := range []string{"Java Heap", "Class (", "Thread", "Code", "GC", "stack:"} {
		if _, _, err := tracked(strings.Replace(native, without, "?", 1)); err == nil {
			t.Errorf("no %s, and no error", without)
		}
	}
}

func TestHeap(t *testing.T) {
	for name, c := range map[string]struct {
		info      string
		used      float64
		low, high uint64
	}{
		"G1": {` garbage-first heap   total 142336K, used 92160K [0x00000000e8000000, 0x0000000100000000)
  region size 1024K, 49 young (50176K), 7 survivors (7168K)
 Metaspace       used 62341K, committed 63104K, reserved 1114112K
  class space    used 7513K, committed 7872K, reserved 1048576K
`, 90, 0xe8000000, 0x100000000},
		"Serial": {` def new generation   total 1984K, used 1024K [0x00000000e0000000, 0x00000000e0220000, 0x00000000eaaa0000)
  eden space 1792K,  57% used [0x00000000e0000000, 0x00000000e0100000, 0x00000000e01c0000)
 tenured generation   total 4096K, used 2048K [0x00000000eaaa0000, 0x00000000eaea0000, 0x0000000100000000)
 Metaspace       used 62341K
`, 3, 0xe0000000, 0x100000000},
		"ZGC": {" ZHeap           used 70M, capacity 128M, max capacity 512M\n Metaspace used 1K\n", 70, 0, 0},
	} {
		if used, low, high := heapInfo(c.info); used != c.used || low != c.low || high != c.high {
			t.Errorf("%s: %v, %x, %x", name, used, low, high)
		}
	}
	const smaps = `e8000000-e9000000 rw-p 00000000 00:00 0
Size:              16384 kB
Rss:               10240 kB
Pss:               10240 kB
e9000000-100000000 ---p 00000000 00:00 0
Rss:                1024 kB
100000000-100bc0000 rw-p 00001000 fe:00 1               /usr/lib/jvm/classes.jsa
Rss:               11000 kB
`
	if mib := within(smaps, 0xe8000000, 0x100000000); mib != 11 {
		t.Errorf("%v MiB", mib)
	}
	if most, name := flags("-XX:MaxHeapSize=402653184 -XX:+UseCompressedOops -XX:+UseG1GC"); most != 384 || name != "G1" {
		t.Errorf("%v, %s", most, name)
	}
}
