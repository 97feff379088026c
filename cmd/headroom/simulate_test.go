package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/cfs/scenario"
)

// simulated runs the command and gives what it prints.
func simulated(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := simulateCommand()
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(io.Discard)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(context.Background())
	return out.String(), err
}

const scenarios = "../../samples/scenarios/"

func TestSimulate(t *testing.T) {
	burst, workers := scenarios+"gc-burst.yaml", scenarios+"workers.yaml"
	for _, c := range []struct {
		name string
		args []string
		has  []string
	}{
		{"table", []string{burst, workers}, []string{"A G1 young pause on 2 CPUs\n", "301.76 ms", "8 unicorn workers", "10 of 20 (50 %)"}},
		{"timeline", []string{"--timeline", burst}, []string{
			"20.24 ms  the quota of 200 ms is used up: all threads are frozen for 79.76 ms", "FROZEN", "No CPU limit, on 32 processors",
		}},
		{"json", []string{"-o", "json", burst}, []string{`"schema": "headroom.dev/simulation/v1"`, `"done_ms": 301.76`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := simulated(t, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range c.has {
				if !strings.Contains(out, part) {
					t.Errorf("no %q in\n%s", part, out)
				}
			}
		})
	}
}

func TestSimulateWritesPictures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "burst.svg")
	if out, err := simulated(t, "-o", "svg="+file, scenarios+"gc-burst.yaml", scenarios+"workers.yaml"); err != nil || out != "" {
		t.Fatal(out, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("</title>")); n != 9+2 {
		t.Errorf("%d pictures", n)
	}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestSimulateRefuses: nothing is printed that might be taken for all, and each mistake has its place.
func TestSimulateRefuses(t *testing.T) {
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	text := "apiVersion: " + scenario.APIVersion + "\nkind: Scenario\nlimits: 2\nprocessors: 1\nloads: [{name: a, work: 1ms}]\n"
	if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	good := scenarios + "gc-burst.yaml"
	for _, c := range []struct {
		says string
		args []string
	}{
		{wrong + `:3: unknown key "limits"; did you mean limit?`, []string{good, wrong}},
		{wrong + ":1: limit is missing", []string{good, wrong, "missing.yaml"}},
		{"missing.yaml: no such file or folder", []string{good, wrong, "missing.yaml"}},
		{`output format "yaml" is not one of table, json, svg`, []string{good, "-o", "yaml"}},
		{"-o svg= has no file name: write -o svg=FILE", []string{good, "-o", "svg="}},
		{"--timeline draws below the table", []string{good, "-o", "json", "--timeline"}},
		{"has no timeline", []string{scenarios + "busy-threads.yaml", "--timeline"}},
		{"name a scenario file", nil},
	} {
		out, err := simulated(t, c.args...)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want %q", c.args, err, c.says)
		}
		if out != "" {
			t.Errorf("%v prints\n%s", c.args, out)
		}
	}
}
