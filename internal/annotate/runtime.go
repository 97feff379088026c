package annotate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// jvmGroup is the annotation that says what a JVM's manifest does not show.
const jvmGroup = "jvm.headroom.dev"

// fact is one word of that annotation, and where the JVM tells it.
type fact struct {
	word  string
	told  func(*engine.Runtime) float64
	known func(*engine.Facts) int64
	bytes bool
}

// pauseWord is the length of a collection, in milliseconds.
const pauseWord = "pause"

var facts = []fact{
	{"threads", func(r *engine.Runtime) float64 { return r.Threads }, func(f *engine.Facts) int64 { return f.Threads }, false},
	{"classes", func(r *engine.Runtime) float64 { return r.Classes }, func(f *engine.Facts) int64 { return f.Classes }, false},
	{"metaspace", func(r *engine.Runtime) float64 { return r.Metaspace }, func(f *engine.Facts) int64 { return f.Metaspace }, true},
	{"codecache", func(r *engine.Runtime) float64 { return r.CodeCache }, func(f *engine.Facts) int64 { return f.CodeCache }, true},
	{"direct", func(r *engine.Runtime) float64 { return r.Direct }, func(f *engine.Facts) int64 { return f.Direct }, true},
	{"live", func(r *engine.Runtime) float64 { return r.Live }, func(f *engine.Facts) int64 { return f.Live }, true},
	{
		"processors", func(r *engine.Runtime) float64 { return r.Processors },
		func(f *engine.Facts) int64 { return f.Processors }, false,
	},
	{pauseWord, func(r *engine.Runtime) float64 { return r.GCPause }, microseconds, false},
}

// runtime is the annotation of what a JVM tells of itself, and the words that it tells. Others, such as its version, stay.
func (r *runner) runtime(item source.Item, w Workload, m engine.Measured, now, then engine.Detail) ([]value, []string) {
	if then.Budget == nil {
		return nil, nil
	}
	if sentences.TellsNothing(&m) {
		r.result.Untold++
	}
	if !m.Runtime.Known() {
		return nil, nil
	}
	key := jvmGroup + "/" + then.Container
	there, annotated := w.annotation(key)
	if m.Runtime.Doubt != "" {
		r.note(item, w, fmt.Sprintf("container %s: what its JVM tells is not used: %s", then.Container, m.Runtime.Doubt))
	}
	words := strings.Fields(there)
	changes := false
	var told []string
	for _, f := range facts {
		count := f.known(&then.Facts)
		if f.told(&m.Runtime) == 0 || count == 0 {
			continue
		}
		told = append(told, f.word)
		if r.judge.close(f.known(&now.Facts), count) {
			continue
		}
		changes = true
		text := f.word + "=" + f.text(count)
		words = slices.DeleteFunc(words, func(word string) bool { return strings.HasPrefix(word, f.word+"=") })
		words = append(words, text)
	}
	switch {
	case changes:
		return []value{{key, strings.Join(words, " "), false}}, told
	case len(told) > 0:
		r.result.Kept++
	}
	if annotated {
		return []value{{key, there, true}}, told
	}
	return nil, told
}

// microseconds are those of a pause: one of a collector that runs beside the program is under a millisecond.
func microseconds(f *engine.Facts) int64 { return int64(math.Round(f.Pause * perMillisecond)) }

const perMillisecond = 1000

// text is the amount as the annotation has it: bytes in whole mebibytes, rounded up, a pause in
// milliseconds.
func (f fact) text(count int64) string {
	if f.word == pauseWord {
		return strconv.FormatFloat(float64(count)/perMillisecond, 'f', -1, 64) + "ms"
	}
	if !f.bytes {
		return strconv.FormatInt(count, 10)
	}
	const mi = 1 << 20
	return resource.NewQuantity((count+mi-1)/mi*mi, resource.BinarySI).String()
}
