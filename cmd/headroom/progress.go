package main

import (
	"fmt"
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

// step says how many of the files are judged.
func (p *progress) step(done, total int) {
	p.draw(total, func() { _ = p.bar.Set(done) }, // a bar that cannot be drawn must not stop the run
		progressbar.OptionSetDescription("judging"), progressbar.OptionShowCount())
}

// read says what of a cluster is read. There is no percentage, because the total is not known beforehand.
func (p *progress) read(what string, judged int) {
	p.draw(-1, func() {
		p.bar.Describe(fmt.Sprintf("reading %s, %d workloads judged", what, judged))
		_ = p.bar.Add(1) // as above
	})
}

func (p *progress) draw(total int, move func(), options ...progressbar.Option) {
	if p.off {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		if time.Since(p.start) < progressAfter {
			return
		}
		p.bar = progressbar.NewOptions(total, append(options,
			progressbar.OptionSetWriter(os.Stderr),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond),
		)...)
	}
	move()
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
