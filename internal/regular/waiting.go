//go:build !js

package regular

import "syscall"

// notWaiting opens a pipe at once, where it would wait for a writer.
const notWaiting = syscall.O_NONBLOCK
