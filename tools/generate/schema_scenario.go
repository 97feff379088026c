package main

import (
	"fmt"
	"slices"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/internal/cfs/scenario"
)

// scenarioSchema describes the files that `headroom simulate` reads, as its reader does: a value is looked at
// as text, and one that is null is not there.
func scenarioSchema() (object, error) {
	loads := object{
		{"type", "array"},
		{"minItems", 1},
		{"maxItems", scenario.MaxValues},
		{"items", object{{"$ref", "#/definitions/load"}}},
	}
	file, err := fieldsOf("a scenario", scenario.Keys, object{
		{"apiVersion", object{{"description", "Version of this file's format."}, {"const", scenario.APIVersion}}},
		{"kind", object{{"description", "Tells this file from other objects."}, {"const", scenario.Kind}}},
		{"title", described("Stands above the result.", refer("text"))},
		{"note", described("Stands below the title.", refer("text"))},
		{"layer", described("What runs is loads (period) or busy threads (pool); need not be given.",
			orNull(layerNames(scenario.Period, scenario.Pool)))},
		{"processors", described("CPUs of the node, however few the limit lets be used.",
			swept(refer("processors")))},
		{"limit", described("CPU limit as in manifests, or none; the values of a list are compared.",
			listOr(refer("limit")))},
		{"period", described("cpuCFSQuotaPeriod of the kubelet, 1ms to 1s.", swept(refer("duration")), "100ms")},
		{"burst", described("What may be saved of earlier periods' quotas for a burst (cpu.max.burst), at most a quota.",
			swept(refer("durationOrZero")), "0s")},
		{"loads", object{
			{"description", "What runs: threads that begin together (period layer)."},
			{"anyOf", []any{loads, null}},
		}},
		{"busy", object{
			{"description", "What runs: threads that never sleep (pool layer)."},
			{"anyOf", []any{refer("busy"), null}},
		}},
	})
	if err != nil {
		return nil, err
	}
	definitions, err := scenarioParts()
	if err != nil {
		return nil, err
	}
	head := object{
		{"$schema", draft07},
		{"$id", schemaURL + "scenario.schema.json"},
		{"title", "Scenario of headroom simulate"},
		{"description", "Threads with work under a CPU limit. Values that are lists are swept."},
	}
	return append(append(head, file...), member{"required", []any{"apiVersion", "kind", "limit"}},
		member{"if", given("busy")},
		member{"then", object{{"properties", object{
			{"layer", orNull(layerNames(scenario.Pool))},
			{"loads", null},
			{"processors", object{{"maxItems", 1}}},
			{"limit", object{{"not", object{{"anyOf", []any{
				object{{"const", "none"}}, object{{"type", "array"}, {"contains", object{{"const", "none"}}}},
			}}}}}},
		}}}},
		member{"else", object{
			{"required", []any{"processors", "loads"}},
			{"properties", object{
				{"layer", orNull(layerNames(scenario.Period))},
				{"processors", object{{"not", null}}},
				{"loads", object{{"not", null}}},
			}},
		}},
		member{"definitions", definitions}), nil
}

// scenarioParts are what a file is made of.
func scenarioParts() (object, error) {
	load, err := fieldsOf("a load", scenario.LoadKeys, object{
		{"name", described("What the load is called in results.", refer("name"))},
		{"start", described("When it begins.", orNull(refer("durationOrZero")), "0s")},
		{"threads", described("How many threads begin together.", swept(whole(0, cfs.MaxThreads)), 1)},
		{"work", described("CPU time of each thread.", swept(refer("durationOrZero")))},
		{"total", described("CPU time of all its threads together.", swept(refer("durationOrZero")))},
		{"every", described("It comes again after so long.", orNull(refer("duration")))},
		{"times", described("How often it comes.", orNull(whole(1, cfs.MaxLoads)), 1)},
	})
	if err != nil {
		return nil, err
	}
	var remedies []any
	for _, remedy := range cfs.Remedies() {
		remedies = append(remedies, remedy.String())
	}
	busy, err := fieldsOf("busy", scenario.BusyKeys, object{
		{"threads", described("Busy threads, each with a processor of its own.", listOr(whole(1, cfs.MaxBusy)))},
		{"duration", described("How long it runs, up to 1h.", orNull(refer("duration")), "60s")},
		{"seeds", described("How often it runs, each time with other ticks.",
			orNull(whole(1, scenario.MaxSeeds)), scenario.DefaultSeeds)},
		{"slice", described("What a processor takes from the quota at a time.", swept(refer("duration")), "5ms")},
		{"tick", described("How often what ran is charged: 4ms is 250 Hz.", swept(refer("duration")), "4ms")},
		{"jitter", described("Standard deviation of the time between ticks.", swept(refer("durationOrZero")), "3us")},
		{"aligned", described("All processors tick together.",
			swept(object{{"enum", []any{true, false, "true", "false"}}}), false)},
		{"rewrite", described("After how long the quota is written again that is there already, or never.",
			swept(object{{"anyOf", []any{object{{"const", scenario.Never}}, refer("duration")}}}), scenario.Never)},
		{"remedy", described("How the kernel is changed, or none.", swept(object{{"enum", remedies}}), "none")},
	})
	if err != nil {
		return nil, err
	}
	either := []any{given("work"), given("total")}
	return append(object{
		{"load", append(load, member{"required", []any{"name"}}, member{"oneOf", either},
			member{"allOf", []any{together("every", "times"), together("times", "every")}})},
		{"busy", append(busy, member{"required", []any{"threads"}})},
	}, scalars()...), nil
}

// fieldsOf is an object that has these keys and no others, which are all that its reader knows.
func fieldsOf(what string, known []string, properties object) (object, error) {
	var names []string
	for _, p := range properties {
		names = append(names, p.key)
	}
	slices.Sort(names)
	if slices.Sort(known); !slices.Equal(known, names) {
		return nil, fmt.Errorf("the schema of %s has the keys %v, and its reader %v", what, names, known)
	}
	return object{{"type", "object"}, {"additionalProperties", false}, {"properties", properties}}, nil
}
