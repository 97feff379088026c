package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/headroom-dev/headroom/tools/container/image"
	"github.com/headroom-dev/headroom/tools/release/artifact"
	"github.com/headroom-dev/headroom/tools/release/checkout"
	"github.com/headroom-dev/headroom/tools/release/manifest"
	"github.com/headroom-dev/headroom/tools/release/pack"
	"github.com/headroom-dev/headroom/tools/release/policies"
)

// release is one that is being made.
type release struct {
	commit *checkout.Commit
	sbom   string
	work   string            // the commit's files, and what is built of them
	out    map[string][]byte // files by their names
	sums   manifest.Sums
	manual pack.Files // manual pages and completions, of every archive
	notes  []string   // what a reader of the table has to know
}

func (r *release) add(name string, content []byte) {
	sum := sha256.Sum256(content)
	r.out[name], r.sums[name] = content, hex.EncodeToString(sum[:])
}

func (r *release) make(ctx context.Context, wanted []string) (err error) {
	platforms, err := parsePlatforms(wanted)
	if err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "headroom-release"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.work)) }()
	if err := r.commit.Files.Write(r.work); err != nil {
		return err
	}
	if r.manual, err = r.pages(ctx); err != nil {
		return err
	}
	if err := r.programs(ctx, platforms); err != nil {
		return err
	}
	r.compareGo(runtime.Version())
	for _, part := range []func() error{r.charts, r.bundles, r.hub, r.manifests, r.digests} {
		if err := part(); err != nil {
			return err
		}
	}
	r.out[artifact.Checksums] = artifact.Checklist(r.sums)
	return nil
}

var dockerGo = regexp.MustCompile(`(?m)^ARG GO_VERSION=(\S+)$`)

// compareGo says so where another Go compiles than the one of the Dockerfile, which releases are
// made with: the bytes will differ.
func (r *release) compareGo(version string) {
	wanted := dockerGo.FindSubmatch(r.commit.Files["Dockerfile"].Content)
	if wanted != nil && version != "go"+string(wanted[1]) {
		r.notes = append(r.notes, fmt.Sprintf("compiled with %s; releases are made with go%s, and have other bytes",
			version, wanted[1]))
	}
}

// programs builds all platforms, and the image of those that run in containers.
func (r *release) programs(ctx context.Context, platforms []platform) error {
	var variants []image.Variant
	for _, p := range platforms {
		binary, err := r.build(ctx, p)
		if err != nil {
			return err
		}
		if p.os != "linux" {
			continue
		}
		variant, err := r.variant(binary, p)
		if err != nil {
			return err
		}
		variants = append(variants, variant)
	}
	if variants == nil {
		r.notes = append(r.notes, "not made: "+artifact.ImageFile+": no platform for containers was built")
		return nil
	}
	index, err := image.Index(variants, r.described())
	if err != nil {
		return err
	}
	reference, err := name.NewTag(image.Repository+":"+r.commit.Version, name.StrictValidation)
	if err != nil {
		return err
	}
	file := filepath.Join(r.work, artifact.ImageFile)
	if err := image.Archive(file, index, reference, r.commit.Time); err != nil {
		return err
	}
	content, err := os.ReadFile(file)
	r.add(artifact.ImageFile, content)
	return err
}

func (r *release) charts() error {
	files, err := manifest.Chart(r.commit)
	if err != nil {
		return err
	}
	return r.pack(artifact.ChartFile(r.commit.Version), files)
}

func (r *release) bundles() error {
	bundle, err := policies.Bundle(r.commit)
	if err != nil {
		return err
	}
	return errors.Join(r.pack(artifact.PoliciesFile, bundle), r.pack(artifact.KyvernoFile, policies.Kyverno(r.commit)))
}

func (r *release) hub() error {
	r.add(artifact.Repository, r.commit.Files["packaging/artifacthub/"+artifact.Repository].Content)
	files, err := manifest.Hub(r.commit)
	if err != nil {
		return err
	}
	return r.pack("headroom-artifacthub.tar.gz", files)
}

// manifests writes those of the installers whose archives are all there.
func (r *release) manifests() error {
	krew, err := manifest.Krew(r.commit.Files[".krew.yaml"].Content, r.commit.Tag(), r.sums)
	if err := r.unlessMissing("headroom.yaml", "krew's manifest", krew, err); err != nil {
		return err
	}
	formula, err := manifest.Formula(r.commit.Files["packaging/homebrew/headroom.rb"].Content, r.commit.Version, r.sums)
	return r.unlessMissing("headroom.rb", "Homebrew's formula", formula, err)
}

// unlessMissing adds a file, or notes why it is missing; what describes the file to readers.
func (r *release) unlessMissing(name, what string, content []byte, err error) error {
	var missing *manifest.MissingError
	switch {
	case errors.As(err, &missing):
		r.notes = append(r.notes, fmt.Sprintf("not made: %s, %s: %v", name, what, missing))
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	r.add(name, content)
	return nil
}

func (r *release) pack(name string, files pack.Files) error {
	content, err := files.TarGz(r.commit.Time)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r.add(name, content)
	return nil
}
