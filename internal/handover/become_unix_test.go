//go:build unix

package handover

import (
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// found is a file as a file system tells of it.
type found struct {
	os.FileInfo
	owner int
	mode  fs.FileMode
}

func (f found) Mode() fs.FileMode { return f.mode }
func (f found) Sys() any          { return &syscall.Stat_t{Uid: uint32(f.owner)} }

func TestStrange(t *testing.T) {
	me, other := os.Getuid(), os.Getuid()+1
	const third = 4321
	for _, test := range []struct {
		program, own found
		strange      bool
	}{
		{program: found{owner: me, mode: 0o755}, own: found{owner: me, mode: 0o755}},
		{program: found{owner: 0, mode: 0o755}, own: found{owner: me, mode: 0o755}},
		{program: found{owner: other, mode: 0o755}, own: found{owner: other, mode: 0o755}},
		{program: found{owner: me, mode: 0o777}, own: found{owner: me, mode: 0o777}}, // a file system without modes
		{program: found{owner: other, mode: 0o755}, own: found{owner: third, mode: 0o755}, strange: true},
		{program: found{owner: me, mode: 0o757}, own: found{owner: me, mode: 0o755}, strange: true},
	} {
		if got := strange(test.program, test.own); (got != "") != test.strange {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
