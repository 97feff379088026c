package engine

import (
	"github.com/headroom-dev/headroom/policies/plan"
)

func (d *decoder) explanation(o *plan.Object) Explanation {
	if skipped := d.text(o, "skipped"); skipped != "" {
		return Explanation{Detail: Detail{Container: d.text(o, "container")}, Skipped: skipped}
	}
	return Explanation{
		Detail:           d.detail(d.part(o, "detail")),
		Role:             d.text(o, "role"),
		Path:             d.pointer(o),
		Class:            d.text(o, "class"),
		ClassEvidence:    d.text(o, "class_evidence"),
		Weaker:           d.texts(o, "weaker"),
		Runtime:          d.text(o, "runtime"),
		RuntimeEvidence:  d.text(o, "runtime_evidence"),
		Resources:        each(d, o, "resources", d.resourceLine),
		Flags:            each(d, o, "flags", d.flagLine),
		PropertiesHidden: d.whole(o, "properties_hidden"),
		OptionsHidden:    d.whole(o, "options_hidden"),
		JVM:              optional(d, o, "jvm", d.jvmLine),
		Quota:            optional(d, o, "quota", d.quotaLine),
		Burst:            optional(d, o, "burst", d.burstLine),
		Workers:          optional(d, o, "workers", d.burstLine),
		Pool:             optional(d, o, "pool", d.poolLine),
		Sizes:            each(d, o, "sizes", d.sizeLine),
		Counts:           each(d, o, "counts", d.countLine),
		Passing:          d.passing(d.part(o, "passing")),
		Unknown:          d.texts(o, "unknown"),
	}
}

func (d *decoder) resourceLine(o *plan.Object) ResourceLine {
	return ResourceLine{Name: d.text(o, "name"), Value: d.text(o, "value"), Source: d.text(o, "source")}
}

func (d *decoder) flagLine(o *plan.Object) FlagLine {
	return FlagLine{
		Name:   d.text(o, "name"),
		Text:   d.text(o, "text"),
		Source: d.text(o, "source"),
		Path:   d.pointer(o),
		Wins:   d.flag(o, "wins"),
		Note:   d.text(o, "note"),
	}
}

func (d *decoder) jvmLine(o *plan.Object) JVMLine {
	value := func(name string) ValueLine {
		line := d.part(o, name)
		return ValueLine{Value: d.text(line, "value"), Source: d.text(line, "source")}
	}
	return JVMLine{
		Version:           value("version"),
		Collector:         value("collector"),
		Processors:        value("processors"),
		ParallelGCThreads: value("parallel_gc_threads"),
		ConcGCThreads:     value("conc_gc_threads"),
		CompilerThreads:   value("compiler_threads"),
		MaxHeapMiB:        value("max_heap_mib"),
		Pause:             value("pause"),
		WillNotStart:      d.texts(o, "will_not_start"),
	}
}

func (d *decoder) quotaLine(o *plan.Object) QuotaLine {
	return QuotaLine{MS: d.number(o, "ms"), PeriodMS: d.number(o, "period_ms")}
}

func (d *decoder) poolLine(o *plan.Object) PoolLine {
	return PoolLine{
		Workers:   d.whole(o, "workers"),
		CoresEach: d.number(o, "cores_each"),
		Source:    d.text(o, "source"),
		Path:      d.pointer(o),
	}
}

func (d *decoder) sizeLine(o *plan.Object) SizeLine {
	return SizeLine{Text: d.text(o, "text"), MiB: d.whole(o, "mib")}
}

func (d *decoder) countLine(o *plan.Object) CountLine {
	return CountLine{Text: d.text(o, "text"), Count: d.whole(o, "count")}
}

func (d *decoder) burstLine(o *plan.Object) BurstLine {
	return BurstLine{
		Threads:       d.number(o, "threads"),
		ThreadsSource: d.text(o, "threads_source"),
		PauseMS:       d.number(o, "pause_ms"),
		PauseSource:   d.text(o, "pause_source"),
		UsedMS:        d.number(o, "used_ms"),
		OwnMS:         d.number(o, "own_ms"),
		QuotaMS:       d.number(o, "quota_ms"),
		PeriodMS:      d.number(o, "period_ms"),
		ThrottleMS:    d.number(o, "throttle_ms"),
		StallMS:       d.number(o, "stall_ms"),
		Text:          d.text(o, "text"),
	}
}

func (d *decoder) passing(o *plan.Object) Passing {
	value := func(name string) ValueOrWhy {
		found := d.part(o, name)
		return ValueOrWhy{Value: d.whole(found, "value"), Why: d.text(found, "why")}
	}
	return Passing{
		SmallestLimitMiB:  value("smallest_limit_mib"),
		LargestHeapMiB:    value("largest_heap_mib"),
		LargestPercentage: value("largest_percentage"),
		LargestThreads:    value("largest_threads"),
		CPURequest:        d.whole(o, "cpu_request"),
		CPULimit:          d.whole(o, "cpu_limit"),
		CPURequestWhy:     d.text(o, "cpu_request_why"),
		CPULimitWhy:       d.text(o, "cpu_limit_why"),
		Block:             d.text(o, "block"),
		BlockNote:         d.text(o, "block_note"),
		ToolOptions:       d.text(o, "tool_options"),
		ToolOptionsNote:   d.text(o, "tool_options_note"),
	}
}

// optional reads an object that may be null.
func optional[T any](d *decoder, o *plan.Object, name string, read func(*plan.Object) T) *T {
	v := o.Get(name)
	if v == nil || v == (plan.Null{}) {
		return nil
	}
	found := read(d.object(v))
	return &found
}

func (d *decoder) texts(o *plan.Object, name string) []string {
	list := d.array(o, name)
	out := make([]string, 0, list.Len())
	for i := range list.Len() {
		text, ok := list.At(i).(string)
		if !ok {
			d.fail(name, list.At(i))
		}
		out = append(out, text)
	}
	return out
}
