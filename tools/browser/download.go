package main

import (
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	maxArchive = 256 << 20 // bytes; the package has 67 MiB
	patience   = 10 * time.Minute
)

// download fetches the package and checks it.
func download(work string) (string, error) {
	archive := filepath.Join(work, "package.tgz")
	fetch := overHTTP
	if _, err := exec.LookPath("npm"); err == nil {
		fetch = byNPM
	}
	if err := fetch(work, archive); err != nil {
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

func overHTTP(_, archive string) error {
	client := &http.Client{Timeout: patience}
	answer, err := client.Get(packageURL)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", packageURL, answer.Status)
	}
	file, err := os.Create(archive)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, io.LimitReader(answer.Body, maxArchive))
	return errors.Join(err, file.Close())
}
