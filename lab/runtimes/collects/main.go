// Command collects is a service in Go that leaves garbage behind, with 120 MB that its collector goes through.
// Requests come in bursts and take 40 % of a CPU for each ten of a burst. It prints their 99th percentile in
// milliseconds; with 0, how many a second it serves that is never idle.
package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	kept    = 1_500_000 // live objects
	warm    = 2 * time.Second
	lasting = 15 * time.Second
	between = 40 * time.Millisecond // bursts
)

type node struct {
	_ *node // the collector looks at it
	_ [8]uint64
}

func main() {
	atOnce, err := 0, error(nil)
	if len(os.Args) == 2 {
		atOnce, err = strconv.Atoi(os.Args[1])
	}
	if len(os.Args) != 2 || err != nil || atOnce < 0 {
		fmt.Fprintln(os.Stderr, "usage: collects REQUESTS-AT-ONCE")
		os.Exit(2)
	}
	live := make([]*node, kept)
	for i := range live {
		live[i] = &node{}
	}
	if atOnce == 0 {
		fmt.Println(busy())
	} else {
		times := serve(atOnce)
		fmt.Println(float64(times[len(times)*99/100].Microseconds()) / 1000)
	}
	runtime.KeepAlive(live)
}

// request takes 1 to 2 ms of CPU time and leaves 1.7 MB of garbage.
func request(left **node) {
	for range 24_000 {
		*left = &node{}
	}
}

// serve gives how long requests took from when they came, sorted.
func serve(atOnce int) []time.Duration {
	var times []time.Duration
	var counting sync.Mutex
	var group sync.WaitGroup
	left := make([]*node, atOnce)
	began := time.Now()
	for due := began; time.Since(began) < warm+lasting; due = due.Add(between) {
		time.Sleep(time.Until(due))
		for i := range atOnce {
			group.Go(func() {
				request(&left[i])
				if took := time.Since(due); due.Sub(began) > warm {
					counting.Lock()
					times = append(times, took)
					counting.Unlock()
				}
			})
		}
	}
	group.Wait()
	slices.Sort(times)
	return times
}

// busy serves eight at once, again and again, and gives how many a second.
func busy() int64 {
	var group sync.WaitGroup
	var served atomic.Int64
	began := time.Now()
	for range 8 {
		group.Go(func() {
			for left := (*node)(nil); time.Since(began) < lasting; served.Add(1) {
				request(&left)
			}
		})
	}
	group.Wait()
	return served.Load() / int64(lasting/time.Second)
}
