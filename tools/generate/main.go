// Command generate writes everything that is made from the rules' METADATA blocks: the
// catalogue that the policies read, the rule pages under docs/rules, and the table in the
// README. Run it from the repository root, as `make generate` does.
package main

import (
	"fmt"
	"os"

	"github.com/headroom-dev/headroom/policies/engine"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	rules, err := engine.Rules()
	if err != nil {
		return err
	}
	return writeCatalogue("policies/rego/headroom/catalogue/catalogue.rego", rules)
}
