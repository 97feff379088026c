//go:build integration

package image

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// container starts commands in the image's root file system.
type container struct {
	root       string
	entrypoint []string
	jail       bool // as the kubelet would: chroot, read-only, user 65532
}

type outcome struct {
	stdout, stderr string
	code           int
}

// checkRuns starts the image as a container engine would. Some machines forbid that even to
// root; there the binary out of the image runs without the walls, and the log says so.
func checkRuns(t *testing.T, one v1.Image) {
	if runtime.GOOS != "linux" {
		t.Logf("a %s machine does not run the binary of a Linux image", runtime.GOOS)
		return
	}
	c := newContainer(t, one)
	if first := c.run(t, "", "version"); first.code == jailFailed && strings.HasPrefix(first.stderr, "jail:") {
		t.Logf("no containers on this machine (%s); running the binary without one", strings.TrimSpace(first.stderr))
		c.jail = false
	}
	good := sample(t, "article-service.yaml")
	bad := sample(t, "wrong/article-service.yaml")
	for _, test := range []struct {
		name, stdin string
		arguments   []string
		code        int
		says        string
	}{
		{"version", "", []string{"version"}, 0, "headroom v1.2.3 (OPA v"},
		{"sound manifest", good, []string{"lint", "-", "--no-config"}, 0, ""},
		{"unsound manifest", bad, []string{"lint", "-", "--no-config"}, 1, "HR202"},
		{"webhook's flags", "", []string{"webhook", "--help"}, 0, "--cert-dir"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := c.run(t, test.stdin, test.arguments...)
			if got.code != test.code || !strings.Contains(got.stdout, test.says) {
				t.Errorf("exit code %d, wanted %d with %q\n%s%s", got.code, test.code, test.says, got.stdout, got.stderr)
			}
		})
	}
	if c.jail {
		t.Run("cannot write", func(t *testing.T) {
			got := c.run(t, bad, "lint", "-", "--no-config", "-o", "json=/findings.json")
			if got.code != 2 || !strings.Contains(got.stderr, "read-only file system") {
				t.Errorf("exit code %d: %s", got.code, got.stderr)
			}
		})
		t.Run("has no privileges", func(t *testing.T) { checkPrivileges(t, c) })
		t.Run("has no shell", func(t *testing.T) {
			c.entrypoint = []string{"/bin/sh"}
			if got := c.run(t, "", "-c", "true"); got.code != execFailed || !strings.Contains(got.stderr, "no such file") {
				t.Errorf("exit code %d: %s", got.code, got.stderr)
			}
		})
	}
}

// checkPrivileges looks at the process from outside while it waits for its input.
func checkPrivileges(t *testing.T, c container) {
	command := c.command(t, "lint", "-", "--no-config", "--allow-empty")
	stdin, err := command.StdinPipe()
	check(t, err)
	check(t, command.Start())
	defer func() {
		stdin.Close()
		if err := command.Wait(); err != nil {
			t.Errorf("lint of nothing: %v", err)
		}
	}()
	status := waitForHeadroom(t, command.Process.Pid)
	wanted := map[string]string{"NoNewPrivs": "1", "CapEff": "0000000000000000", "CapPrm": "0000000000000000"}
	if os.Geteuid() == 0 {
		// Without root, the user namespace hides the number from the outside.
		wanted["Uid"] = "65532\t65532\t65532\t65532"
		wanted["Gid"] = "65532\t65532\t65532\t65532"
		wanted["Groups"] = ""
	}
	for name, value := range wanted {
		if status[name] != value {
			t.Errorf("%s is %q, wanted %q", name, status[name], value)
		}
	}
}

// waitForHeadroom waits until the process has become headroom, and reads its status.
func waitForHeadroom(t *testing.T, pid int) map[string]string {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		check(t, err)
		status := map[string]string{}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(line, ":")
			status[name] = strings.TrimSpace(value)
		}
		if status["Name"] == "headroom" {
			return status
		}
	}
	t.Fatal("headroom did not start within a minute")
	return nil
}

func newContainer(t *testing.T, one v1.Image) container {
	t.Helper()
	root := t.TempDir()
	check(t, os.Chmod(root, 0o755))
	check(t, walk(one, func(h *tar.Header, r io.Reader) error { return unpack(root, h, r) }))
	file, err := one.ConfigFile()
	check(t, err)
	return container{root: root, entrypoint: file.Config.Entrypoint, jail: true}
}

func (c container) command(t *testing.T, arguments ...string) *exec.Cmd {
	full := append(append([]string{}, c.entrypoint...), arguments...)
	if c.jail {
		command := exec.CommandContext(t.Context(), full[0], full[1:]...)
		jailed(command, c.root)
		return command
	}
	command := exec.CommandContext(t.Context(), filepath.Join(c.root, full[0]), full[1:]...)
	command.Env = []string{}
	return command
}

func (c container) run(t *testing.T, stdin string, arguments ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := c.command(t, arguments...)
	command.Stdin = strings.NewReader(stdin)
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var exit *exec.ExitError
	switch {
	case err == nil || errors.As(err, &exit):
		return outcome{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
	case c.jail:
		// The kernel refused the namespaces before anything ran.
		return outcome{"", "jail: " + err.Error(), jailFailed}
	default:
		t.Fatal(err)
		return outcome{}
	}
}

func sample(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../../../samples", name))
	check(t, err)
	return string(content)
}
