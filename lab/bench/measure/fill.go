//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/klauspost/compress/s2"
)

const (
	namespace   = "shop"
	perWorkload = 10
	// slice is how much is written of one series before the next one: Prometheus takes nothing that is older by an hour.
	slice = 40 * time.Minute
	// together is how many series one request writes.
	together = 2000
)

// series is one, and its value at a number of seconds since the Pod began.
type series struct {
	labels [][2]string
	value  func(seconds float64) float64
}

// of are the series of one Pod with one container, as cAdvisor and kube-state-metrics have them.
func of(n int, began time.Time) []series {
	pod := fmt.Sprintf("service-%04d-7d9f8b6c5d-%05x", n/perWorkload, 0xa1b2c+n)
	uid := fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n)
	from := func(metric string, more ...string) [][2]string {
		labels := [][2]string{{"__name__", metric}, {"container", "app"}, {"namespace", namespace}, {"pod", pod}}
		for i := 0; i < len(more); i += 2 {
			labels = append(labels, [2]string{more[i], more[i+1]})
		}
		slices.SortFunc(labels, func(a, b [2]string) int { return bytes.Compare([]byte(a[0]), []byte(b[0])) })
		return labels
	}
	cadvisor := func(metric string, more ...string) [][2]string {
		return from(metric, append(more, "id", "/kubepods.slice/kubepods-pod"+uid+".slice/cri-containerd-"+uid+".scope",
			"image", "registry.example/shop/app:1", "instance", fmt.Sprintf("10.0.%d.%d:10250", n/250%250, n%250),
			"job", "kubelet", "metrics_path", "/metrics/cadvisor", "name", uid, "node", fmt.Sprintf("node-%03d", n%500))...)
	}
	state := func(metric string) [][2]string {
		return from(metric, "instance", "10.0.0.1:8080", "job", "kube-state-metrics", "uid", uid)
	}
	cores := 0.1 + 0.05*float64(n%17)
	used := func(s float64) float64 { return cores * (s + 3000*math.Sin(s/86400*2*math.Pi+float64(n))) }
	throttled := 0.0
	if n/perWorkload%5 == 0 {
		throttled = 0.1
	}
	periods := func(s float64) float64 { return math.Floor(s * 10) }
	return []series{
		{cadvisor("container_cpu_usage_seconds_total", "cpu", "total"), used},
		{cadvisor("container_memory_working_set_bytes"), func(s float64) float64 {
			return math.Floor((200+20*math.Sin(s/3600+float64(n)))*256) * 4096
		}},
		{cadvisor("container_cpu_cfs_periods_total"), periods},
		{cadvisor("container_cpu_cfs_throttled_periods_total"), func(s float64) float64 { return math.Floor(periods(s) * throttled) }},
		{cadvisor("container_cpu_cfs_throttled_seconds_total"), func(s float64) float64 { return periods(s) * throttled * 0.04 }},
		{cadvisor("container_oom_events_total"), func(float64) float64 { return 0 }},
		{cadvisor("container_pressure_cpu_waiting_seconds_total"), func(s float64) float64 { return s / 50 }},
		{state("kube_pod_container_status_restarts_total"), func(float64) float64 { return 0 }},
		{state("kube_pod_created"), func(float64) float64 { return float64(began.Unix() - 86400) }},
	}
}

// fill writes all series in the order of time.
func fill(ctx context.Context, url string, o options, end time.Time) error {
	began := end.Add(-week)
	var everything []series
	for n := range o.pods {
		everything = append(everything, of(n, began)...)
	}
	for from := began; from.Before(end); from = from.Add(slice) {
		for some := range slices.Chunk(everything, together) {
			var request []byte
			for _, s := range some {
				request = field(request, 1, s.encode(from, min(slice, end.Sub(from)), o.every, began))
			}
			if err := write(ctx, url, request); err != nil {
				return err
			}
		}
	}
	return nil
}

// encode is a TimeSeries of Prometheus' remote write 1.0, in protobuf.
func (s series) encode(from time.Time, length, every time.Duration, began time.Time) []byte {
	var text []byte
	for _, l := range s.labels {
		text = field(text, 1, field(field(nil, 1, []byte(l[0])), 2, []byte(l[1])))
	}
	for at := from; at.Before(from.Add(length)); at = at.Add(every) {
		sample := binary.LittleEndian.AppendUint64([]byte{1<<3 | 1}, math.Float64bits(s.value(at.Sub(began).Seconds())))
		sample = binary.AppendUvarint(append(sample, 2<<3), uint64(at.UnixMilli()))
		text = field(text, 2, sample)
	}
	return text
}

// field appends a field of protobuf that has a length.
func field(to []byte, number byte, text []byte) []byte {
	to = binary.AppendUvarint(append(to, number<<3|2), uint64(len(text)))
	return append(to, text...)
}

func write(ctx context.Context, url string, text []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/v1/write", bytes.NewReader(s2.EncodeSnappy(nil, text)))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Encoding", "snappy")
	request.Header.Set("Content-Type", "application/x-protobuf")
	request.Header.Set("X-Prometheus-Remote-Write-Version", "0.1.0")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode/100 == 2 {
		return nil
	}
	const enough = 500
	said, _ := io.ReadAll(io.LimitReader(response.Body, enough)) // for the message alone
	return fmt.Errorf("%s: %s", response.Status, said)
}
