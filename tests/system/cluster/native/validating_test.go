//go:build system

package native

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/system/cluster/verdicts"
)

func TestWarnings(t *testing.T) { start(t).Created(t, verdicts.Warned) }

// A namespace whose mode is off hears nothing.
func TestOff(t *testing.T) {
	start(t).Created(t, func(out plane.Output, _, _ []string) error {
		return verdicts.Warned(out, nil, nil)
	}, "headroom.dev/mode=off")
}

// What is an error is refused where a namespace is in enforce, and nothing else is.
func TestRefusals(t *testing.T) {
	start(t).Created(t, func(out plane.Output, errs, others []string) error {
		if len(errs) == 0 {
			return verdicts.Warned(out, nil, others)
		}
		// Of several expressions that are false, the API server names the first.
		_, reason, _ := strings.Cut(out.Stderr, "denied request: ")
		said, err := verdicts.Said(reason)
		if err == nil && (out.Code == 0 || len(said) == 0 || !verdicts.Within(said, errs)) {
			err = fmt.Errorf("exit code %d, refused for %q", out.Code, said)
		}
		return err
	}, "headroom.dev/mode=enforce")
}
