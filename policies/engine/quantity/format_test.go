package quantity

import (
	"math"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

// What is printed may be pasted into a manifest: it reads back as the same value.
func TestFormatsReadBack(t *testing.T) {
	units := []int64{1 << 10, 1 << 20, 1 << 30, 1 << 40, 1 << 50, 1 << 60, 1e6, 1e9, 1e12, 1e15, 1e18}
	numbers := make([]int64, 0, 20+5*len(units))
	numbers = append(numbers, 0, 1, 9, 10, 100, 500, 999, 1000, 1001, 1023, 1024, 1500, 1536, 2000, 10_000, 250_000_000,
		999_999, math.MaxInt64)
	for _, unit := range units {
		numbers = append(numbers, unit-1, unit, unit+1, 3*unit, 7*(unit/2))
	}
	var got []struct {
		CPU, Memory string
		MiB         int64
	}
	evaluate(t, prepare(t, `x = [y | some n in input; y := {
		"CPU": quantity.format_cpu(n), "Memory": quantity.format_memory(n), "MiB": quantity.mib(n)}]`), numbers, &got)
	if len(got) != len(numbers) {
		t.Fatalf("%d answers for %d numbers", len(got), len(numbers))
	}
	for i, number := range numbers {
		cpu, memory := resource.MustParse(got[i].CPU), resource.MustParse(got[i].Memory)
		if cpu.Cmp(*resource.NewMilliQuantity(number, resource.DecimalSI)) != 0 {
			t.Errorf("format_cpu(%d) = %s", number, got[i].CPU)
		}
		// From 1000 cores on Kubernetes prints "1k", which is unusual in manifests.
		if canonical := cpu.String(); number < 1_000_000 && canonical != got[i].CPU {
			t.Errorf("format_cpu(%d) = %s, Kubernetes prints %s", number, got[i].CPU, canonical)
		}
		if memory.Cmp(*resource.NewQuantity(number, resource.BinarySI)) != 0 {
			t.Errorf("format_memory(%d) = %s", number, got[i].Memory)
		}
		canonical := resource.NewQuantity(number, resource.BinarySI).String()
		if number%(1<<20) == 0 && canonical != got[i].Memory {
			t.Errorf("format_memory(%d) = %s, Kubernetes prints %s", number, got[i].Memory, canonical)
		}
		if want := int64(math.Round(float64(number) / (1 << 20))); got[i].MiB != want {
			t.Errorf("mib(%d) = %d, want %d", number, got[i].MiB, want)
		}
	}
}
