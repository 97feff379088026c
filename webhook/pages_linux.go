package webhook

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releasePages lets go of the pages of the program itself. Starting runs through all of it, Helm
// and kustomize included, which leaves some 30 MiB in memory that serving never touches. What it
// does touch comes back from the page cache. Only what is mapped from the file, cannot be written
// and never was is let go. The loader of a program that is linked to libraries writes their
// addresses before it protects them.
func releasePages() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, at := range ownPages(string(maps), program) {
		// Refused, it changes nothing.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, at.start, at.length, syscall.MADV_DONTNEED)
	}
}

type pages struct{ start, length uintptr }

// ownPages are those of a program that cannot be written and are as the file has them, by /proc/PID/smaps.
func ownPages(maps, program string) []pages {
	var found []pages
	var candidate pages
	for line := range strings.Lines(maps) {
		fields := strings.Fields(line)
		switch {
		case len(fields) >= 5 && strings.Contains(fields[0], "-"):
			// 00400000-01db6000 r-xp 00000000 fe:00 1234 /headroom
			candidate = pages{}
			if len(fields) == 6 && fields[5] == program && !strings.Contains(fields[1], "w") {
				candidate = between(fields[0])
			}
		case len(fields) == 3 && fields[0] == "Anonymous:" && fields[1] == "0" && candidate.length > 0:
			found = append(found, candidate)
		}
	}
	return found
}

// between reads 00400000-01db6000; it gives nothing for a line that it cannot read.
func between(text string) pages {
	from, to, _ := strings.Cut(text, "-")
	start, err := strconv.ParseUint(from, 16, 64)
	if err != nil {
		return pages{}
	}
	end, err := strconv.ParseUint(to, 16, 64)
	if err != nil || end < start {
		return pages{}
	}
	return pages{uintptr(start), uintptr(end - start)}
}
