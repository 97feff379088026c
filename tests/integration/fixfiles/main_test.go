//go:build integration

// Package fixfiles_test holds `headroom fix` to what it promises about files. Bytes outside of the
// intended change stay, the file reads as the object that the webhook would make, and what has been
// fixed stays so.
package fixfiles_test

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/search"
	"github.com/headroom-dev/headroom/webhook/admission"
	"github.com/headroom-dev/headroom/webhook/decision"
)

func TestMain(m *testing.M) {
	search.Rapid(40, 20261121) // each judges a workload a dozen times
	os.Exit(m.Run())
}

// tester is what tests and generated checks report to.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// setup is the policies with one config, for the command and for the webhook.
type setup struct {
	engine *engine.Engine
	hook   *admission.Handlers
	place  *place
	quick  bool // the webhook is not asked
}

// place is the namespace of whatever the webhook is asked about.
type place struct{ facts admission.Facts }

func (p *place) Around(context.Context, string, admission.Owned) (admission.Facts, error) {
	return p.facts, nil
}

func newSetup(config map[string]any, text string) (*setup, error) {
	e, err := engine.New(context.Background(), engine.Options{Config: config})
	if err != nil {
		return nil, err
	}
	options := decision.Options{Deadline: time.Minute}
	if text != "" {
		options.Config = []byte(text)
	}
	decider, err := decision.New(context.Background(), options)
	if err != nil {
		return nil, err
	}
	s := &setup{engine: e, place: &place{}}
	s.hook = admission.New(decider, s.place, nil, logr.Discard())
	return s, nil
}

// byDefault is what headroom does without a config; eager with one that asks for all fixes.
var (
	byDefault = sync.OnceValues(func() (*setup, error) { return newSetup(nil, "") })
	eager     = sync.OnceValues(func() (*setup, error) {
		return newSetup(
			map[string]any{"jvm": map[string]any{"inject": []any{"metaspace", "direct", "code-cache", "stack"}}},
			"apiVersion: headroom.dev/v1alpha1\nkind: Config\n"+
				"jvm: {inject: [metaspace, direct, code-cache, stack]}\n",
		)
	})
)

func with(t tester, make func() (*setup, error)) *setup {
	t.Helper()
	s, err := make()
	if err != nil {
		t.Fatal(err)
	}
	return s
}
