// The command browser gives tests/integration/browser a headless Chromium. It takes that of PATH, else the
// npm package @sparticuz/chromium, pinned and checked, which touches nothing but FOLDER. Without npm it takes
// Debian's package, which needs root. What it gives is FOLDER/chromium. Running it again is quick.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

const (
	packageName    = "@sparticuz/chromium"
	packageVersion = "153.0.0"
	// packageSum is the SHA-512 of the package as it is published, in hex.
	packageSum = "8e2196a92bcf31dbb8f8ff538a562a011ef21063c41c8371fa50af13f36a34ef" +
		"c41d8cc5ff1d615222394fa8a8548b7b744cbb9fcf1bcb24f4be4f9d9ec810c0"
)

// names are those that a Chromium has on PATH.
var names = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"}

func main() {
	folder := flag.String("o", ".tools/browser", "install into this `FOLDER`")
	flag.Parse()
	if err := run(*folder); err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range names {
		if program, err := exec.LookPath(name); err == nil {
			fmt.Printf("browser: %s of PATH\n", program)
			return point(folder, program)
		}
	}
	target := filepath.Join(folder, packageVersion)
	if _, err := os.Stat(target); err == nil {
		fmt.Printf("browser: %s %s (kept)\n", packageName, packageVersion)
		return point(folder, filepath.Join(target, "chromium"))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, noNPM := exec.LookPath("npm")
	if noNPM != nil || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return debian(folder)
	}
	if err := install(folder, target); err != nil {
		return fmt.Errorf("no Chromium on PATH, and %s %s could not be installed: %w", packageName, packageVersion, err)
	}
	fmt.Printf("browser: %s %s\n", packageName, packageVersion)
	return point(folder, filepath.Join(target, "chromium"))
}

// point makes FOLDER/chromium lead to a program.
func point(folder, program string) error {
	link := filepath.Join(folder, "chromium")
	if err := os.Remove(link); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Symlink(program, link)
}

// install puts the package into target, whole or not at all.
func install(folder, target string) (err error) {
	work, err := os.MkdirTemp(folder, ".work.")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	archive, err := download(work)
	if err != nil {
		return err
	}
	staged := filepath.Join(work, "staged")
	if err := unpack(archive, staged); err != nil {
		return err
	}
	if err := settle(staged); err != nil {
		return err
	}
	return os.Rename(staged, target)
}
