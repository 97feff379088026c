package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestDiagnoseExitCodes(t *testing.T) {
	const folders = "../../internal/audit/diagnose/testdata/"
	for _, test := range []struct {
		code int
		args []string
	}{
		{exitFindings, []string{"--from", folders + "v2-cart"}},
		{exitClean, []string{"--from", folders + "v2-cart", "--fail-on", "never"}},
		{exitClean, []string{"--from", folders + "v1-cart-g1", "-o", "json"}},
		{exitFindings, []string{"--from", folders + "v1-cart-g1", "--fail-on", "warning"}},
		{exitClean, []string{"--from", folders + "v1-proxy", "--fail-on", "warning"}},
		{exitFindings, []string{"--from", folders + "garbage"}},
	} {
		var out bytes.Buffer
		root := rootCommand()
		root.SetOut(&out)
		root.SetArgs(append([]string{"diagnose", "--no-config"}, test.args...))
		err := root.ExecuteContext(t.Context())
		var code exitError
		if err != nil && !errors.As(err, &code) {
			t.Errorf("%v: %v", test.args, err)
		}
		if int(code) != test.code || out.Len() == 0 {
			t.Errorf("%v: exit code %d, want %d\n%s", test.args, int(code), test.code, out.String())
		}
	}
}

func TestDiagnoseFlagsThatAreRefused(t *testing.T) {
	for want, args := range map[string][]string{
		"name a Pod":    {},
		"--save is for": {"--from", "a", "--save", "b"},
		"output format": {"cart", "-o", "html"},
		"--fail-on":     {"cart", "--fail-on", "info"},
		"--interval":    {"cart", "--interval", "-1s"},
		"is not a Pod":  {"deployment/cart"},
		"no such file":  {"--from", "nowhere"},
		"does not have": {"cart", "--from", "../../internal/audit/diagnose/testdata"},
	} {
		root := rootCommand()
		root.SetArgs(append([]string{"diagnose", "--no-config"}, args...))
		if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("diagnose %v: %v, want a word on %s", args, err, want)
		}
	}
}
