package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// central is where the servers come from.
const central = "https://repo1.maven.org/maven2/"

// artefactList names the jars of each server: a line "# name", then a line for each jar, the sha256
// sum and the path at Maven Central.
//
//go:embed artefacts.txt
var artefactList string

// artefact is one jar.
type artefact struct{ sum, path string }

// parseArtefacts reads the list, by the server's name.
func parseArtefacts(list string) (map[string][]artefact, error) {
	all := map[string][]artefact{}
	name := ""
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "# "); ok {
			name = title
			continue
		}
		sum, path, ok := strings.Cut(line, "  ")
		if raw, err := hex.DecodeString(sum); !ok || name == "" || err != nil || len(raw) != sha256.Size {
			return nil, fmt.Errorf("artefacts.txt: %q is no sum and path of a server", line)
		}
		all[name] = append(all[name], artefact{sum, path})
	}
	return all, nil
}

// get is where an artefact lies below dir; it is downloaded where it is not there, and its sum is
// looked at in both cases.
func (a artefact) get(ctx context.Context, dir string) (string, error) {
	file := filepath.Join(dir, filepath.FromSlash(a.path))
	err := a.check(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	part := file + ".part"
	if err := download(ctx, central+a.path, part); err != nil {
		return "", err
	}
	if err := a.check(part); err != nil {
		return "", err
	}
	return file, os.Rename(part, file)
}

func (a artefact) check(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != a.sum {
		return fmt.Errorf("%s has the sha256 sum %s, not %s", file, got, a.sum)
	}
	return nil
}

func download(ctx context.Context, url, file string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, response.Body)
	return err
}
