package drawing

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/headroom-dev/headroom/internal/cfs"
)

const ms = time.Millisecond

func timeline(t testing.TB, title string, b cfs.Bandwidth, processors int, loads ...cfs.Load) Timeline {
	t.Helper()
	r, err := cfs.Run(b, processors, loads)
	if err != nil {
		t.Fatal(err)
	}
	return Timeline{Title: title, Bandwidth: b, Processors: processors, Loads: loads, Result: r}
}

func gcBurst(t testing.TB) Timeline {
	return timeline(t, "article-service", cfs.ForLimit(2000, cfs.DefaultPeriod), 32,
		cfs.Load{Name: "application", Threads: 8, Work: 18 * ms},
		cfs.Load{Name: "G1 young pause", Start: 18 * ms, Threads: 25, Work: 20 * ms})
}

// T3, as a colleague would draw it.
func TestText(t *testing.T) {
	const drawing = `article-service
Limit 2 CPUs: 200 ms of CPU time in each 100 ms, on 32 processors

    application ×8 │███               │                  │                  │                  │
G1 young pause ×25 │   █░░░ FROZEN ░░░│█░░░░ FROZEN ░░░░░│█░░░░ FROZEN ░░░░░│█                 │
        quota left │▇▅▄▁              │▅                 │▅                 │▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆│
                   └─────────┴────────┴─────────┴────────┴─────────┴────────┴─────────┴────────┘
                   0 ms      50       100       150      200       250      300       350      400

       0 ms  application: 8 threads begin, with 18 ms of work each
      18 ms  application: done after 18 ms; G1 young pause: 25 threads begin, with 20 ms of work
             each
   20.24 ms  the quota of 200 ms is used up: all threads are frozen for 79.76 ms
     100 ms  a new period: 25 threads run on
     108 ms  the quota of 200 ms is used up: all threads are frozen for 92 ms
     200 ms  the same again, until 300 ms
     300 ms  a new period: 25 threads run on
  301.76 ms  G1 young pause: done after 283.76 ms, 263.76 ms of it frozen

Done after 301.76 ms, with 644 ms of CPU time. Throttled in 3 of 4 periods (75 %); frozen for
263.76 ms, 92 ms of it at once.
`
	if got := gcBurst(t).Text(100); got != drawing {
		t.Errorf("got\n%s", got)
	}
}

func TestTextWithoutLimit(t *testing.T) {
	const drawing = `No CPU limit, on 1 processor

load 1 ×2 │███████████████████████████████████████████████│
          └─────────┴────────┴─────────┴────────┴─────────┘
          0 ms      2        4         6        8         10

   0 ms  load 1: 2 threads begin, with 5 ms of work each
  10 ms  load 1: done after 10 ms

Done after 10 ms, with 10 ms of CPU time. Without a CPU
limit nothing is frozen.
`
	got := timeline(t, "", cfs.Bandwidth{}, 1, cfs.Load{Threads: 2, Work: 5 * ms}).Text(0)
	if got != drawing {
		t.Errorf("got\n%s", got)
	}
}

// TestFolded: what is alike is drawn once and told once.
func TestFolded(t *testing.T) {
	text := timeline(t, "batch", cfs.ForLimit(500, cfs.DefaultPeriod), 4,
		cfs.Load{Name: "sort", Threads: 1, Work: 800 * ms},
		cfs.Load{Name: "later", Start: 5 * time.Second, Threads: 2, Work: 20 * ms}).Text(140)
	for _, part := range []string{
		"╌╌ 13 alike ╌╌", "╌╌ 34 quiet ╌╌", "⋯",
		" 200 ms  the same again in each of 13 periods, until 1500 ms",
		"1550 ms  sort: done after 1550 ms, 750 ms of it frozen",
		"5020 ms  later: done after 20 ms",
		"Throttled in 15 of 17 periods (88 %); frozen for 750 ms, 50 ms of it at once.",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	var loads []cfs.Load
	for n := range 10 {
		loads = append(loads, cfs.Load{Name: "requests", Start: time.Duration(n) * 200 * ms, Threads: 8, Work: 100 * ms})
	}
	text = timeline(t, "", cfs.ForLimit(6400, cfs.DefaultPeriod), 16, loads...).Text(100)
	for _, part := range []string{"╌╌ 18 alike ╌╌", "  200 ms  the same 9 times more, until 2000 ms\n", "requests ×8 │"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	text = timeline(t, "", cfs.ForLimit(8000, cfs.DefaultPeriod), 16, loads...).Text(100)
	if end := "1900 ms  requests: done after 100 ms"; !strings.Contains(text, end) {
		t.Errorf("no %q in\n%s", end, text)
	}
}

// TestTogether: loads of one name that end together are told together.
func TestTogether(t *testing.T) {
	text := timeline(t, "", cfs.ForLimit(1000, cfs.DefaultPeriod), 8,
		cfs.Load{Name: "web", Threads: 2, Work: 60 * ms}, cfs.Load{Name: "web", Start: 60 * ms, Threads: 1, Work: 10 * ms},
		cfs.Load{Name: "gc", Start: 60 * ms, Threads: 1, Work: 10 * ms}).Text(100)
	for _, part := range []string{
		"50 ms  the quota of 100 ms is used up: all threads are frozen for 50 ms\n",
		"60 ms  web: 1 thread begins, with 10 ms of work; gc: 1 thread begins, with 10 ms of work\n",
		"100 ms  a new period: 4 threads run on\n",
		"110 ms  web: 2 of them done, after 50 ms to 110 ms; gc: done after 50 ms, 40 ms of it frozen\n",
		"Throttled in 1 of 2 periods (50 %); frozen for 50 ms.\n",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

// hostile are runs that a drawing might stumble on.
func hostile(t testing.TB) map[string]Timeline {
	many := make([]cfs.Load, 0, 200)
	for n := range 200 {
		many = append(many, cfs.Load{Start: time.Duration(n) * 7 * ms, Threads: n % 9, Work: time.Duration(n%5) * 3 * ms})
	}
	long := make([]cfs.Load, 0, 300)
	for n := range 300 {
		start, work := time.Duration(n)*23*ms, time.Duration(1+n%7)*ms
		long = append(long, cfs.Load{Name: "requests", Start: start, Threads: 1, Work: work})
	}
	return map[string]Timeline{
		"nothing":      timeline(t, "", cfs.ForLimit(1000, cfs.DefaultPeriod), 1),
		"nothing free": timeline(t, "", cfs.Bandwidth{}, 1),
		"no work":      timeline(t, "", cfs.ForLimit(1000, cfs.DefaultPeriod), 1, cfs.Load{Name: "none", Start: 150 * ms, Threads: 3}),
		"names": timeline(t, "<b>&\x1b[31m\"'", cfs.ForLimit(1000, ms), 1,
			cfs.Load{Name: "]]>\n\x00\u202e<script>" + strings.Repeat("長い", 200), Threads: 1, Work: 9 * ms}),
		"many loads":    timeline(t, "many", cfs.ForLimit(1500, cfs.DefaultPeriod), 3, many...),
		"many events":   timeline(t, "long", cfs.ForLimit(300, 10*ms), 2, long...),
		"many periods":  timeline(t, "p", cfs.ForLimit(1500, ms), 3, cfs.Load{Name: "a", Threads: 3, Work: 20 * time.Second}),
		"one ns":        timeline(t, "n", cfs.ForLimit(1000, cfs.DefaultPeriod), 3, cfs.Load{Name: "a", Threads: 7, Work: 1}),
		"thirds of one": timeline(t, "n", cfs.ForLimit(1000, 10*ms), 3, cfs.Load{Name: "a", Threads: 7, Work: 33333333}),
		"a rest": timeline(t, "r", cfs.ForLimit(1000, ms), 3,
			cfs.Load{Name: "a", Threads: 2, Work: ms}, cfs.Load{Name: "b", Start: cfs.MaxTime, Threads: 2, Work: 5 * ms}),
		"late":  timeline(t, "r", cfs.ForLimit(1000, ms), 3, cfs.Load{Name: "a", Start: cfs.MaxTime}),
		"a day": timeline(t, "d", cfs.Bandwidth{}, 3, cfs.Load{Name: "a", Start: cfs.MaxTime, Threads: 2, Work: cfs.MaxTime}),
	}
}

func TestTextHolds(t *testing.T) {
	for name, run := range hostile(t) {
		for _, width := range []int{-1, 60, 100, 139} {
			text := run.Text(width)
			if text != run.Text(width) {
				t.Errorf("%s: another drawing each time", name)
			}
			lines := strings.Split(text, "\n")
			if len(lines) > 80 {
				t.Errorf("%s: %d lines", name, len(lines))
			}
			for i, line := range lines {
				drawing := strings.ContainsAny(line, "│└") || i > 0 && strings.Contains(lines[i-1], "└")
				if strings.ContainsAny(line, "\x1b\x00\u202e") {
					t.Errorf("%s: %q", name, line)
				}
				if drawing && runewidth.StringWidth(line) > max(width, minWidth) {
					t.Errorf("%s: wider than %d: %s", name, width, line)
				}
			}
		}
	}
}

// TestSVG: a picture is XML, asks for nothing, runs nothing, and tells those who do not see it.
func TestSVG(t *testing.T) {
	for name, run := range hostile(t) {
		picture := run.SVG()
		if !bytes.Equal(picture, run.SVG()) {
			t.Errorf("%s: another picture each time", name)
		}
		checkSVG(t, name, picture)
	}
	picture := string(gcBurst(t).SVG())
	for _, part := range []string{
		"article-service: limit 2 CPUs: 200 ms of CPU time in each 100 ms, on 32 processors</title>",
		"20.24 ms: the quota of 200 ms is used up: all threads are frozen for 79.76 ms.",
		`role="img" aria-labelledby="`, ">frozen 79.76 ms</text>", ">G1 young pause</text>", "prefers-color-scheme: dark",
	} {
		if !strings.Contains(picture, part) {
			t.Errorf("no %q", part)
		}
	}
	checkSVG(t, "stack", Stack([]Picture{gcBurst(t), gcBurst(t), hostile(t)["names"]}))
}

func checkSVG(t *testing.T, name string, picture []byte) {
	t.Helper()
	if len(picture) > 300_000 {
		t.Errorf("%s: %d bytes", name, len(picture))
	}
	decoder := xml.NewDecoder(bytes.NewReader(picture))
	depth, ids := 0, map[string]bool{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			depth++
			if depth == 1 && e.Name.Local != "svg" || strings.EqualFold(e.Name.Local, "script") {
				t.Errorf("%s: element %s", name, e.Name.Local)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" ||
					strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
					t.Errorf("%s: %s=%q", name, a.Name.Local, a.Value)
				}
				if a.Name.Local == "id" && ids[a.Value] {
					t.Errorf("%s: two elements have the id %s", name, a.Value)
				}
				if a.Name.Local == "id" {
					ids[a.Value] = true
				}
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			if strings.ContainsAny(string(e), "\x1b\u202e") {
				t.Errorf("%s: %q", name, e)
			}
		}
	}
}
