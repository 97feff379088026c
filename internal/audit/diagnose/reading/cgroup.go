package reading

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Unlimited stands for a limit that is not set.
const Unlimited = int64(-1)

// No machine has as much memory: v1 writes the largest multiple of a page, which differs
// between architectures, where no limit is set.
const absurdBytes = int64(1) << 60

// amount is a file with one number, "max" or, in v1, -1 for none.
func amount(text string) (int64, error) {
	text = strings.TrimSpace(text)
	if text == "max" || text == "-1" {
		return Unlimited, nil
	}
	value, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a number", shown(text))
	}
	if value >= uint64(absurdBytes) {
		return Unlimited, nil
	}
	return int64(value), nil
}

// A name of memory.stat may have a point in it, as in cpu.stat's core_sched.force_idle_usec.
var counterLine = regexp.MustCompile(`^([\w.]+) (\d{1,20})$`)

// counters is a file of lines with a name and a number each.
func counters(text string) (map[string]int64, error) {
	values := map[string]int64{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		match := counterLine.FindStringSubmatch(strings.Join(fields, " "))
		if match == nil {
			return nil, fmt.Errorf("line %d is not a name and a number: %s", number, shown(strings.TrimSpace(line)))
		}
		value, err := strconv.ParseUint(match[2], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("line %d is not a name and a number: %s", number, shown(strings.TrimSpace(line)))
		}
		values[match[1]] = int64(min(value, math.MaxInt64))
	}
	if len(values) == 0 {
		return nil, errors.New("it is empty")
	}
	return values, nil
}

func (r *reader) cpu() {
	for file, key := range map[string]string{CPUStat: "cpu", Later + CPUStat: "cpu_later"} {
		text, found := r.files[file]
		if !found {
			continue
		}
		values, err := counters(text)
		if err != nil {
			r.broken(file, err)
			continue
		}
		read, err := throttling(values)
		switch {
		case err != nil:
			r.broken(file, err)
		case read == nil:
			r.facts.Missing[CPUStat] = "it has no nr_periods, as where the cpu controller is not on"
		default:
			r.facts.Read[key] = read
		}
	}
	r.quota()
}

// throttling are the counters of CFS bandwidth control; v1 gives nanoseconds, v2 microseconds (T5).
func throttling(values map[string]int64) (map[string]any, error) {
	periods, counted := values["nr_periods"]
	throttled, named := values["nr_throttled"]
	if !counted && !named {
		return nil, nil
	}
	ns, v1 := values["throttled_time"]
	if !v1 {
		us, v2 := values["throttled_usec"]
		if !v2 {
			return nil, errors.New("it has neither throttled_time nor throttled_usec")
		}
		if us > math.MaxInt64/1000 {
			return nil, errors.New("throttled_usec is larger than any time can be: the file is damaged")
		}
		ns = us * 1000
	}
	if !counted || !named || throttled > periods {
		return nil, errors.New("nr_periods and nr_throttled are missing, or contradict each other: the file is damaged")
	}
	return map[string]any{"periods": periods, "throttled": throttled, "throttled_ns": ns}, nil
}

// quota is the CPU time that each period grants, and the period, in µs.
func (r *reader) quota() {
	if file, text, found := r.newest(CPUMax); found {
		r.facts.Read["version"] = 2
		r.number(CPUBurst, "burst_us", false)
		fields := strings.Fields(text)
		if len(fields) == 0 || len(fields) > 2 {
			r.broken(file, fmt.Errorf("%s is not a quota, such as 200000 100000", shown(text)))
			return
		}
		quota, err := amount(fields[0])
		period := int64(0)
		if err == nil && len(fields) == 2 {
			period, err = amount(fields[1])
		}
		if err != nil {
			r.broken(file, err)
			return
		}
		r.facts.Read["quota_us"] = quota
		if period > 0 {
			r.facts.Read["period_us"] = period
		}
		return
	}
	r.number(CPUBurstV1, "burst_us", false)
	r.number(CPUQuota, "quota_us", true)
	r.number(CPUPeriod, "period_us", false)
}

func (r *reader) memory() {
	now := MemoryNow
	if _, _, found := r.newest(UsageV1); found {
		now = UsageV1
		r.facts.Read["version"] = 1
	}
	if _, _, found := r.newest(MemoryNow); found {
		now = MemoryNow
		r.facts.Read["version"] = 2
	}
	r.workingSet(now)
	r.number(LimitV1, "limit", true)
	r.number(MemoryMax, "limit", true)
	r.number(PeakV1, "peak", false)
	r.number(MemoryPeak, "peak", false)
	for _, name := range []string{MemoryEvents, OOMControl} {
		file, text, found := r.newest(name)
		if !found {
			continue
		}
		values, err := counters(text)
		if err != nil {
			r.broken(file, err)
			continue
		}
		if kills, counted := values["oom_kill"]; counted {
			r.facts.Read["oom_kills"] = kills
		} else {
			r.facts.Missing[name] = "it has no oom_kill, which is since Linux 4.13"
		}
	}
}

// workingSet reads usage and page cache of one sample, the newer that has both.
func (r *reader) workingSet(name string) {
	for _, at := range []string{Later, ""} {
		usage, both := r.files[at+name]
		stat, found := r.files[at+MemoryStat]
		if !both || !found {
			continue
		}
		bytes, err := amount(usage)
		if err == nil && bytes == Unlimited {
			err = fmt.Errorf("%s is not a number", shown(strings.TrimSpace(usage)))
		}
		if err != nil {
			r.broken(at+name, err)
		}
		inactive, failed := inactiveFile(stat)
		if failed != nil {
			r.broken(at+MemoryStat, failed)
		}
		if err == nil && failed == nil {
			r.facts.Read["usage"], r.facts.Read["inactive_file"] = bytes, inactive
			return
		}
	}
}

// inactiveFile is the page cache that the kernel drops first. v1 has both names: the total
// counts the cgroups below, as the kubelet does.
func inactiveFile(stat string) (int64, error) {
	values, err := counters(stat)
	if err != nil {
		return 0, err
	}
	for _, name := range []string{"total_inactive_file", "inactive_file"} {
		if bytes, found := values[name]; found {
			return bytes, nil
		}
	}
	return 0, errors.New("it has no inactive_file")
}

// Free is how much more memory the container may take before its limit, in bytes; false where
// that is not known or there is no limit.
func (f Facts) Free() (int64, bool) {
	limit, limited := f.Read["limit"].(int64)
	usage, used := f.Read["usage"].(int64)
	cache, _ := f.Read["inactive_file"].(int64)
	return limit - usage + cache, limited && used && limit > 0
}
