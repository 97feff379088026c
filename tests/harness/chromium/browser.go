// Package chromium drives a Chromium through its DevTools protocol, over a pipe: there is no port
// that another process could speak to.
package chromium

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// Browser is a running Chromium.
type Browser struct {
	cmd     *exec.Cmd
	to      *os.File
	from    *os.File
	profile string

	mutex  sync.Mutex
	last   int
	wait   map[int]chan answer
	pages  map[string]*Page
	closed error
	gone   chan struct{} // closed when the browser speaks no more
}

type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

type answer struct {
	result json.RawMessage
	err    error
}

// Start runs a Chromium without a window. Its sandbox is off: root may not have one, and it is
// shown our own pages.
func Start(ctx context.Context, program string, args ...string) (*Browser, error) {
	profile, err := os.MkdirTemp("", "headroom-browser-")
	if err != nil {
		return nil, err
	}
	commands, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, events, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b := &Browser{
		to: to, from: from, profile: profile,
		wait: map[int]chan answer{}, pages: map[string]*Page{}, gone: make(chan struct{}),
	}
	b.cmd = exec.CommandContext(ctx, program, append([]string{ //nolint:gosec // the test names the browser
		"--headless", "--no-sandbox", "--remote-debugging-pipe", "--user-data-dir=" + profile, "--disable-gpu",
		"--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-default-apps", "--force-color-profile=srgb", "--font-render-hinting=none",
	}, args...)...)
	b.cmd.Env = append(os.Environ(), "HOME="+profile)
	b.cmd.ExtraFiles = []*os.File{commands, events} // its file descriptors 3 and 4
	if err := b.cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(profile))
	}
	_, _ = commands.Close(), events.Close() // the browser has its own
	go b.read()
	return b, nil
}

// Close ends the browser.
func (b *Browser) Close() error {
	_, _ = b.call("", "Browser.close", nil) // it may be gone before it answers
	_ = b.to.Close()
	err := errors.Join(b.cmd.Wait(), b.from.Close())
	gone := os.RemoveAll(filepath.Clean(b.profile))
	// Its own processes end a little later, and write into the profile until then.
	for range 100 {
		if gone == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
		gone = os.RemoveAll(filepath.Clean(b.profile))
	}
	return errors.Join(err, gone)
}

// read takes what the browser says, each message ended by a zero byte.
func (b *Browser) read() {
	in := bufio.NewReader(b.from)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			b.fail(fmt.Errorf("the browser ended: %w", err))
			return
		}
		var m struct {
			message
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
			b.fail(err)
			return
		}
		b.mutex.Lock()
		waiting, page := b.wait[m.ID], b.pages[m.Session]
		delete(b.wait, m.ID)
		b.mutex.Unlock()
		switch {
		case m.ID != 0 && waiting != nil:
			a := answer{result: m.Result}
			if m.Error != nil {
				a.err = errors.New(m.Error.Message)
			}
			waiting <- a
		case m.ID == 0 && page != nil:
			page.event(m.Method, m.Params)
		}
	}
}

func (b *Browser) fail(err error) {
	if errors.Is(err, io.EOF) {
		err = errors.New("the browser ended")
	}
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.closed = err
	close(b.gone)
	for id, waiting := range b.wait {
		waiting <- answer{err: err}
		delete(b.wait, id)
	}
}

func (b *Browser) call(session, method string, params any) (json.RawMessage, error) {
	waiting := make(chan answer, 1)
	b.mutex.Lock()
	if b.closed != nil {
		b.mutex.Unlock()
		return nil, b.closed
	}
	b.last++
	m := message{ID: b.last, Session: session, Method: method, Params: params}
	b.wait[m.ID] = waiting
	text, err := json.Marshal(m)
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	b.mutex.Unlock()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	a := <-waiting
	if a.err != nil {
		return nil, fmt.Errorf("%s: %w", method, a.err)
	}
	return a.result, nil
}
