// Package handover leads from the program that people start to the one beside it, which has all commands. The first is
// built with the tag lean and has neither Helm nor kustomize nor a client of Kubernetes, whose packages take 20 ms of
// every start.
package handover

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Full is the name of the program that has all commands, without .exe.
const Full = "headroom-full"

// ErrFull says that only the program with all commands does what is asked for. Nothing has been read or written then.
var ErrFull = errors.New("this is done by " + Full)

// prefix stands before the version of the program that hands over, in the first argument.
const prefix = "handed-over-by="

// Program is the program with all commands. It stands beside this one, wherever a link to this one lies: one from PATH
// may be anybody's.
func Program() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("find the folder of this program: %w", err)
	}
	return beside(self)
}

func beside(self string) (string, error) {
	name := Full
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	file := filepath.Join(filepath.Dir(self), name)
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s is missing: releases have it beside headroom; copy it there, or get one program with all: %s", file, install)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no program: releases have one of this name beside headroom", file)
	}
	return file, nil
}

const install = "go install github.com/headroom-dev/headroom/cmd/headroom@latest"

// Arguments are those of a program, with the version of the one that starts it in front.
func Arguments(version string, arguments ...string) []string {
	return append([]string{prefix + version}, arguments...)
}

// Received takes that version away from the arguments. It is an error where it is not this program's own.
func Received(version string, arguments []string) ([]string, error) {
	if len(arguments) == 0 {
		return arguments, nil
	}
	by, handed := strings.CutPrefix(arguments[0], prefix)
	if !handed {
		return arguments, nil
	}
	if by != version {
		self, _ := os.Executable() // without a name it is the one that was started
		return arguments[1:], fmt.Errorf("%s is %s, and headroom beside it is %s: put both of one release into the folder", self, version, by)
	}
	return arguments[1:], nil
}

// To becomes the program with all commands, with the arguments of this one. It comes back with an exit code or an error.
func To(version string) (int, error) {
	program, err := Program()
	if err != nil {
		return 0, err
	}
	// It says what it was called by in its help.
	code, err := become(program, append(os.Args[:1:1], Arguments(version, os.Args[1:]...)...))
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", program, err)
	}
	return code, nil
}
