package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// auditProgress shows on standard error what is read, if that is a terminal and the run is
// long. It shows no percentage, because the total is not known beforehand.
type auditProgress struct {
	mu    sync.Mutex
	off   bool
	start time.Time
	bar   *progressbar.ProgressBar
}

func newAuditProgress(off bool) *auditProgress {
	return &auditProgress{off: off || !term.IsTerminal(int(os.Stderr.Fd())), start: time.Now()}
}

func (p *auditProgress) step(what string, judged int) {
	if p.off {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		if time.Since(p.start) < progressAfter {
			return
		}
		p.bar = progressbar.NewOptions(-1,
			progressbar.OptionSetWriter(os.Stderr),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond),
		)
	}
	p.bar.Describe(fmt.Sprintf("reading %s, %d workloads judged", what, judged))
	_ = p.bar.Add(1) // a bar that cannot be drawn must not stop the run
}

func (p *auditProgress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
