package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/headroom-dev/headroom/internal/handover"
	"github.com/headroom-dev/headroom/tools/container/image"
	"github.com/headroom-dev/headroom/tools/release/pack"
)

// platform is one that the program is built for.
type platform struct{ os, arch string }

func parsePlatforms(texts []string) ([]platform, error) {
	var all []platform
	for _, text := range texts {
		system, arch, found := strings.Cut(text, "/")
		if !found || system == "" || arch == "" || strings.Contains(arch, "/") {
			return nil, fmt.Errorf("platform %q: wanted OS/ARCHITECTURE, such as linux/amd64", text)
		}
		all = append(all, platform{system, arch})
	}
	if all == nil {
		return nil, errors.New("no platform to build for")
	}
	return all, nil
}

// name is what files of the platform are called: .krew.yaml and the formula name them too.
func (p platform) name() string { return "headroom_" + p.os + "_" + p.arch }

// binary is the file of a program.
func (p platform) binary(name string) string {
	if p.os == "windows" {
		return name + ".exe"
	}
	return name
}

// The programs of an archive: the one that people start, and the one beside it that has everything.
const lean, full = "headroom", handover.Full

// archive packs the files as people of the platform unpack them.
func (p platform) archive(files pack.Files, modified time.Time) (name string, content []byte, err error) {
	if p.os == "windows" {
		content, err = files.Zip(modified)
		return p.name() + ".zip", content, err
	}
	content, err = files.TarGz(modified)
	return p.name() + ".tar.gz", content, err
}

// build compiles the commit for the platform, and adds its archive and its bill. It gives the program that has everything.
func (r *release) build(ctx context.Context, p platform) (binary string, err error) {
	start := time.Now()
	binary = filepath.Join(r.work, "dist", p.name(), p.binary(full))
	if err := r.compile(ctx, p, binary); err != nil {
		return "", err
	}
	small := filepath.Join(r.work, "dist", p.name(), p.binary(lean))
	if err := r.compile(ctx, p, small, "-tags", "lean"); err != nil {
		return "", err
	}
	others, err := r.describe(ctx, p, binary)
	if err != nil {
		return "", err
	}
	files := pack.Files{"LICENSE": r.commit.Files["LICENSE"], notices: pack.File{Content: others}}
	for _, file := range []string{binary, small} {
		program, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		files[filepath.Base(file)] = pack.File{Content: program, Program: true}
	}
	maps.Copy(files, r.manual)
	name, content, err := p.archive(files, r.commit.Time)
	if err != nil {
		return "", err
	}
	r.add(name, content)
	fmt.Printf("%s/%s: %.0f s\n", p.os, p.arch, time.Since(start).Seconds())
	return binary, nil
}

// compile builds a binary.
func (r *release) compile(ctx context.Context, p platform, binary string, flags ...string) error {
	arguments := slices.Concat([]string{"build", "-o", binary}, flags, image.BuildFlags(r.commit.Tag()))
	command := exec.CommandContext(ctx, "go", append(arguments, "./cmd/headroom")...) //nolint:gosec // our flags
	command.Dir = r.work
	command.Env = image.Environment(p.os, p.arch)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build headroom for %s/%s: %w\n%s", p.os, p.arch, err, out)
	}
	return nil
}

// A distributor must pass on the licences of all parts: archives and image hold them under this name.
const (
	notices  = "THIRD_PARTY_LICENSES"
	licenses = ".licenses" // beside the binary, while the release is made
)

// describe adds the bill of materials, beside the archive: so it is found without unpacking.
func (r *release) describe(ctx context.Context, p platform, binary string) (others []byte, err error) {
	bill := binary + ".cdx.json"
	command := exec.CommandContext(ctx, r.sbom, "-o", bill, "-notices", binary+licenses, //nolint:gosec // our program
		"-version", r.commit.Tag(), "-time", strconv.FormatInt(r.commit.Time.Unix(), 10), binary)
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("bill of materials of %s/%s: %w\n%s", p.os, p.arch, err, out)
	}
	content, err := os.ReadFile(bill)
	if err != nil {
		return nil, err
	}
	r.add(p.name()+".cdx.json", content)
	return os.ReadFile(binary + licenses)
}

// variant is the container image of a platform; the binary in it is the one of the archive that has everything.
func (r *release) variant(binary string, p platform) (image.Variant, error) {
	as := v1.Platform{OS: p.os, Architecture: p.arch}
	made, err := image.New(as, []image.File{
		{Source: binary, Path: image.BinaryPath, Mode: 0o755},
		{Source: filepath.Join(r.work, "LICENSE"), Path: image.LicensePath, Mode: 0o644},
		{Source: binary + licenses, Path: notices, Mode: 0o644},
	}, r.described())
	return image.Variant{Platform: as, Image: made}, err
}

func (r *release) described() image.Release {
	return image.Release{Version: r.commit.Version, Revision: r.commit.Hash, Created: r.commit.Time}
}
