package measure

import (
	"math"

	"k8s.io/apimachinery/pkg/api/resource"
)

// No node has more than these. A larger value is an error of Prometheus and is ignored.
const (
	maxCores = mostProcessors
	maxBytes = 1 << 50
)

// noise is what sums of floating-point numbers may be off, in the unit that is rounded to:
// half a core that is measured as 0.5000000001 is 500m.
const noise = 1e-6

// cores writes CPU as Kubernetes does, in whole millicores. It rounds up: a limit below the real
// use would throttle. The least is 1m, because a request of 0 is the same as no request.
func cores(value float64) string {
	if math.IsNaN(value) || value < 0 || value > maxCores {
		return ""
	}
	milli := max(1, math.Ceil(value*1000-noise))
	return resource.NewMilliQuantity(int64(milli), resource.DecimalSI).String()
}

// bytes writes memory as Kubernetes does, in whole mebibytes, below one in kibibytes, rounded up.
func bytes(value float64) string {
	const ki, mi = 1 << 10, 1 << 20
	if math.IsNaN(value) || value <= 0 || value > maxBytes {
		return ""
	}
	unit := float64(mi)
	if value < mi {
		unit = ki
	}
	whole := math.Ceil(value/unit) * unit
	return resource.NewQuantity(int64(whole), resource.BinarySI).String()
}
