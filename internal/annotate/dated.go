package annotate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
)

// datedGroup is the annotation that says when the values of a container were measured, over what time, and which.
const datedGroup = "measured.headroom.dev"

// dated is that annotation, where the day is known and something was measured. It changes with a value, and by itself
// often enough that it does not get too old while values stay: files do not change every night.
func (r *runner) dated(w Workload, m engine.Measured, container string, values []value, of []string) []value {
	key := datedGroup + "/" + container
	there, annotated := w.annotation(key)
	text := measuredOn(r.judge.now.Add(-m.Age), m, of)
	stays := annotated && len(changed(values)) == 0 && r.judge.fresh(there) && covers(there, of) && !short(there)
	switch {
	case len(of) > 0 && m.Age >= 0 && !stays && text != there:
		if len(changed(values)) == 0 {
			r.result.Dates++
		}
		return []value{{key: key, text: text}}
	case annotated:
		return []value{{key, there, true}}
	}
	return nil
}

// short says that less than a day was seen, of which lint says that it should be more: hours or minutes.
func short(text string) bool {
	for _, begins := range []string{"over=", "runtime="} {
		hours, inHours := strings.CutSuffix(wordOf(text, begins), "h")
		const day = 24
		if n, err := strconv.Atoi(hours); inHours && err == nil && n < day || strings.HasSuffix(hours, "m") {
			return true
		}
	}
	return false
}

// dateOf begins the word with the day, namesOf the one with the values.
const dateOf, namesOf = "date=", "of="

func measuredOn(day time.Time, m engine.Measured, of []string) string {
	words := []string{dateOf + day.UTC().Format(time.DateOnly)}
	if m.Seen > 0 {
		words = append(words, "over="+span(m.Seen))
	}
	if m.Runtime.Known() && m.Runtime.Doubt == "" && m.Runtime.Seen > 0 {
		words = append(words, "runtime="+span(m.Runtime.Seen))
	}
	return strings.Join(append(words, namesOf+strings.Join(of, ",")), " ")
}

// span is a time in whole days, from two on, else in whole hours or minutes.
func span(seen time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case seen.Round(time.Hour) >= 2*day:
		return fmt.Sprintf("%dd", seen.Round(day)/day)
	case seen >= 2*time.Hour:
		return fmt.Sprintf("%dh", seen/time.Hour)
	}
	return fmt.Sprintf("%dm", max(1, seen/time.Minute))
}

// fresh says that a date is that of a third of the time after which lint tells it.
func (j judge) fresh(text string) bool {
	day, err := time.Parse(time.DateOnly, wordOf(text, dateOf))
	const parts = 3
	age := j.now.Sub(day)
	return err == nil && age >= 0 && age <= j.maxAge/parts
}

// covers says that an annotation speaks of all those values.
func covers(text string, of []string) bool {
	said := strings.Split(wordOf(text, namesOf), ",")
	return !slices.ContainsFunc(of, func(name string) bool { return !slices.Contains(said, name) })
}

func wordOf(text, begins string) string {
	for word := range strings.FieldsSeq(text) {
		if rest, ok := strings.CutPrefix(word, begins); ok {
			return rest
		}
	}
	return ""
}
