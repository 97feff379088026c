// Package program builds headroom for the tests of a package, and runs it as a person would.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/handover"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// Main builds headroom, says in file where it is, and runs the tests, for TestMain.
func Main(m *testing.M, file *string) (code int) {
	dir, err := os.MkdirTemp("", "headroom")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	*file = filepath.Join(dir, "headroom")
	if err := Build(context.Background(), *file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// Build compiles the headroom of this tree into a file as releases have it, with headroom-full beside it.
func Build(ctx context.Context, file string) error {
	if err := Compile(ctx, filepath.Join(filepath.Dir(file), handover.Full), Command); err != nil {
		return err
	}
	return Compile(ctx, file, "-tags=lean", Command)
}

// Command is the package of headroom, which is compiled without the tag lean where one program is to have everything.
const Command = "./cmd/headroom"

// Compile compiles a program of this tree into a file; flags stand before its package. `go run` keeps what it links,
// which `go build` links again for each test, and runs cp here: it is given the program and the file.
func Compile(ctx context.Context, file string, packages ...string) error {
	//nolint:gosec // a folder of the test
	command := exec.CommandContext(ctx, "go", append(append([]string{"run", "-trimpath", "-exec", "cp"}, packages...), file)...)
	command.Dir = repo.Root()
	// As the Makefile has it: mixing compiles the large dependencies twice.
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build %v: %w\n%s", packages, err, out)
	}
	return nil
}

// Headroom builds headroom for one test, and is where it lies.
func Headroom(t testing.TB) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "headroom")
	if err := Build(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	return file
}

// Tool is a program that `make tools` builds; the test fails where it is missing.
func Tool(t testing.TB, name string) string {
	t.Helper()
	file := repo.Tool(name)
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("%v; run `make tools` first", err)
	}
	return file
}

// Run gives what a command prints, and how it ends. One that does not start fails the test.
func Run(t testing.TB, command *exec.Cmd) (stdout, stderr string, code int) {
	t.Helper()
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	err := command.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return out.String(), said.String(), command.ProcessState.ExitCode()
}

// Module is the folder of a Go module that a module of tools/ brings along, with what its makers publish beside the code.
func Module(t testing.TB, tool, path string) string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", path)
	list.Dir = repo.Path("tools", tool)
	dir, err := list.Output()
	if err != nil {
		t.Fatalf("find %s: %v", path, err)
	}
	return strings.TrimSpace(string(dir))
}
