//go:build linux

package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/headroom-dev/headroom/lab/bench/process"
)

// clients ask at the same time, each on a connection of its own, as often as they are
// answered.
const clients = 32

// settle is how long they ask before anything is measured.
const settle = 300 * time.Millisecond

// load is one kind of request.
type load struct {
	*server
	path   string
	review review
	fresh  bool // every request has another template
	tls    *tls.Config
}

// serial numbers all requests, so that a template never comes twice.
var serial atomic.Uint64

// sample is what one round measured.
type sample struct {
	cpu      time.Duration // a request
	rate     float64       // requests a second
	p50, p99 time.Duration
}

func (s sample) tail() float64 { return float64(s.p99) / float64(s.p50) }

// run asks for a while.
func (l load) run(duration time.Duration) (sample, error) {
	var answered atomic.Int64
	var from atomic.Pointer[time.Time] // requests that began earlier are not counted
	var stop atomic.Bool
	failed := make(chan error, clients)
	times := make([][]time.Duration, clients)
	var done sync.WaitGroup
	for i := range clients {
		done.Go(func() {
			c, err := l.connect()
			if err != nil {
				failed <- err
				return
			}
			defer func() { _ = c.Close() }()
			for !stop.Load() {
				start := time.Now()
				if _, err := c.ask(serial.Add(1)); err != nil {
					failed <- err
					return
				}
				answered.Add(1)
				if began := from.Load(); began != nil && start.After(*began) {
					times[i] = append(times[i], time.Since(start))
				}
			}
		})
	}
	time.Sleep(settle)
	began := time.Now()
	from.Store(&began)
	before, first, err := l.used(&answered)
	time.Sleep(duration)
	after, last, err2 := l.used(&answered)
	wall := time.Since(began)
	stop.Store(true)
	done.Wait()
	close(failed)
	if err := errors.Join(err, err2, <-failed); err != nil {
		return sample{}, err
	}
	all := slices.Concat(times...)
	if last == first || len(all) == 0 {
		return sample{}, errors.New("nothing was answered")
	}
	slices.Sort(all)
	return sample{
		cpu: (after - before) / time.Duration(last-first), rate: float64(last-first) / wall.Seconds(),
		p50: all[len(all)/2], p99: all[len(all)*99/100],
	}, nil
}

// used is the server's CPU time, and the answers that it went into.
func (l load) used(answered *atomic.Int64) (time.Duration, int64, error) {
	cpu, err := process.CPU(l.cmd.Process.Pid)
	return cpu, answered.Load(), err
}

// client is one connection. It writes and reads as little as it can, as it shares a
// processor with the API server.
type client struct {
	*tls.Conn
	load
	message, body []byte // body is the message's end
	answers       *bufio.Reader
	answer        bytes.Buffer
}

func (l load) connect() (*client, error) {
	conn, err := tls.Dial("tcp", l.address, l.tls)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: kube-apiserver-admission\r\n"+
		"Accept: application/json, */*\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		l.path, l.address, len(l.review.text))
	c := &client{Conn: conn, load: l, message: append([]byte(head), l.review.text...), answers: bufio.NewReader(conn)}
	c.body = c.message[len(head):]
	return c, nil
}

// ask sends the review as one that was not sent before and gives the answer, which must
// allow it.
func (c *client) ask(n uint64) ([]byte, error) {
	status, err := c.send(n)
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK || !bytes.Contains(c.answer.Bytes(), []byte(`"allowed":true`)) {
		return nil, fmt.Errorf("%s: %d %s", c.path, status, c.answer.Bytes())
	}
	return c.answer.Bytes(), nil
}

// send does it, whatever the answer is.
func (c *client) send(n uint64) (status int, err error) {
	c.review.number(c.body, n, c.fresh)
	if _, err := c.Write(c.message); err != nil {
		return 0, fmt.Errorf("ask: %w", err)
	}
	response, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return 0, fmt.Errorf("answer: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	c.answer.Reset()
	if _, err := io.Copy(&c.answer, response.Body); err != nil {
		return 0, fmt.Errorf("answer: %w", err)
	}
	return response.StatusCode, nil
}
