package plane

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Output is what a program printed and how it exited.
type Output struct {
	Command        string
	Stdout, Stderr string
	Code           int
}

func (o Output) err() error {
	return fmt.Errorf("%s: exit code %d\n%s%s", o.Command, o.Code, o.Stdout, o.Stderr)
}

// Warnings are the lines that kubectl prints in yellow, without its "Warning: ".
func (o Output) Warnings() []string {
	var warnings []string
	for line := range strings.Lines(o.Stderr) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "Warning: "); ok {
			warnings = append(warnings, text)
		}
	}
	return warnings
}

// Kubectl runs kubectl as the administrator.
func (p *Plane) Kubectl(arguments ...string) Output { return p.KubectlAs(admin, "", arguments...) }

// KubectlAs runs kubectl as a user (Developer), with text on its standard input.
func (p *Plane) KubectlAs(user, input string, arguments ...string) Output {
	return p.run("kubectl", user, input, arguments...)
}

// Helm runs helm as the administrator.
func (p *Plane) Helm(arguments ...string) Output { return p.run("helm", admin, "", arguments...) }

// run is for programs that a person types.
func (p *Plane) run(name, user, input string, arguments ...string) Output {
	out := Output{Command: name + " " + strings.Join(arguments, " ")}
	path, err := find(name)
	if err != nil {
		out.Stderr, out.Code = err.Error(), -1
		return out
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(context.Background(), path, arguments...) //nolint:gosec // the tools
	command.Dir = p.root
	// HOME keeps the developer's caches and settings out of the tests.
	command.Env = []string{
		"HOME=" + p.Dir, "PATH=/usr/bin:/bin", "KUBECONFIG=" + filepath.Join(p.Dir, user+".kubeconfig"),
	}
	command.Stdin = strings.NewReader(input)
	command.Stdout, command.Stderr = &stdout, &stderr
	command.SysProcAttr = attributes()
	err = onLastingThread(command.Start)
	if err == nil {
		err = command.Wait()
	}
	out.Stdout, out.Stderr = stdout.String(), stderr.String()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		out.Code = failed.ExitCode()
	case err != nil:
		out.Stderr, out.Code = err.Error(), -1
	}
	return out
}
