package schema

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/cfs/scenario"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

const scenarioHead = "apiVersion: headroom.dev/v1alpha1\nkind: Scenario\n"

// judged says what the schema and the reader make of a scenario.
func judged(t *testing.T, schema *jsonschema.Schema, text string) (schemaSays, readerSays error) {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	_, readerSays = scenario.Parse("scenario.yaml", []byte(text))
	return schema.Validate(generic(t, value)), readerSays
}

func TestScenariosOfTheRepository(t *testing.T) {
	schema := compiled(t, "scenario.schema.json")
	files, err := filepath.Glob("../../samples/scenarios/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if editor, reader := judged(t, schema, string(text)); editor != nil || reader != nil {
			t.Errorf("%s: %v, %v", file, editor, reader)
		}
	}
}

func TestScenarios(t *testing.T) {
	schema := compiled(t, "scenario.schema.json")
	const period = "limit: 2\nprocessors: 4\nloads: [{name: a, work: 20ms}]\n"
	for text, good := range map[string]bool{
		period:                          true,
		period + "layer: period\n":      true,
		period + "busy: null\n":         true,
		period + "period: [5ms]\n":      true,
		period + "layer: pool\n":        false,
		period + "layer: other\n":       false,
		period + "Title: a\n":           false,
		period + "title: [a]\n":         false,
		period + "busy: {threads: 1}\n": false,
		"limit: [\"1.5\", 500m, none, 3]\nprocessors: \"4\"\nloads: [{name: 1, total: [0, 1.5s], threads: [1, 2]}]\n": true,
		"limit: 0\nprocessors: 4\nloads: [{name: a, work: 20ms}]\n":                                                   false,
		"limit: 2Gi\nprocessors: 4\nloads: [{name: a, work: 20ms}]\n":                                                 false,
		"limit: 2\nprocessors: 0\nloads: [{name: a, work: 20ms}]\n":                                                   false,
		"limit: 2\nprocessors: 8193\nloads: [{name: a, work: 20ms}]\n":                                                false,
		"limit: 2\nprocessors: 4\nloads: []\n":                                                                        false,
		"limit: 2\nprocessors: 4\nloads: {name: a, work: 20ms}\n":                                                     false,
		"limit: 2\nprocessors: 4\nloads: [{name: a, work: 20}]\n":                                                     false,
		"limit: 2\nprocessors: 4\nloads: [{name: a, work: -1ms}]\n":                                                   false,
		"limit: 2\nprocessors: 4\nloads: [{name: a, work: 1ms, total: 1ms}]\n":                                        false,
		"limit: 2\nprocessors: 4\nloads: [{name: a}]\n":                                                               false,
		"limit: 2\nprocessors: 4\nloads: [{work: 1ms}]\n":                                                             false,
		"limit: 2\nprocessors: 4\nloads: [{name: a, work: 1ms, times: 3}]\n":                                          false,
		"limit: 2\nprocessors: 4\nloads: [{name: a, work: 1ms, every: 1s, times: [3]}]\n":                             false,
		"limit: 2\nprocessors: 4\nloads: [{name: a, work: 1ms, every: 1s, times: 3}]\n":                               true,
		"limit: 3\nbusy: {threads: 3, remedy: [none, slush-fund], aligned: true}\n":                                   true,
		"limit: 2\nprocessors: 4\nburst: [0, 100ms]\nloads: [{name: a, work: 1ms}]\n":                                 true,
		"limit: 2\nprocessors: 4\nburst: 100\nloads: [{name: a, work: 1ms}]\n":                                        false,
		"limit: 3\nburst: 1ms\nbusy: {threads: 3, rewrite: [never, 10s]}\n":                                           true,
		"limit: 3\nbusy: {threads: 3, rewrite: always}\n":                                                             false,
		"limit: 3\nbusy: {threads: 3, slushCap: 4ms}\n":                                                               false,
		"limit: 3\nprocessors: [4]\nbusy: {threads: 3, jitter: 0}\n":                                                  true,
		"limit: 3\nprocessors: [4, 8]\nbusy: {threads: 3}\n":                                                          false,
		"limit: none\nbusy: {threads: 3}\n":                                                                           false,
		"limit: [3, none]\nbusy: {threads: 3}\n":                                                                      false,
		"limit: 3\nbusy: {}\n":                                                                                        false,
		"limit: 3\nbusy: {threads: 3, remedy: hope}\n":                                                                false,
		"limit: 3\nbusy: {threads: 3, seeds: 1001}\n":                                                                 false,
		"limit: 3\nbusy: {threads: 3, tick: 0}\n":                                                                     false,
		"limit: 3\nbusy: {threads: 3}\nloads: [{name: a, work: 1ms}]\n":                                               false,
	} {
		editor, reader := judged(t, schema, scenarioHead+text)
		if (reader == nil) != good {
			t.Errorf("%q: the reader says %v", text, reader)
		}
		if (editor == nil) != good {
			t.Errorf("%q: the schema says %v", text, editor)
		}
	}
}

// Over scenarios that are put together at random, the schema refuses nothing that the reader takes.
func TestTheSchemaOfScenariosIsNeverStricter(t *testing.T) {
	schema := compiled(t, "scenario.schema.json")
	random := rand.New(rand.NewPCG(search.Seed(t, 7), 11))
	taken := 0
	rounds := search.Rounds(100000)
	for range rounds {
		text := strings.Replace(randomScenario(random), "{", "{apiVersion: headroom.dev/v1alpha1, kind: Scenario, ", 1)
		editor, reader := judged(t, schema, text)
		if reader == nil {
			taken++
		}
		if reader == nil && editor != nil {
			t.Errorf("the reader takes it and the schema does not: %v\n%s", editor, text)
		}
	}
	if taken*10 < rounds {
		t.Errorf("the reader takes %d of %d: this shows little", taken, rounds)
	}
}

// scalarsOf are values for a kind of field, most of them good.
var scalarsOf = map[string][]string{
	"text":       {"a", "2024", "true", `" b "`, "~", `"x: y"`, "1.50"},
	"limit":      {"2", "1.5", "500m", "none", `"3"`, `"008"`, "8192", "8192000m", `"1."`, "1.m", "0", "-1", "2.0005", "1e3"},
	"time":       {"20ms", "1.5s", "1m30s", "+5ms", ".5s", "1us", "1µs", "0", "-0ms", "5", "-5ms", "1h0.5m", "0.s", "24h"},
	"number":     {"1", "8", `"4"`, "+3", `"+8"`, "1024", "08", "0x10", "1.0", "0", "-1", "9999"},
	"processors": {"8", `"16"`, "8192", "4", "0"},
	"bool":       {"true", "false", `"true"`, "yes", "True"},
	"remedy":     {"none", "slush-fund", "no-op-update", "charge-at-end", "expiry", "None"},
	"rewrite":    {"never", "1s", "1h", "1ms", "0", "always"},
	"layer":      {"period", "pool", `" period "`, "~", "other"},
}

func randomScenario(random *rand.Rand) string {
	pick := func(kind string) string {
		list := scalarsOf[kind]
		// The good ones stand first.
		return list[min(random.IntN(len(list)), random.IntN(len(list)))]
	}
	value := func(kind string) string {
		switch random.IntN(12) {
		case 0:
			return "[" + pick(kind) + ", " + pick(kind) + "]"
		case 1:
			return "[" + pick(kind) + "]"
		case 2:
			return "~"
		}
		return pick(kind)
	}
	fields := func(chance int, names ...string) string {
		var list []string
		for _, field := range names {
			name, kind, _ := strings.Cut(field, "=")
			required := strings.HasPrefix(name, "!")
			if required || random.IntN(chance) == 0 {
				list = append(list, strings.TrimPrefix(name, "!")+": "+value(kind))
			}
		}
		return strings.Join(list, ", ")
	}
	run := "loads: [{name: a, " + fields(4, "start=time", "threads=number", "!work=time", "total=time") + "}"
	if random.IntN(3) == 0 {
		run += ", {name: b, " + fields(4, "!total=time", "work=time", "every=time", "times=number") + "}"
	}
	run += "]"
	if random.IntN(3) == 0 {
		run = "busy: {" + fields(5, "!threads=number", "duration=time", "seeds=number", "slice=time", "tick=time",
			"jitter=time", "aligned=bool", "remedy=remedy", "rewrite=rewrite") + "}"
	}
	return fmt.Sprintf("{%s, %s}", fields(6, "!limit=limit", "!processors=processors", "period=time", "burst=time", "title=text",
		"note=text", "layer=layer"), run)
}
