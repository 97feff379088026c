//go:build system

package kyverno

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/system/cluster/verdicts"
)

func TestWarnings(t *testing.T) { start(t, ".").Created(t, verdicts.Warned) }

// A namespace whose mode is off hears nothing.
func TestOff(t *testing.T) {
	start(t, ".").Created(t, func(out plane.Output, _, _ []string) error {
		return verdicts.Warned(out, nil, nil)
	}, "headroom.dev/mode=off")
}

// With the overlay, errors are refused and the rest is warned of. A policy that refuses does not
// warn, so its lesser findings are not shown.
func TestRefusals(t *testing.T) {
	s := start(t, "overlays/deny")
	defer start(t, ".")
	s.Created(t, func(out plane.Output, errs, others []string) error {
		refused := ""
		for line := range strings.Lines(out.Stderr) {
			if strings.HasPrefix(line, "Error from server") {
				refused = line
			}
		}
		denied, err := verdicts.Said(refused)
		if err != nil {
			return err
		}
		warned, err := verdicts.Said(out.Warnings()...)
		switch {
		case err != nil:
			return err
		// Policies can share a webhook or have one each; the API server names the first that refuses.
		case !verdicts.Within(denied, errs) || (len(denied) > 0) != (len(errs) > 0) || (out.Code != 0) != (len(errs) > 0):
			return fmt.Errorf("exit code %d, refused for %q", out.Code, denied)
		case !verdicts.Within(warned, others):
			return fmt.Errorf("warned of %q", warned)
		}
		return nil
	})
}
