//go:build linux

package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/report"
	"github.com/headroom-dev/headroom/webhook"
)

// What a namespace may feel of its neighbours (M1).
const (
	attackers   = 16
	victimPause = 20 * time.Millisecond // between two of its requests
	fairTimes   = 3                     // its p99 by that without them
	calm        = "calm"                // an enforce namespace
	loud        = "loud"                // a warn namespace
)

// fairness measures a namespace alone, and beside those that send Pods of 100 containers as often as they are answered.
func fairness(c *standing, s *server, rounds int, each time.Duration) error {
	if err := c.namespace(calm, map[string]string{"headroom.dev/mode": "enforce"}); err != nil {
		return err
	}
	spaces := []string{loud}
	for i := range attackers {
		spaces = append(spaces, fmt.Sprintf("ld%02d", i))
	}
	for _, name := range spaces {
		if err := c.namespace(name, map[string]string{"headroom.dev/mode": "warn"}); err != nil {
			return err
		}
	}
	t := report.Table{
		Title: fmt.Sprintf("A namespace in enforce mode beside %d clients that send Pods of 100 containers, on %d processors, %d runs of each in turn",
			attackers, s.processors, rounds),
		Head: []string{"", "p50", "p99", "× alone", "answered", "429", "attackers' Pods/s", "at most", "p99 is"},
	}
	rows := []*fairRow{{name: "alone"}, {name: "attackers in a warn namespace", spaces: spaces[:1]}, {name: "attackers in 16 of them", spaces: spaces[1:]}}
	for range rounds {
		for _, row := range rows {
			if err := row.measure(s, c.tls(), 2*each); err != nil {
				return fmt.Errorf("%s: %w", row.name, err)
			}
		}
	}
	alone := rows[0].at(99)
	for _, row := range rows {
		times := float64(row.at(99)) / float64(alone)
		cells := []string{
			row.name, report.Duration(float64(row.at(50))), report.Duration(float64(row.at(99))), fmt.Sprintf("%.1f", times),
			fmt.Sprint(len(row.took)), fmt.Sprint(row.refused), fmt.Sprintf("%.0f", float64(row.attacks)/row.time.Seconds()), "", "",
		}
		if row.spaces != nil {
			cells[7], cells[8] = fmt.Sprintf("%d × alone, no 429", fairTimes), report.Times(times/fairTimes)
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Print()
	return nil
}

type fairRow struct {
	name    string
	spaces  []string
	took    []time.Duration
	refused int
	attacks int64
	time    time.Duration
}

func (r *fairRow) at(share int) time.Duration {
	if len(r.took) == 0 {
		return 0
	}
	slices.Sort(r.took)
	return r.took[(len(r.took)-1)*share/100]
}

func (r *fairRow) measure(s *server, config *tls.Config, each time.Duration) error {
	right, err := newReview(false)
	if err != nil {
		return err
	}
	right.text = bytes.ReplaceAll(right.text, []byte(`"namespace":"shop"`), []byte(`"namespace":"`+calm+`"`))
	var stop atomic.Bool
	var made atomic.Int64
	var done sync.WaitGroup
	defer func() { stop.Store(true); done.Wait() }()
	for i := range attackers {
		if r.spaces == nil {
			break
		}
		l := load{server: s, path: webhook.PathValidate, review: dear(r.spaces[i%len(r.spaces)]), fresh: true, tls: config}
		client, err := l.connect()
		if err != nil {
			return err
		}
		done.Go(func() {
			defer func() { _ = client.Close() }()
			for !stop.Load() {
				// Refused or answered, it sends the next.
				if _, err := client.send(serial.Add(1)); err != nil {
					return
				}
				made.Add(1)
			}
		})
	}
	time.Sleep(settle)
	l := load{server: s, path: webhook.PathValidateEnforce, review: right, fresh: true, tls: config}
	victim, err := l.connect()
	if err != nil {
		return err
	}
	defer func() { _ = victim.Close() }()
	began, before := time.Now(), made.Load()
	for time.Since(began) < each {
		asked := time.Now()
		status, err := victim.send(serial.Add(1))
		if err != nil {
			return err
		}
		if status == http.StatusOK && bytes.Contains(victim.answer.Bytes(), []byte(`"allowed":true`)) {
			r.took = append(r.took, time.Since(asked))
		} else {
			r.refused++
		}
		time.Sleep(victimPause)
	}
	r.attacks, r.time = r.attacks+made.Load()-before, r.time+time.Since(began)
	return nil
}

// dear is a review of a Pod of 100 containers, 35 KB, each with flags for a JVM.
func dear(namespace string) review {
	zeros := strings.Repeat("0", digits)
	containers := make([]any, 100)
	for i := range containers {
		containers[i] = map[string]any{
			"name": fmt.Sprintf("app-%02d", i), "image": "registry.example.com/team/app:1.0",
			"command": []any{"java", "-Xmx900m", "-XX:MaxRAMPercentage=75", "-jar", "app.jar"},
			"env":     []any{map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": "-XX:ParallelGCThreads=9 -XX:+UseG1GC -Dserial=" + zeros}},
			"resources": map[string]any{
				"requests": map[string]any{"cpu": "1", "memory": "1Gi"}, "limits": map[string]any{"cpu": "2", "memory": "1Gi"},
			},
		}
	}
	text, _ := json.Marshal(map[string]any{ // texts and maps alone
		"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1",
		"request": map[string]any{
			"uid": "35214e93-0000-4000-8000-" + zeros, "operation": "CREATE", "name": "dear", "namespace": namespace,
			"kind":     map[string]any{"group": "", "version": "v1", "kind": "Pod"},
			"resource": map[string]any{"group": "", "version": "v1", "resource": "pods"}, "userInfo": map[string]any{},
			"object": map[string]any{
				"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "dear", "namespace": namespace},
				"spec": map[string]any{"containers": containers},
			},
		},
	})
	r := review{text: text}
	for at := 0; ; at += digits {
		next := bytes.Index(text[at:], []byte(zeros))
		if next < 0 {
			return r
		}
		at += next
		r.template = append(r.template, at)
	}
}
