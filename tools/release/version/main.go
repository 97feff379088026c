// Command version sets the version of the next release: in the chart, in the kustomizations that
// are made of it and in the examples that name its image. Run it from the repository root:
//
//	go run ./tools/release/version 0.2.0
package main

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/headroom-dev/headroom/tools/release/checkout"
	"github.com/headroom-dev/headroom/tools/release/manifest"
	"github.com/headroom-dev/headroom/tools/release/pack"
)

func main() {
	if len(os.Args) != 2 || !checkout.IsVersion(os.Args[1]) {
		fmt.Fprintln(os.Stderr, "usage: version MAJOR.MINOR.PATCH[-PRERELEASE]")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "version:", err)
		os.Exit(1)
	}
}

func run(version string) error {
	files := pack.Files{}
	checkout := os.DirFS(".")
	read := func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content, err := fs.ReadFile(checkout, name)
		files[name] = pack.File{Content: content, Program: info.Mode()&0o100 != 0}
		return err
	}
	for _, folder := range []string{"charts", "packaging"} {
		if err := fs.WalkDir(checkout, folder, read); err != nil {
			return err
		}
	}
	changed, err := manifest.SetVersion(files, version)
	if err != nil {
		return err
	}
	for _, name := range changed.Names() {
		fmt.Println(name)
	}
	return changed.Write(".")
}
