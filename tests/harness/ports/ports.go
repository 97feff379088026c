// Package ports finds TCP ports for programs that must be told theirs.
package ports

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// Linux gives outgoing connections ports from 32768 on, and macOS from 49152: a port that the
// kernel chose ("port 0") can be another connection's before the program listens on it.
const first, last = 20000, 32767

// claims are the UDP ports held.
var claims sync.Map

// Address is one of this machine alone: "127.0.0.1:<free port>".
func Address() (string, error) {
	const local = "127.0.0.1"
	free, err := Free(local, 1)
	if err != nil {
		return "", err
	}
	return net.JoinHostPort(local, strconv.Itoa(free[0])), nil
}

// Free finds count ports on which no program listens at this address. It keeps the UDP port of
// the same number until this process ends, which keeps other tests from choosing it.
func Free(ip string, count int) ([]int, error) {
	free := make([]int, 0, count)
	var refused error
	for range last - first {
		if len(free) == count {
			return free, nil
		}
		port := first + rand.IntN(last-first+1) //nolint:gosec // it keeps no secret
		address := net.JoinHostPort(ip, strconv.Itoa(port))
		claim, err := net.ListenPacket("udp", address) //nolint:noctx // binding to an own address does not wait
		if err != nil {
			refused = err
			continue
		}
		claims.Store(claim, port)
		listener, err := net.Listen("tcp", address) //nolint:noctx // as above
		if err != nil {
			refused = err
			continue
		}
		if err := listener.Close(); err != nil {
			return nil, err
		}
		free = append(free, port)
	}
	return nil, fmt.Errorf("find %d free ports: %w", count, refused)
}
