package measure

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What the recommender gives at least, however little a Pod uses, unless its flags say
// otherwise; a Pod's containers share it.
const (
	leastMilli = 25
	leastBytes = 250 << 20
)

// recommendation reads the target of one container. It is the 90th percentile of the CPU
// samples, and of the largest memory of each day, plus 15 %. For CPU that is a good request, so it
// stands for the average; for memory it is a little more than the peak. upperBound
// is no peak: the less the recommender has seen, the larger it is ("may be larger than the
// maximum amount of application is actually capable of consuming"). A target at the recommender's
// minimum only says that the use is lower, not by how much.
func recommendation(one map[string]any, containers int) (average, memoryPeak string) {
	cpu, ok := target(one, "cpu")
	if milli := cpu.MilliValue(); ok && milli > share(leastMilli, containers) {
		average = cores(float64(milli) / 1000)
	}
	memory, ok := target(one, "memory")
	if value := memory.Value(); ok && value > share(leastBytes, containers) {
		memoryPeak = bytes(float64(value))
	}
	return average, memoryPeak
}

// share is the part of one container, rounded up: the recommender's is a whole number too.
func share(least int64, containers int) int64 {
	n := int64(max(1, containers))
	return (least + n - 1) / n
}

// target is the recommendation before the policy of the autoscaler cuts it, if that is there: it was
// measured, and the cut one is a wish.
func target(one map[string]any, name string) (resource.Quantity, bool) {
	for _, field := range []string{"uncappedTarget", "target"} {
		text, _, _ := unstructured.NestedString(one, field, name)
		if text == "" {
			continue
		}
		if quantity, err := resource.ParseQuantity(text); err == nil && quantity.Sign() > 0 {
			return quantity, true
		}
	}
	return resource.Quantity{}, false
}

// checkpoint is what the recommender keeps of a container's samples.
type checkpoint struct {
	samples     int64
	first, last time.Time
}

func readCheckpoint(object *unstructured.Unstructured) (place, checkpoint) {
	autoscaler, _, _ := unstructured.NestedString(object.Object, "spec", "vpaObjectName")
	container, _, _ := unstructured.NestedString(object.Object, "spec", "containerName")
	samples, _, _ := unstructured.NestedInt64(object.Object, "status", "totalSamplesCount")
	read := checkpoint{
		samples: samples,
		first:   timeOf(object, "firstSampleStart"),
		last:    timeOf(object, "lastSampleStart"),
	}
	if read.last.IsZero() {
		read.last = timeOf(object, "lastUpdateTime")
	}
	return place{autoscalerKey(object.GetNamespace(), autoscaler), container}, read
}

func timeOf(object *unstructured.Unstructured, field string) time.Time {
	text, _, _ := unstructured.NestedString(object.Object, "status", field)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return at
}

// seen says how many samples there are, how old the newest is, and how far back they go.
func (c checkpoint) seen(now time.Time) (samples int, age, window time.Duration) {
	age, window = -1, history
	if !c.last.IsZero() {
		age = max(0, now.Sub(c.last))
		if !c.first.IsZero() {
			window = min(history, max(0, c.last.Sub(c.first)))
		}
	}
	return int(max(0, c.samples)), age, window
}
