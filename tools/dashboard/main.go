// Command dashboard reads a Grafana dashboard from standard input and holds it, with each of its panels, to the
// schema that Grafana publishes. It prints what is missing, unknown or of another type, and exits with 1.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	plugins.RegisterDefaultPlugins()
	text, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = check(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(text []byte) error {
	var d dashboard.Dashboard
	// Without a problem it is an empty list of them, which is not nil.
	if err := d.UnmarshalJSONStrict(text); err != nil && err.Error() != "" {
		return err
	}
	return d.Validate()
}
