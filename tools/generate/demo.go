package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

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
	return fmt.Sprintf("```text\n%s```\n", beginning(out.String())), nil
}

// beginning is a table with its first finding and its last lines: the picture beside it has all.
func beginning(table string) string {
	parts := strings.Split(table, "\n\n")
	if len(parts) < 4 {
		return table
	}
	return strings.Join([]string{parts[0], parts[1], "  …", parts[len(parts)-1]}, "\n\n")
}
