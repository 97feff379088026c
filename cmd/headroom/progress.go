package main

import (
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressAfter is how long a run may take before it shows how far it is: shorter runs
// would only flicker.
const progressAfter = 700 * time.Millisecond

// progress shows a bar on standard error, if that is a terminal and the run is long.
type progress struct {
	mu    sync.Mutex
	off   bool
	start time.Time
	bar   *progressbar.ProgressBar
}

func newProgress(off bool) *progress {
	return &progress{
		off:   off || !term.IsTerminal(int(os.Stderr.Fd())),
		start: time.Now(),
	}
}

func (p *progress) step(done, total int) {
	if p.off {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		if time.Since(p.start) < progressAfter {
			return
		}
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(os.Stderr),
			progressbar.OptionSetDescription("judging"),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond),
		)
	}
	_ = p.bar.Set(done) // a bar that cannot be drawn must not stop the run
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
