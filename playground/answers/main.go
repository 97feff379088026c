// Command answers judges the playground's examples ahead, into a file beside each. The page shows these while headroom
// itself, 10 MB, is on its way.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/headroom-dev/headroom/playground/judge"
	"github.com/headroom-dev/headroom/policies/engine"
)

// columns is how wide the explanation is, in characters, until the page has its own.
const columns = 72

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, files []string) error {
	e, err := engine.New(ctx, engine.Options{})
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var last judge.Answer
		judge.Text(ctx, e, string(text), columns, func(a judge.Answer) { last = a })
		out, err := json.Marshal(last)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file+".json", out, 0o644); err != nil {
			return err
		}
	}
	return nil
}
