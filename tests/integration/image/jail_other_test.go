//go:build integration && !linux

package image

import (
	"errors"
	"os/exec"
)

const (
	jailVariable = "HEADROOM_TEST_JAIL"
	jailFailed   = 125
	execFailed   = 126
)

func jailed(command *exec.Cmd, _ string) { command.Path = "" }

func enterJail(string, []string) error { return errors.New("only Linux can") }
