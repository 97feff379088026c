package allowance

import (
	"errors"
	"testing"
)

func TestWorkEndsAlone(t *testing.T) {
	if End("too much") {
		t.Error("there was no work")
	}
	first, done := Begin(t.Context())
	second, doneToo := Begin(t.Context())
	if err := doneToo(); err != nil || second.Err() == nil {
		t.Error(err, second.Err())
	}
	if !End("too much") || first.Err() == nil || t.Context().Err() != nil {
		t.Error("the work goes on")
	}
	if err := done(); !errors.Is(err, TooMuch("too much")) {
		t.Error(err)
	}
	if End("too much") {
		t.Error("the work is not over")
	}
}
