package image

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// BuildFlags are those of every released binary. Paths and the state of the checkout stay
// out of it, so that any checkout of a commit makes the same file; the version says which.
func BuildFlags(version string) []string {
	return []string{"-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.version=" + version}
}

// Environment is that of every build. What the caller's own says of processors, flags and experiments would make
// other bytes; an empty value would be that of `go env -w`.
func Environment(system, arch string) []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off", "GOEXPERIMENT=",
		"GOFIPS140=off", "GOOS="+system, "GOARCH="+arch, "GOAMD64=v1", "GOARM64=v8.0")
}

// compile builds the static binary of a platform from the checkout in dir.
func compile(ctx context.Context, dir, output string, platform v1.Platform, version string) error {
	arguments := append([]string{"build", "-o", output}, BuildFlags(version)...)
	arguments = append(arguments, "./cmd/headroom")
	command := exec.CommandContext(ctx, "go", arguments...) //nolint:gosec // our own flags
	command.Dir = dir
	command.Env = Environment(platform.OS, platform.Architecture)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build headroom for %s: %w\n%s", platform, err, out)
	}
	return nil
}

// Build compiles the checkout in dir for each platform and makes the image of all of them.
func Build(ctx context.Context, dir string, platforms []v1.Platform, release Release) (index v1.ImageIndex, err error) {
	if release.Created.Before(time.Unix(0, 0)) {
		return nil, fmt.Errorf("creation time %s lies before 1970", release.Created)
	}
	work, err := os.MkdirTemp("", "headroom-build")
	if err != nil {
		return nil, fmt.Errorf("build image: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()

	var variants []Variant
	for _, platform := range platforms {
		binary := filepath.Join(work, platform.OS+"-"+platform.Architecture)
		if err := compile(ctx, dir, binary, platform, release.Version); err != nil {
			return nil, err
		}
		made, err := New(platform, []File{
			{Source: binary, Path: BinaryPath, Mode: 0o755},
			{Source: filepath.Join(dir, "LICENSE"), Path: LicensePath, Mode: 0o644},
		}, release)
		if err != nil {
			return nil, err
		}
		variants = append(variants, Variant{platform, made})
	}
	return Index(variants, release)
}
