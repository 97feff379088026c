package schema

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/headroom-dev/headroom/tests/harness/search"
)

// parts are what values are made of: whole ones, and pieces that make them wrong.
var parts = map[string][]string{
	"quantity": {
		"0", "1", "00", "12", "500", "9999999999", ".", "-", "+",
		"m", "n", "u", "k", "M", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "E", "e",
		"e3", "E-3", "e18", "e19", "e+019", "e-0018",
		" ", "\t", "\n", "\u00a0", "\u2003", "\u2028", "B", "x", "1e3", "0.5", "５",
	},
	"class": {
		"batch", "cron", "latency-sensitive", "sidecar", "multi-tenant", "init", "unknown",
		"Batch", "-", " ", "a", "1", "", ".",
	},
	"runtime": {
		"jvm", "go", "ruby", "python", "node", "native", "java", " ",
		"version=17", "version=1.24", "version=go1.25.1", "version=",
		"version=8u181", "threads=20", "x", "=", "version=1.8.0_181", "version=2", "\t", "version=1.024",
	},
	"facts": {
		"version=17", "version=8u181", "version=1.8.0_0191", "version=11.0.2+9", "version=100", "version=x",
		"threads=200", "threads=0", "threads=12345678", "classes=20000",
		"native=100Mi", "native=0", "native=-1", "native=-0", "native=", "native=1e19", "native=lots",
		"pause=20ms", "pause=1m30s", "pause=.5s", "pause=0", "pause=20", "pause=-1s", "pause=1.5µs",
		" ", "  ", "=", ",", "\t", "\n",
	},
	"dated": {
		"date=2026-11-27 ", "date=2026-11-31 ", "date=2028-02-29 ", "date=", "over=7d ", "over=7 ", "runtime=5h ", "over=0d ", "over=90m ",
		"of=cpu-average", "of=live", ",memory-peak", ",", "of=", "of=heap", " ", "\t",
	},
	"caps": {"metaspace", "code-cache", "direct", "stack", "heap", ",", ",", " ", "\t", "\u2003", "\u00a0", "Stack"},
	"exemption": {
		"until=", "until", "2027-01-31", "2027-02-30", "2028-02-29", "2027-02-29", "2100-02-29", "2000-02-29",
		"9999-12-31", "0000-00-00", "2027-1-1",
		";", ";", " ", "\n", "\u00a0", "because", "=", "until=2099-12-31; because", "soon",
	},
}

// grown joins some parts.
func grown(random *rand.Rand, parts []string) string {
	var b strings.Builder
	for range 1 + random.IntN(4) {
		b.WriteString(parts[random.IntN(len(parts))])
	}
	return b.String()
}

// Over values that are grown at random, the schema refuses nothing that the policies let
// through, and takes little that they refuse.
func TestTheSchemaIsNeverStricter(t *testing.T) {
	schema := compiled(t, "annotations.schema.json#/definitions/workload")
	for _, c := range []struct {
		prefix, parts string
		looser        int // values in a hundred that the schema may let through and the policies not
	}{
		{"cpu-average.", "quantity", 3},
		{"memory-peak.", "quantity", 3},
		{"cores-per-worker.", "quantity", 3},
		{"class.", "class", 60}, // those that a config could add
		{"runtime.", "runtime", 1},
		{"jvm.", "facts", 5},
		{"inject.", "caps", 0},
		{"measured.", "dated", 20}, // those with no day, or two
	} {
		t.Run(c.prefix, func(t *testing.T) {
			random := rand.New(rand.NewPCG(search.Seed(t, 6), 5))
			const width = 60
			rounds := search.Rounds(60)
			loose := 0
			for range rounds {
				annotations, names := map[string]any{}, make([]string, width)
				for i := range names {
					names[i] = fmt.Sprintf("c%d", i)
					annotations[c.prefix+"headroom.dev/"+names[i]] = grown(random, parts[c.parts])
				}
				loose += compared(t, schema, annotations, complaints(t, pod(annotations, names...)))
			}
			if loose*100 > c.looser*rounds*width {
				t.Errorf("the schema takes %d of %d values that the policies refuse", loose, rounds*width)
			}
		})
	}
}

func TestExemptionsAgree(t *testing.T) {
	schema := compiled(t, "annotations.schema.json#/definitions/workload")
	random := rand.New(rand.NewPCG(1, 2))
	loose, all := 0, 0
	for range 60 {
		annotations := map[string]any{}
		for _, rule := range []string{
			"HR101", "HR202", "HR203", "HR302", "HR304", "HR407", "jvm-stack-unset", "go-procs", "HR210",
		} {
			annotations["ignore.headroom.dev/"+rule] = grown(random, parts["exemption"])
		}
		all += len(annotations)
		loose += compared(t, schema, annotations, complaints(t, pod(annotations, "app")))
	}
	// Days that have passed are looser: a schema has no clock.
	if loose*100 > 15*all {
		t.Errorf("the schema takes %d of %d values that the policies refuse", loose, all)
	}
}

func TestListsOfNamespacesAgree(t *testing.T) {
	schema := compiled(t, "annotations.schema.json#/definitions/namespace")
	random := rand.New(rand.NewPCG(search.Seed(t, 3), 4))
	words := []string{
		"HR202", "HR105", "go-procs", "HR999", "hr202", ",", ", ", ",,", " ", "\u2003", "batch", "cron", "Batch", "x-y", ";",
	}
	for range search.Rounds(4000) {
		annotations := map[string]any{
			"headroom.dev/allow-ignore":    grown(random, words),
			"headroom.dev/allowed-classes": grown(random, words),
			"headroom.dev/cpu-allocation":  grown(random, parts["quantity"]),
		}
		compared(t, schema, annotations, complaints(t, namespace(annotations, nil)))
	}
}

// Keys too: what is of others is left alone, however much it looks like one of headroom's.
func TestKeysAgree(t *testing.T) {
	schema := compiled(t, "annotations.schema.json#/definitions/workload")
	random := rand.New(rand.NewPCG(search.Seed(t, 5), 6))
	words := []string{
		"headroom.dev", "class.", "class", "x.", "not", "/", "/app", "/app", "ignore.", "/HR202",
		"/go-procs", "HR", "workload-class", "/applied", "/cpu-average", ".", "sub.headroom.dev",
	}
	for range search.Rounds(30000) {
		annotations := map[string]any{grown(random, words): "batch"}
		compared(t, schema, annotations, complaints(t, pod(annotations, "app")))
	}
}

// compared counts the annotations that the schema takes and the policies do not. The other
// way round is an error.
func compared(t *testing.T, schema *jsonschema.Schema, annotations map[string]any, said map[string]string) (loose int) {
	t.Helper()
	for key, value := range annotations {
		err := schema.Validate(map[string]any{key: value})
		switch complaint := said[key]; {
		case err != nil && complaint == "":
			t.Errorf("%s: %q: the policies take it and the schema says %v", key, value, err)
		case err == nil && complaint != "":
			loose++
			if testing.Verbose() && loose <= 5 {
				t.Logf("looser: %s: %q: %s", key, value, complaint)
			}
		}
	}
	return loose
}
