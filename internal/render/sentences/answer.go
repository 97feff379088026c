package sentences

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// outcome says what comes of a harm: surely, and where it only can; each for one container and for
// many.
type outcome struct{ sure, can [2]string }

func always(one, many string) outcome {
	return outcome{[2]string{one, many}, [2]string{one, many}}
}

func may(sure, can string) outcome {
	return outcome{[2]string{sure, sure}, [2]string{can, can}}
}

// outcomes are those of engine.Harms.
var outcomes = map[string]outcome{
	"start":     may("will not start", "may not start"),
	"OOMKilled": may("will be OOMKilled", "can be OOMKilled"),
	"evicted": always("has less memory reserved than it may use",
		"have less memory reserved than they may use"),
	"throttled":  may("will be throttled", "can be throttled"),
	"starved":    always("gets too little CPU on a busy node", "get too little CPU on a busy node"),
	"neighbours": always("can take what its neighbours need", "can take what their neighbours need"),
	"threads":    always("starts more threads than its CPU can run", "start more threads than their CPU can run"),
	"pauses":     always("has longer GC pauses than it needs", "have longer GC pauses than they need"),
	"cost":       always("costs more than needed", "cost more than needed"),
}

// Answer is the first line of a report: what will happen to how many containers, or whole workloads, the worst first;
// "" where no error or warning is shown. An error is a certainty where its rule is certain.
func Answer(entries []*report.Entry) string {
	type kind struct {
		harm string
		sure bool
	}
	hurt, at := map[kind]map[spot]bool{}, placesOf(entries)
	add := func(k kind, e *report.Entry) {
		seen := map[string]int{}
		if hurt[k] == nil {
			hurt[k] = map[spot]bool{}
		}
		for _, f := range e.Places {
			where := at(f)
			if where.container == "" && where.pointer == "" { // one workload, however much is found of it
				hurt[k][spot{where, 0}] = true
				continue
			}
			field := fmt.Sprint(f.File, "\x00", f.Resource, "\x00", f.Container, "\x00", f.Path)
			hurt[k][spot{where, seen[field]}] = true
			seen[field]++
		}
	}
	classless := 0
	for _, e := range entries {
		if e.Severity != engine.SeverityError && e.Severity != engine.SeverityWarning {
			continue
		}
		if e.Rule == report.ClassMissing {
			classless += e.Workloads()
			continue
		}
		k := kind{e.Harm, e.Certain && e.Severity == engine.SeverityError}
		if what, known := outcomes[k.harm]; !known {
			k = kind{}
		} else if what.sure == what.can { // counted once where the words are the same
			k.sure = false
		}
		add(k, e)
	}
	for k, spots := range hurt { // what is sure can no longer be
		if !k.sure {
			for s := range hurt[kind{k.harm, true}] {
				delete(spots, s)
			}
			unsaid(spots)
		}
	}
	var parts []string
	last := ""
	say := func(spots map[spot]bool, text [2]string) {
		whole := 0 // of the workload, not of one of its containers
		for s := range spots {
			if s.container == "" && s.pointer == "" {
				whole++
			}
		}
		containers, noun := len(spots)-whole, "container"
		count := words.Count(containers, noun)
		switch {
		case len(spots) == 0:
			return
		case containers == 0:
			count, noun = words.Count(whole, "workload"), "workload"
		case whole > 0:
			count, noun = count+" and "+words.Count(whole, "workload"), "both"
		}
		if noun == last && noun != "both" {
			count = fmt.Sprint(len(spots))
		}
		last = noun
		parts = append(parts, count+" "+words.Choose(len(spots), text[0], text[1]))
	}
	for _, harm := range engine.Harms {
		say(hurt[kind{harm, true}], outcomes[harm].sure)
		say(hurt[kind{harm, false}], outcomes[harm].can)
	}
	text := strings.Join(parts, ", ")
	var rest []string
	if n := len(hurt[kind{}]); n > 0 {
		noun := "finding"
		if text != "" {
			noun = "other finding"
		}
		rest = append(rest, words.Count(n, noun))
	}
	if classless > 0 {
		rest = append(rest, "class not set on "+words.Count(classless, "workload"))
	}
	if text != "" && len(rest) > 0 {
		text += "; "
	}
	return words.UpperFirst(text + strings.Join(rest, ", "))
}

// A spot is a place. A file may hold the same name twice: n tells the containers of one entry apart.
type spot struct {
	place
	n int
}

// unsaid drops what may happen to a whole workload where it may happen to a container of it.
func unsaid(spots map[spot]bool) {
	of := map[place]bool{}
	for s := range spots {
		if s.container != "" || s.pointer != "" {
			of[place{file: s.file, resource: s.resource}] = true
		}
	}
	for s := range spots {
		if of[s.place] {
			delete(spots, s)
		}
	}
}

// place is one container, or a whole workload: that has neither a name nor a pointer.
type place struct {
	file, container, pointer string
	resource                 engine.Resource
}

// placesOf tells where findings are. A container may lack its name, and two may have the same: the field tells them
// apart. One that stands elsewhere, as in an annotation, is of the first container of its name.
func placesOf(entries []*report.Entry) func(*engine.Finding) place {
	first := map[place]string{}
	at := func(f *engine.Finding) (place, string) {
		pointer := inContainer.FindString(f.Path)
		if f.Rule == templateInvalid { // refuses the whole workload for the sake of one container
			pointer = ""
		}
		return place{file: f.File, container: f.Container, resource: f.Resource}, pointer
	}
	for _, e := range entries {
		for _, f := range e.Places {
			if named, pointer := at(f); f.Container != "" && first[named] == "" {
				first[named] = pointer
			}
		}
	}
	return func(f *engine.Finding) place {
		named, pointer := at(f)
		named.pointer = cmp.Or(pointer, first[named])
		return named
	}
}

// inContainer is the way to a container of a pod spec.
var inContainer = regexp.MustCompile(`^.*?/(?:containers|initContainers)/\d+`)

// Message is what an entry says. That classes are missing is said once, in words for all.
func Message(e *report.Entry) string {
	if e.Rule != report.ClassMissing {
		return e.Message
	}
	n := e.Workloads()
	return fmt.Sprintf("Class not set on %s: CPU limits were not checked.", words.Count(n, "workload"))
}
