package plane

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// machineIP is an address at which the API server reaches the webhook: it refuses loopback
// addresses in EndpointSlices.
func machineIP() (string, error) {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return "", fmt.Errorf("list addresses: %w", err)
	}
	for _, address := range addresses {
		network, ok := address.(*net.IPNet)
		if ok && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
			return network.IP.String(), nil
		}
	}
	return "", errors.New("this machine has no IPv4 address but loopback, and Kubernetes refuses loopback " +
		"addresses as endpoints; add one, for example: ip link add headroom0 type dummy && " +
		"ip addr add 192.0.2.1/32 dev headroom0 && ip link set headroom0 up")
}

// find finds a tool: what `make control-plane` built, or what KUBEBUILDER_ASSETS or PATH
// hold.
func find(name string) (string, error) {
	for _, dir := range []string{repo.Path(".tools", "bin"), os.Getenv("KUBEBUILDER_ASSETS")} {
		file := filepath.Join(dir, name)
		//nolint:gosec // the developer says where the programs are
		if info, err := os.Stat(file); dir != "" && err == nil && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	file, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is missing; `make tools` builds it", name)
	}
	return file, nil
}

const directoryPrefix = "headroom-cluster-"

// newDirectory makes the folder that holds everything of one control plane, named by this
// process, and removes those of processes that ended without.
func newDirectory() (string, error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), directoryPrefix+"*"))
	for _, dir := range left {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), directoryPrefix), "-")
		pid, err := strconv.Atoi(owner)
		if err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			_ = os.RemoveAll(dir)
		}
	}
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", directoryPrefix, os.Getpid()))
}
