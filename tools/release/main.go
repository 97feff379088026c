// Command release makes all files of a release from the commit that is checked out. These are
// archives of the program with a bill of materials each, the container image, the chart and the
// policies for OPA and Kyverno. It also makes the manifests for krew, Homebrew and Artifact Hub,
// and the sums of all of them. The same commit makes the same bytes, wherever and whenever. Run it
// from the repository root, as `make release` does.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/headroom-dev/headroom/tools/release/checkout"
)

// everywhere are the platforms of a release.
const everywhere = "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"

func main() {
	o := options{}
	var platforms string
	flag.StringVar(&o.folder, "o", "dist/release", "`FOLDER` to make; one that is there is replaced")
	flag.StringVar(&platforms, "platforms", everywhere, "platforms, separated by spaces or commas")
	flag.StringVar(&o.sbom, "sbom", ".tools/bin/sbom", "`PROGRAM` that tools/sbom builds")
	flag.BoolVar(&o.tagged, "tagged", false, "refuse a commit without a tag, and a folder with changes")
	flag.Parse()
	o.platforms = strings.Fields(strings.ReplaceAll(platforms, ",", " "))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

type options struct {
	folder, sbom string
	platforms    []string
	tagged       bool
}

func run(ctx context.Context, o options) error {
	if err := replaceable(o.folder); err != nil {
		return err
	}
	commit, err := checkout.Head(ctx, ".")
	if err != nil {
		return err
	}
	if o.tagged && (!commit.Tagged || !commit.Clean) {
		return fmt.Errorf("%.12s is no release: it has no tag v%s, or the folder has changes that are not committed",
			commit.Hash, commit.Next)
	}
	fmt.Printf("headroom %s, commit %.12s of %s UTC\n",
		commit.Tag(), commit.Hash, commit.Time.Format("2006-01-02 15:04:05"))
	if !commit.Clean {
		fmt.Println("The folder has changes that are not committed; they are not in the release.")
	}
	r := &release{commit: commit, out: map[string][]byte{}, sums: map[string]string{}, sbom: o.sbom}
	if err := r.make(ctx, o.platforms); err != nil {
		return err
	}
	if err := r.write(o.folder); err != nil {
		return err
	}
	r.show(os.Stdout, o.folder)
	return nil
}
