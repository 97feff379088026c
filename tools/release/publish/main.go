// Command publish pushes a release, as `make release` has made it, to an OCI registry: the
// image, the chart, the policies for conftest, OPA and Kyverno. It pushes what checksums.txt and
// digests.txt name, or nothing, and never gives a version that is there another content.
// Credentials are those of `docker login`. Run it from the repository root.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	o := options{}
	flag.StringVar(&o.folder, "from", "dist/release", "`FOLDER` with the release")
	flag.StringVar(&o.registry, "registry", "", "`REGISTRY` and folder in it, such as ghcr.io/headroom-dev")
	flag.BoolVar(&o.dryRun, "dry-run", false, "say what would be pushed where")
	flag.Parse()
	if o.registry == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: publish -registry REGISTRY [-from FOLDER] [-dry-run]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "publish:", err)
		os.Exit(1)
	}
}

type options struct {
	folder, registry string
	dryRun           bool
}
