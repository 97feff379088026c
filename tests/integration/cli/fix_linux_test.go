//go:build integration

package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// run runs another program in a folder and gives all that it says.
func run(t *testing.T, dir, stdin string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...)
	command.Dir, command.Stdin = dir, strings.NewReader(stdin)
	out, err := command.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%s%v", out, err)
	}
	return string(out)
}

// A disk that is full half way through leaves the file as it was. No file may have more than 16 KiB
// here (sh counts in units of 512 bytes or 1024).
func TestFixFullDisk(t *testing.T) {
	long := "# " + strings.Repeat("long ", 20000) + "\n" + unfixed
	dir := write(t, map[string]string{"long.yaml": long, "short.yaml": unfixed})
	shell := exec.CommandContext(t.Context(), "sh", "-c", "ulimit -f 16; exec \"$0\" fix long.yaml", binary)
	shell.Dir = dir
	out, err := shell.CombinedOutput()
	if err == nil {
		t.Errorf("it did write:\n%s", out)
	}
	if text(t, filepath.Join(dir, "long.yaml")) != long {
		t.Error("the file is not what it was")
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 2 {
		t.Errorf("%v %v", names, err)
	}
	if !strings.Contains(string(out), "long.yaml:2: Deployment cart: left alone: not written: file too large") {
		t.Errorf("says\n%s", out)
	}
}

// A process that is killed, whenever that is, leaves a file that is the old or the new one, and
// nothing that is in the way of the next.
func TestFixKilled(t *testing.T) {
	long := "# " + strings.Repeat("long ", 400000) + "\n" + unfixed
	after := strings.Replace(long, unfixed, fixed, 1)
	dir := write(t, map[string]string{"long.yaml": long})
	file := filepath.Join(dir, "long.yaml")
	start := time.Now()
	if got := headroom(t, dir, "", "fix", "."); got.code != 0 || text(t, file) != after {
		t.Fatalf("exit code %d\n%s", got.code, got.stderr)
	}
	took := time.Since(start)
	const times = 12
	for i := range times {
		if err := os.WriteFile(file, []byte(long), 0o600); err != nil {
			t.Fatal(err)
		}
		command := exec.CommandContext(t.Context(), binary, "fix", ".")
		command.Dir = dir
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took / 2 * time.Duration(times+i) / times)
		_ = command.Process.Kill() // it may be done
		_ = command.Wait()
		if now := text(t, file); now != long && now != after {
			t.Fatalf("%d bytes, neither %d nor %d", len(now), len(long), len(after))
		}
	}
	if got := headroom(t, dir, "", "fix", "."); got.code != 0 || text(t, file) != after {
		t.Errorf("exit code %d\n%s", got.code, got.stderr)
	}
}

// A folder that takes no files: the file stays, the others are written, and the exit code
// tells. Root may write everywhere, and is kept away by the permissions of the file alone.
func TestFixCannotWrite(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": unfixed, "shut/b.yaml": unfixed, "c.yaml": unfixed})
	shut := filepath.Join(dir, "shut")
	b := filepath.Join(shut, "b.yaml")
	want := "shut/b.yaml:1: Deployment cart: left alone: not written: permission denied"
	if err := os.Chmod(shut, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		want = "shut/b.yaml:1: Deployment cart: left alone: not written: it may not be written"
		if err := os.Chmod(b, 0o400); err != nil {
			t.Fatal(err)
		}
	}
	got := headroom(t, dir, "", "fix", ".")
	if err := os.Chmod(shut, 0o755); err != nil {
		t.Fatal(err)
	}
	if got.code != 2 || !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, "4 changes made in 2 objects of 2 files") {
		t.Errorf("exit code %d\n%s", got.code, got.stderr)
	}
	for name, want := range map[string]string{"a.yaml": fixed, "shut/b.yaml": unfixed, "c.yaml": fixed} {
		if text(t, filepath.Join(dir, name)) != want {
			t.Errorf("%s is\n%s", name, text(t, filepath.Join(dir, name)))
		}
	}
}

// terminal gives both ends of a pseudo-terminal; nil where the system has none.
func terminal(t *testing.T) (user, program *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Logf("no terminal: %v", err)
		return nil, nil
	}
	t.Cleanup(func() { _ = user.Close() })
	var unlock, number uint32
	for request, argument := range map[uintptr]*uint32{0x40045431: &unlock, 0x80045430: &number} { // TIOCSPTLCK, TIOCGPTN
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, user.Fd(), request, uintptr(unsafe.Pointer(argument))); e != 0 {
			t.Fatal(e)
		}
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Close() })
	return user, program
}

func TestFixInteractive(t *testing.T) {
	second := strings.Replace(unfixed, "name: cart", "name: basket", 1)
	third := strings.Replace(unfixed, "name: cart", "name: till", 1)
	for answers, want := range map[string][]string{
		"y\nn\ny\n":       {fixed, second, "till"},
		"?\nn\nwhat\na\n": {unfixed, "basket", "till"},
		"a\n":             {fixed, "basket", "till"},
		"y\nq\n":          {fixed, second, third},
		"n\nn\n\x04":      {unfixed, second, third}, // the end of the input
	} {
		dir := write(t, map[string]string{"a.yaml": unfixed + "---\n" + second, "b.yaml": third})
		user, program := terminal(t)
		if user == nil {
			return
		}
		if _, err := io.WriteString(user, answers); err != nil {
			t.Fatal(err)
		}
		command := exec.CommandContext(t.Context(), binary, "fix", "--interactive", ".")
		var said bytes.Buffer
		command.Dir, command.Stdin, command.Stderr, command.Stdout = dir, program, &said, &said
		if err := command.Run(); err != nil {
			t.Errorf("%q: %v\n%s", answers, err, said.String())
		}
		for i, name := range []string{"basket", "till"} {
			if want[i+1] == name {
				want[i+1] = strings.Replace(fixed, "name: cart", "name: "+name, 1)
			}
		}
		a, b := text(t, filepath.Join(dir, "a.yaml")), text(t, filepath.Join(dir, "b.yaml"))
		if a != want[0]+"---\n"+want[1] || b != want[2] {
			t.Errorf("%q:\n%s---\n%s\n%s", answers, a, b, said.String())
		}
		for _, words := range []string{
			"a.yaml:1: Deployment cart\n  HR202 app: limits.cpu is 2", "-              cpu: \"2\"\n",
			"Make this change? [y,n,a,q,?] ",
		} {
			if !strings.Contains(said.String(), words) {
				t.Errorf("%q does not say %q:\n%s", answers, words, said.String())
			}
		}
	}
}

// Ctrl-C at the question ends it, and what was accepted before is not written.
func TestFixInterrupted(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": unfixed, "b.yaml": unfixed})
	user, program := terminal(t)
	if user == nil {
		return
	}
	if _, err := io.WriteString(user, "y\n"); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), binary, "fix", "--interactive", ".")
	command.Dir, command.Stdin = dir, program
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	said, questions, buffer := "", 0, make([]byte, 1<<12)
	for {
		n, err := stderr.Read(buffer)
		said += string(buffer[:n])
		if asked := strings.Count(said, "[y,n,a,q,?]"); asked == 2 && questions < 2 {
			if err := command.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			questions = asked
		}
		if err != nil {
			break
		}
	}
	_ = command.Wait() // the exit code is looked at
	if command.ProcessState.ExitCode() != 130 || !strings.HasSuffix(said, "headroom: stopped; nothing has been written\n") {
		t.Errorf("%v\n%s", command.ProcessState, said)
	}
	if text(t, filepath.Join(dir, "a.yaml")) != unfixed {
		t.Error("the file was written")
	}
}
