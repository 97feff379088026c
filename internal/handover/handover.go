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
	info, err := os.Lstat(file) // a link may lead to a program that takes our arguments for its own
	switch {
	case err != nil:
		return "", fmt.Errorf("%s is missing: releases have it beside headroom; copy it there, or get one program with all: %s", file, install)
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s has to be a file and no link: copy the one of the release beside headroom", file)
	}
	own, err := os.Stat(self)
	if err != nil {
		return "", fmt.Errorf("look at this program: %w", err)
	}
	if why := strange(info, own); why != "" {
		return "", fmt.Errorf("%s is not started, as it %s: copy both programs of a release into a folder that is yours", file, why)
	}
	return file, nil
}

const install = "go install github.com/headroom-dev/headroom/cmd/headroom@latest"

// Arguments are those of a program, with the version of the one that starts it in front.
func Arguments(version string, arguments ...string) []string {
	return append([]string{prefix + version}, arguments...)
}

// Handed says that another program started this one with such arguments.
func Handed(arguments []string) bool {
	return len(arguments) > 0 && strings.HasPrefix(arguments[0], prefix)
}

// ErrLean is what a program says that was handed over to and hands over itself: it would start itself for ever.
var ErrLean = errors.New(Full + " is a copy of headroom, or a link to it: releases have another program of this name; copy it there")

// Received takes that version away from the arguments. It is an error where it is not this program's own.
func Received(version string, arguments []string) ([]string, error) {
	if !Handed(arguments) {
		return arguments, nil
	}
	if by := strings.TrimPrefix(arguments[0], prefix); by != version {
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
