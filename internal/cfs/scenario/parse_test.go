package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const head = "apiVersion: headroom.dev/v1alpha1\nkind: Scenario\n"

// TestMistakes: each is reported with its line, all of a file at once.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		says       []string
	}{
		{"empty", "", []string{":1: is empty"}},
		{"no YAML", "a: [", []string{":1: is not valid YAML: "}},
		{"tab", head + "\tlimit: 1", []string{":2: is not valid YAML: found a tab character"}},
		{"two", head + "limit: 1\nprocessors: 1\nloads: [{name: a, work: 1ms}]\n---\na: b\n", []string{":6: has more than one document"}},
		{"list", "- a\n", []string{
			":1: a scenario has fields: apiVersion, kind, title",
		}},
		{"other kind", "apiVersion: v1\nkind: Pod\nlimit: 1\nprocessors: 1\nloads: [{name: a, work: 1ms}]\n", []string{
			`:1: apiVersion is "v1", and should be headroom.dev/v1alpha1`, `:2: kind is "Pod", and should be Scenario`,
		}},
		{"keys", head + "limit: 1\nlimits: 2\nprocessor: 4\nnonsense: 1\nlimit: 2\nprocessors: 2\nloads: [{name: a, wrok: 1ms}]\n", []string{
			`:4: unknown key "limits"; did you mean limit?`, `:5: unknown key "processor"; did you mean processors?`,
			`:6: unknown key "nonsense"; a scenario has apiVersion, kind, title`, ":7: limit is there twice; it was in line 3",
			`:9: unknown key "wrok"; did you mean work?`, ":9: a load has work, the CPU time of each thread, or total",
		}},
		{"values", head + `limit: [2, two, 0, "0.0001", 1.5m, -1, 99999, {a: 1}]
processors: [0, many, 1.5, 9000]
period: [100, 1us, 1h, [1ms]]
title: [a]
loads:
- name: a
  threads: -1
  work: 20
  every: 0s
  times: 0
- start: 5
  threads: 1
  work: 1ms
  total: 2ms
`, []string{
			`:3: limit is "two", and should be a CPU limit as 2, 1.5 or 500m`, `:3: limit is "0",`, `:3: limit is "0.0001",`,
			`:3: limit is "1.5m",`, `:3: limit is "-1",`, `:3: limit is "99999",`, ":3: limit should be a CPU limit",
			`:4: processors is "0", and should be a number from 1 to 8192`, `:4: processors is "many"`, `:4: processors is "1.5"`,
			`:5: period is "100", and should be a time with its unit, as in 20ms`, `:5: period is "1us", and should be a time with its unit, as in 20ms, from 1ms to 1s`,
			`:5: period is "1h"`, ":5: period should be a time", ":6: title is one value, and is not swept",
			`:9: threads is "-1"`, `:10: work is "20"`, `:11: every is "0s", and should be a time with its unit, as in 20ms, from 1µs to 24h0m0s`,
			`:12: times is "0"`,
		}},
		{"second load", head + "limit: 1\nprocessors: 1\nloads:\n- {name: a, work: 1ms}\n- {start: 5, work: 1ms, total: 2ms}\n- {name: a, work: 1ms, every: 2ms}\n- b\n", []string{
			`:7: start is "5"`, ":7: name is missing", ":7: a load has work", ":8: every and times go together",
			":8: load a has its name from the load of line 6", ":9: a load has fields",
		}},
		{"lists", head + "limit: []\nprocessors: 1\nloads: [{name: a, threads: [1, 2], work: [1ms, 2ms, 3ms], start: [1ms], times: [1, 2], every: 1ms}]\n", []string{
			":3: limit has 0 values, and should have 1 to 64", ":5: the lists of a load go together", ":5: start is one value, and is not swept",
			":5: times is one value, and is not swept",
		}},
		{"long list", head + "limit: [" + strings.Repeat("1, ", 65) + "]\nprocessors: 1\nloads: [{name: a, work: 1ms}]\n", []string{
			":3: limit has 65 values, and should have 1 to 64",
		}},
		{"too often", head + "limit: 1\nprocessors: 1\nloads: [{name: a, work: 1ms, every: 1h, times: 4000}]\n", []string{
			":5: the load comes for longer than 24h0m0s",
		}},
		{"too many", head + "limit: 1\nprocessors: 1\nloads: [{name: a, work: 1ms, every: 1ms, times: 4000}, {name: b, work: 1ms, every: 1ms, times: 97}]\n", []string{
			":5: the loads come more than 4096 times together",
		}},
		{"burst", head + "limit: 1\nprocessors: 1\nburst: [10, -1ms]\nloads: [{name: a, work: 1ms}]\n", []string{
			`:5: burst is "10", and should be a time with its unit`, `:5: burst is "-1ms"`,
		}},
		{"no loads", head + "limit: 1\nprocessors: 1\nloads: []\n", []string{":5: loads should be a list of 1 to 64"}},
		{"layer", head + "layer: both\nlimit: 1\n", []string{`:3: layer is "both", and should be period or pool`}},
		{"busy in period", head + "layer: period\nlimit: 1\nprocessors: 1\nbusy: {threads: 1}\n", []string{
			":6: busy belongs to the pool layer", ":1: loads is missing",
		}},
		{"pool", head + `layer: pool
limit: none
processors: [2, 3]
loads: [{name: a, work: 1ms}]
busy:
  threads: [3, 4]
  remedy: [none, prayer]
  rewrite: [never, always, 1us]
  slushCap: 4ms
  aligned: perhaps
  tick: 0s
  seeds: 0
  slices: 1ms
`, []string{
			":4: the pool layer needs a CPU limit; none has no quota to hand out", ":5: 2 processors are too few for 4 busy threads",
			":5: 3 processors are too few", ":5: processors are not swept in the pool layer", ":6: loads belong to the period layer",
			`:9: remedy is "prayer", and should be one of none, slush-fund, expiry, no-op-update, charge-at-end`,
			`:10: rewrite is "always", and should be a time`, `:10: rewrite is "1us", and should be a time with its unit, as in 20ms, from 1ms to 1h0m0s, or never`,
			`:11: unknown key "slushCap"; busy has threads`,
			`:12: aligned is "perhaps", and should be true or false`, `:13: tick is "0s"`, `:14: seeds is "0"`,
			`:15: unknown key "slices"; did you mean slice?`,
		}},
		{"pool without busy", head + "layer: pool\nlimit: 1\n", []string{":1: busy is missing"}},
		{"busy without threads", head + "limit: 1\nbusy: {seeds: 3}\n", []string{":4: threads is missing"}},
		{"long", head + "limit: 1\nprocessors: 1\ntitle: " + strings.Repeat("a", 1001) + "\nloads: [{name: a, work: 1ms}]\n", []string{
			`:5: title is "` + strings.Repeat("a", 60) + `…", and should be text of at most 1000 bytes`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse("file", []byte(c.text))
			if err == nil {
				t.Fatalf("read as %+v", s)
			}
			text := err.Error() + "\n"
			for _, says := range c.says {
				if !strings.Contains(text, "file"+says) {
					t.Errorf("does not say %q", says)
				}
			}
			if t.Failed() || c.name != "long" && strings.Count(text, "\n") > 20 {
				t.Logf("says\n%s", text)
			}
		})
	}
}

// TestReads: what YAML allows is read as it is meant.
func TestReads(t *testing.T) {
	s, err := Parse("file", []byte(head+`title: " two lines
  in one "
limit: &two ["2", 500m, "1.25", none]
period: 20ms
processors: 8
layer: ~
loads:
- name: a
  threads: [1, 2]
  work: &w [1ms, 2.5ms]
  every: 1s
  times: 3
- {name: b, total: 10ms, threads: 3, start: 1m}
- {name: c, work: *w}
`))
	if err != nil {
		t.Fatal(err)
	}
	if s.Title != "two lines in one" || s.Layer != Period || len(s.Limits) != 4 || s.Limits[2] != 1250 || s.Limits[3] != 0 {
		t.Errorf("%+v", s)
	}
	if threads, work := s.Loads[0].variant(1); threads != 2 || work != 2500*time.Microsecond || s.Loads[0].Times != 3 {
		t.Errorf("%+v", s.Loads[0])
	}
	if threads, work := s.Loads[1].variant(0); threads != 3 || work != 3333334 || s.Loads[1].Start != time.Minute {
		t.Errorf("%+v", s.Loads[1])
	}
	if threads, work := s.Loads[2].variant(1); threads != 1 || work != 2500*time.Microsecond {
		t.Errorf("%+v", s.Loads[2])
	}
	cases, err := s.Cases()
	if err != nil || len(cases) != 4*2*1*2 {
		t.Errorf("%d cases, %v", len(cases), err)
	}
}

func TestReadsFiles(t *testing.T) {
	folder := t.TempDir()
	big := filepath.Join(folder, "big.yaml")
	if err := os.WriteFile(big, make([]byte, maxBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, says := range map[string]string{
		filepath.Join(folder, "none.yaml"): "cannot be read: no such file or directory",
		folder:                             "cannot be read: is a directory",
		big:                                "is too long; at most 1048576 bytes are read",
	} {
		if _, err := Read(file); err == nil || err.Error() != file+": "+says {
			t.Errorf("%v, want %s: %s", err, file, says)
		}
	}
}

func FuzzParse(f *testing.F) {
	samples, err := filepath.Glob("../../../samples/scenarios/*.yaml")
	if err != nil || len(samples) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, file := range samples {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(head + "limit: 1\nprocessors: 1\nloads: [&a {name: a, work: 1ms}, *a]\n"))
	f.Add([]byte(head + "limit: &a [*a]\n<<: {x: y}\n? {a: b}\n: c\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse("file", text)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "file:") || strings.HasPrefix(line, "file:0:") {
					t.Fatalf("no place: %s", err)
				}
			}
			return
		}
		cases, err := s.Cases()
		if err != nil {
			return
		}
		if len(cases) == 0 || len(cases) > MaxCases {
			t.Fatalf("%d cases", len(cases))
		}
		if s.Layer == Period && small(s) {
			show(t, s)
		}
	})
}
