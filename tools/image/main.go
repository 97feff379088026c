// Command image writes the compiled policies where package policies embeds them.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/headroom-dev/headroom/policies/engine"
)

func main() {
	file := flag.String("o", "policies/compiled/policies.image", "`FILE` to write")
	flag.Parse()
	if err := write(*file); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func write(file string) error {
	image, err := engine.Image()
	if err != nil {
		return err
	}
	return os.WriteFile(file, image, 0o600)
}
