// Command container makes headroom's container image, for all platforms, without a
// container engine: an OCI layout in a tar file, and on request the same in a registry. Run
// it from the repository root as `make image` does.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/headroom-dev/headroom/tools/container/image"
)

func main() {
	o := options{}
	flag.StringVar(&o.file, "o", "dist/headroom-image.tar", "`FILE` to write")
	flag.StringVar(&o.platforms, "platforms", "linux/amd64,linux/arm64", "platforms, separated by commas")
	flag.StringVar(&o.version, "version", "",
		"`VERSION` of the binary and tag of the image; without it what git describes")
	flag.StringVar(&o.reference, "image", "", "`NAME:TAG` in the archive; without it "+image.Repository+":VERSION")
	flag.BoolVar(&o.push, "push", false, "push to the registry that -image names, too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "container:", err)
		os.Exit(1)
	}
}

type options struct {
	file, platforms, version, reference string
	push                                bool
}

func run(ctx context.Context, o options) error {
	release, err := release(ctx, o.version)
	if err != nil {
		return err
	}
	if o.reference == "" {
		o.reference = image.Repository + ":" + release.Version
	}
	reference, err := name.NewTag(o.reference, name.StrictValidation)
	if err != nil {
		return err
	}
	var platforms []v1.Platform
	for text := range strings.SplitSeq(o.platforms, ",") {
		platform, err := v1.ParsePlatform(text)
		if err != nil {
			return fmt.Errorf("read -platforms: %w", err)
		}
		platforms = append(platforms, *platform)
	}
	index, err := image.Build(ctx, ".", platforms, release)
	if err != nil {
		return err
	}
	if err := image.Archive(o.file, index, reference, release.Created); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s@%s\n", o.file, reference, digest)
	if !o.push {
		return nil
	}
	keys := remote.WithAuthFromKeychain(authn.DefaultKeychain)
	if err := remote.WriteIndex(reference, index, remote.WithContext(ctx), keys); err != nil {
		return fmt.Errorf("push %s: %w", reference, err)
	}
	fmt.Printf("pushed %s\n", reference)
	return nil
}

// release asks git which commit this is. SOURCE_DATE_EPOCH, in seconds, goes before the
// commit's time: https://reproducible-builds.org/docs/source-date-epoch/
func release(ctx context.Context, version string) (image.Release, error) {
	revision, err := git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return image.Release{}, err
	}
	if version == "" {
		if version, err = git(ctx, "describe", "--tags", "--always", "--dirty"); err != nil {
			return image.Release{}, err
		}
	}
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		if epoch, err = git(ctx, "log", "-1", "--format=%ct"); err != nil {
			return image.Release{}, err
		}
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return image.Release{}, fmt.Errorf("read SOURCE_DATE_EPOCH: %w", err)
	}
	return image.Release{Version: version, Revision: revision, Created: time.Unix(seconds, 0)}, nil
}

func git(ctx context.Context, arguments ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", arguments...).Output() //nolint:gosec // our own arguments
	if err != nil {
		return "", fmt.Errorf("ask git %s: %w", arguments[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
