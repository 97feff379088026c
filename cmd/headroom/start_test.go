package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestNothingIsCollectedBeforeMain starts this program, which has all packages of headroom, and runs no test of it.
func TestNothingIsCollectedBeforeMain(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := exec.Command(program, "-test.run=^$")
	start.Env = append(os.Environ(), "GODEBUG=gctrace=1,inittrace=1")
	said, err := start.CombinedOutput()
	if err != nil {
		t.Fatal(err, string(said))
	}
	if !strings.Contains(string(said), "\ninit k8s.io/client-go/kubernetes/scheme @") {
		t.Error("the packages do not say when they are initialised:", string(said))
	}
	if strings.Contains("\n"+string(said), "\ngc ") {
		t.Error("the collector runs while packages are initialised:\n" + string(said))
	}
}
