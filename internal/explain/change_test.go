package explain

import (
	"strings"
	"testing"
)

func TestParseChanges(t *testing.T) {
	for given, want := range map[string][]Change{
		"limits.memory=2Gi": {{Key: "limits.memory", Value: "2Gi"}},
		"limits.cpu=none":   {{Key: "limits.cpu"}},
		"limits.memory=2E":  {{Key: "limits.memory", Value: "2E"}},
		" requests.cpu=500m , class=batch,": {
			{Key: "requests.cpu", Value: "500m"}, {Key: "class", Value: "batch"},
		},
		"-Xmx=1g":                     {{"-Xmx=1g", "1g", "MaxHeapSize", "-Xmx1g"}},
		"-Xmx1g":                      {{"-Xmx1g", "1g", "MaxHeapSize", "-Xmx1g"}},
		"-Xmx=none":                   {{Key: "-Xmx", Name: "MaxHeapSize"}},
		"heap=1g":                     {{"heap", "1g", "MaxHeapSize", "-Xmx1g"}},
		"heap=none":                   {{Key: "heap", Name: "MaxHeapSize"}},
		"-XX:MaxRAMPercentage=60.0":   {{"-XX:MaxRAMPercentage=60.0", "60.0", "MaxRAMPercentage", "-XX:MaxRAMPercentage=60.0"}},
		"-XX:+UseSerialGC":            {{"-XX:+UseSerialGC", "+", "UseSerialGC", "-XX:+UseSerialGC"}},
		"-XX:+UseSerialGC=none":       {{Key: "-XX:+UseSerialGC", Name: "UseSerialGC"}},
		"-XX:ParallelGCThreads=none":  {{Key: "-XX:ParallelGCThreads", Name: "ParallelGCThreads"}},
		"gc-threads=4":                {{"gc-threads", "4", "ParallelGCThreads", "-XX:ParallelGCThreads=4"}},
		"gc-threads=none":             {{Key: "gc-threads", Name: "ParallelGCThreads"}},
		"cores=2":                     {{"cores", "2", "ActiveProcessorCount", "-XX:ActiveProcessorCount=2"}},
		"pause=0.05s":                 {{Key: "pause", Value: "50ms"}},
		"threads=120":                 {{Key: "threads", Value: "120"}},
		"-Xlog:gc:file=a:time,uptime": {{"-Xlog:gc:file=a:time,uptime", "-Xlog:gc:file=a:time,uptime", "Xlog", "-Xlog:gc:file=a:time,uptime"}},
	} {
		got, err := ParseChanges(given)
		if err != nil {
			t.Errorf("%s: %v", given, err)
			continue
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d changes, not %d", given, len(got), len(want))
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: got %+v, want %+v", given, got[i], want[i])
			}
		}
	}
}

func TestParseChangesRefuses(t *testing.T) {
	for given, want := range map[string]string{
		"":                              "is empty",
		"limit.memory=2Gi":              "did you mean limits.memory?",
		"limits.memry=2Gi":              "did you mean limits.memory?",
		"gcthreads=4":                   "did you mean gc-threads?",
		"Heap=1g":                       "did you mean heap?",
		"xyzzy=1":                       "knows no",
		"limits.memory":                 "has no value",
		"limits.memory=":                "has no value",
		"limits.memory=2GB":             "not a quantity",
		"limits.memory=-2Gi":            "not a quantity",
		"gc-threads=four":               "not a number",
		"threads=0":                     "not a number",
		"threads=1000000000":            "not a number",
		"pause=20":                      "not a duration",
		"-Xmx":                          "has no value",
		"-XX:MaxRAMPercentage":          "has no value",
		"-XX:MaxRAMPercentage=":         "has no value",
		"-XX:+":                         "names no flag",
		"-Xmx1g,heap=2g":                "twice",
		"limits.cpu=1,limits.cpu=2":     "twice",
		"-Xmx1g,1g":                     "knows no",
		"limits.memory=1e19":            "beyond 18",
		"limits.cpu=1e99999999":         "beyond 18",
		"limits.cpu=1E-999999999999999": "beyond 18",
		"limits.cpu=0.00000000000000000000000000000001": "longer than a quantity",
		"-Xmx1g -Xms2g":                        "one word",
		"-Xmx='1g'":                            "one word",
		`heap="1g"`:                            "one word",
		"-XX:+UseSerialGC\t-XX:+UseParallelGC": "one word",
		strings.Repeat("x", 5000) + "=":        "knows no",
	} {
		if got, err := ParseChanges(given); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, %v; want %q", given, got, err, want)
		}
	}
}

// FuzzParseChanges: whatever is given is read or refused, and what is read says what it does.
func FuzzParseChanges(f *testing.F) {
	for _, seed := range []string{"limits.memory=2Gi,-Xmx=1g,gc-threads=4", "-XX:+UseG1GC=none", "-Xlog:a,b", "class=,"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		list, err := ParseChanges(given)
		if err != nil {
			return
		}
		for _, c := range list {
			if c.Key == "" || c.Name == "" && c.Text != "" || c.Value == "" && c.Text != "" {
				t.Errorf("%q became %+v", given, c)
			}
		}
	})
}
