package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/internal/render"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

// demoFile is the sample whose verdict the README shows, demoColumns how wide.
const (
	demoFile    = "samples/wrong/article-service.yaml"
	demoColumns = 92
)

// demo is what the command prints for demoFile, so that the README cannot promise
// something else.
func demo() (string, error) {
	ctx := context.Background()
	e, err := engine.New(ctx, engine.Options{})
	if err != nil {
		return "", err
	}
	report, err := lint.Run(ctx, e, lint.Options{Paths: []string{demoFile}})
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := render.Write(&out, "table", report, render.Options{Width: demoColumns}); err != nil {
		return "", err
	}
	return fmt.Sprintf("```text\n%s```\n", out.String()), nil
}
