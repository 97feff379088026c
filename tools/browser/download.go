package main

import (
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// download fetches the package and checks it.
func download(work string) (string, error) {
	archive := filepath.Join(work, "package.tgz")
	if err := byNPM(work, archive); err != nil {
		return "", err
	}
	file, err := os.Open(archive)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha512.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	if sum := hex.EncodeToString(hash.Sum(nil)); sum != packageSum {
		return "", fmt.Errorf("its SHA-512 is %s, not %s", sum, packageSum)
	}
	return archive, nil
}

func byNPM(work, archive string) error {
	cmd := exec.Command("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", work,
		packageName+"@"+packageVersion)
	cmd.Dir = work // no package.json of ours is npm's business
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm pack: %w", err)
	}
	found, err := filepath.Glob(filepath.Join(work, "*.tgz"))
	if err != nil || len(found) != 1 {
		return errors.New("npm pack left no archive")
	}
	return os.Rename(found[0], archive)
}
