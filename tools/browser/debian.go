package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// debian installs the distribution's Chromium, signed by it, where the package cannot be had.
func debian(folder string) error {
	aptGet, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return errors.New("no Chromium on PATH. " + packageName + " is for linux/amd64 and needs npm; " +
			"Debian's chromium needs apt-get and root. Install either, or any Chromium")
	}
	for _, arguments := range [][]string{
		{"update", "-qq"},
		{"install", "-qq", "-y", "--no-install-recommends", "chromium"},
	} {
		command := exec.Command(aptGet, arguments...) //nolint:gosec // found on PATH
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		command.Stdout, command.Stderr = os.Stderr, os.Stderr
		if err := command.Run(); err != nil {
			return fmt.Errorf("apt-get %s: %w", arguments[0], err)
		}
	}
	program, err := exec.LookPath("chromium")
	if err != nil {
		return fmt.Errorf("apt-get installed no chromium: %w", err)
	}
	fmt.Println("browser: Debian's chromium")
	return point(folder, program)
}
