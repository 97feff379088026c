package main

import (
	"fmt"
	"io"

	"github.com/headroom-dev/headroom/internal/allowance"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/lint/source"
)

// What strangers wrote may be made to take memory: a runner's other jobs must not be killed for it. 20 MiB of
// manifests may have 240 MiB alive, with which the process stays below 400 MiB; more manifests may have more.
const (
	aliveBytes  = 240 << 20
	freeBytes   = 20 << 20 // manifests that aliveBytes are for
	aliveFactor = 12       // bytes alive for each byte of manifests beyond them
	tightHeap   = 300 << 20
)

// mayLive is how many bytes may be alive when so many bytes of manifests have been read.
func mayLive(read int64) uint64 {
	return uint64(aliveBytes + aliveFactor*max(0, read-freeBytes))
}

// mostHeap bounds garbage where much is alive, without collecting all the time.
func mostHeap(alive uint64) int64 {
	return max(tightHeap, int64(min(alive, 1<<60))*5/4)
}

// refuseTooMuch ends the process where manifests take more memory than they may, and names the one that it was at. Of
// a server it ends the work, and the process only where that does not help.
func refuseTooMuch(alive uint64, said io.Writer, exit func(int)) {
	file, read := source.Reading()
	most := mayLive(read)
	if file == "" || alive <= most {
		return
	}
	why := fmt.Sprintf("gave up at %s: what was read so far, %d MiB, takes more than %d MiB of memory; judge parts of it, "+
		"one at a time", terminal.Printable(file), read>>20, most>>20)
	if alive <= most*3/2 && allowance.End(allowance.TooMuch(why)) {
		return
	}
	_, _ = fmt.Fprintf(said, "headroom: %s\n", why)
	exit(exitFailed)
}
