//go:build unix

package decision

import (
	"math"
	"syscall"
	"testing"
	"time"
)

func BenchmarkDecisionCached(b *testing.B)   { benchmark(b, false) }
func BenchmarkDecisionUncached(b *testing.B) { benchmark(b, true) }

// batchTime is how long decisions are timed together. CPU time is told besides wall time, of
// the best batch: the machine may be busy with other things.
const batchTime = 10 * time.Millisecond

// cpuTime is what the process has used of all processors, garbage collection included.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func benchmark(b *testing.B, forget bool) {
	for _, name := range []string{"simple", "pod", "jvms"} {
		object := podOf(b, name)
		for operation, run := range map[string]func(*Decider) error{
			"validate": func(d *Decider) error {
				_, err := d.Validate(b.Context(), Request{Object: object, Name: "a", Namespace: "shop"})
				return err
			},
			"mutate": func(d *Decider) error {
				_, err := d.Mutate(b.Context(), Request{Object: object, Name: "a", Namespace: "shop"})
				return err
			},
		} {
			b.Run(operation+"/"+name, func(b *testing.B) {
				d, err := New(b.Context(), Options{Deadline: time.Minute})
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(object)))
				b.ReportAllocs()
				once := func() {
					if forget {
						d.cache.clear()
					}
					if err := run(d); err != nil {
						b.Fatal(err)
					}
				}
				once()
				start := cpuTime()
				once()
				batch := int(batchTime/max(cpuTime()-start, time.Microsecond)) + 1
				best := math.MaxFloat64
				b.ResetTimer()
				for done := 0; done < b.N; done += batch {
					n := min(batch, b.N-done)
					start := cpuTime()
					for range n {
						once()
					}
					if n == batch || best == math.MaxFloat64 {
						best = min(best, float64(cpuTime()-start)/float64(n))
					}
				}
				b.ReportMetric(best, "best-cpu-ns")
			})
		}
	}
}
