package confined

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "refuse" {
		_, _ = os.Stderr.WriteString("it is another\n")
		os.Exit(ExitRefused)
	}
	if len(os.Args) == 2 && os.Args[1] == "serve" {
		if err := Serve(os.Stdin, os.Stdout, do); err != nil {
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var kept2 [][]byte

// do is what the tests ask for.
func do(question []byte) []byte {
	switch string(question) {
	case "environment":
		return []byte(strings.Join(os.Environ(), "\n"))
	case "memory at once":
		kept2 = append(kept2, bytes.Repeat([]byte("a"), 3<<30))
	case "memory by and by":
		for range 3 << 10 {
			kept2 = append(kept2, bytes.Repeat([]byte("a"), 1<<20))
		}
	case "garbage":
		return bytes.Repeat([]byte("a"), 100<<20)[:1]
	case "kept":
		return []byte(strconv.FormatBool(held() > keptBytes))
	case "time":
		for {
			time.Sleep(time.Second)
		}
	case "panic":
		panic("secret")
	}
	return question
}

func worker() *Worker { return &Worker{Arguments: []string{"serve"}} }

func TestAnswersAndBounds(t *testing.T) {
	t.Setenv("A_TOKEN", "secret")
	w := worker()
	for _, question := range []string{"", "a", strings.Repeat("b", 1<<20)} {
		if answer, err := w.Ask(t.Context(), []byte(question)); err != nil || string(answer) != question {
			t.Errorf("%d bytes, %v", len(answer), err)
		}
	}
	first := w.process.Process.Pid
	if _, err := w.Ask(t.Context(), []byte("a")); err != nil || w.process.Process.Pid != first {
		t.Error("another process answers", err)
	}
	if answer, err := w.Ask(t.Context(), []byte("environment")); err != nil || strings.Contains(string(answer), "secret") ||
		!strings.Contains(string(answer), "PATH=") {
		t.Errorf("%s, %v", answer, err)
	}
	for _, question := range []string{"memory at once", "memory by and by"} {
		if _, err := w.Ask(t.Context(), []byte(question)); !errors.Is(err, ErrMemory) {
			t.Errorf("%s: %v", question, err)
		}
	}
	if _, err := w.Ask(t.Context(), []byte("panic")); err == nil || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := w.Ask(ctx, []byte("time")); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	// What failed has not ended it for good.
	if answer, err := w.Ask(t.Context(), []byte("a")); err != nil || string(answer) != "a" {
		t.Errorf("%s, %v", answer, err)
	}
}

// What a question took is given back: the process that asks takes memory itself, and both share a machine.
func TestNothingMuchIsKept(t *testing.T) {
	w := worker()
	if _, err := w.Ask(t.Context(), []byte("garbage")); err != nil {
		t.Fatal(err)
	}
	if answer, err := w.Ask(t.Context(), []byte("kept")); err != nil || string(answer) != "false" {
		t.Errorf("%s, %v", answer, err)
	}
}

func TestWordsOfTheRuntime(t *testing.T) {
	for said, want := range map[string]bool{
		"fatal error: runtime: out of memory\n\ngoroutine 1":                                                               true,
		"runtime: mmap: cannot allocate memory\n":                                                                          true,
		"SIGSEGV: segmentation violation\nPC=0x437fbd m=5 sigcode=1 addr=0x0\n":                                            true,
		"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation": false,
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort":                             true,
		"": false,
	} {
		if metMemory(said) != want {
			t.Errorf("%q: want %t", said, want)
		}
	}
}

// A program that answers no question says why; one that does not exist is said to be missing.
func TestAnotherProgram(t *testing.T) {
	w := &Worker{Arguments: []string{"refuse"}, Program: os.Executable}
	if _, err := w.Ask(t.Context(), []byte("a")); err == nil || err.Error() != "it is another" {
		t.Error(err)
	}
	missing := errors.New("it is missing")
	w = &Worker{Arguments: []string{"serve"}, Program: func() (string, error) { return "", missing }}
	if _, err := w.Ask(t.Context(), []byte("a")); !errors.Is(err, missing) {
		t.Error(err)
	}
}

func TestInThisProcess(t *testing.T) {
	w := &Worker{Do: do}
	if answer, err := w.Ask(t.Context(), []byte("a")); err != nil || string(answer) != "a" || w.process != nil {
		t.Errorf("%s, %v", answer, err)
	}
}

func TestMessages(t *testing.T) {
	var text bytes.Buffer
	if err := write(&text, []byte("abc")); err != nil {
		t.Fatal(err)
	}
	whole := text.Bytes()
	if got, err := read(bytes.NewReader(whole)); err != nil || string(got) != "abc" {
		t.Errorf("%s, %v", got, err)
	}
	for i := 1; i < len(whole); i++ {
		if _, err := read(bytes.NewReader(whole[:i])); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("of %d bytes: %v", i, err)
		}
	}
	if _, err := read(bytes.NewReader(bytes.Repeat([]byte{255}, 8))); err == nil {
		t.Error("a message of any size is read")
	}
}
