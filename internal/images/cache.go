package images

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// cache keeps manifests and configs by their digest. It is only ever a help: what cannot be read or written is as if
// it were not there, and what it gives has the digest that was asked for.
type cache struct{ folder string }

// maxCached is how many files it holds before the oldest go: some KB each.
const maxCached = 20_000

// DefaultCache is the user's cache folder, "" if the system has none.
func DefaultCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "headroom", "images")
}

func (c cache) path(digest v1.Hash) string {
	return filepath.Join(c.folder, digest.Algorithm+"-"+digest.Hex)
}

func (c cache) get(digest v1.Hash) []byte {
	if c.folder == "" || digest.Algorithm != "sha256" {
		return nil
	}
	file, err := os.Open(c.path(digest))
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || info.Size() > maxBytes || !info.Mode().IsRegular() {
		return nil
	}
	content, err := os.ReadFile(file.Name())
	if err != nil || !is(content, digest) {
		return nil
	}
	return content
}

func (c cache) store(digest v1.Hash, content []byte) {
	if c.folder == "" || !is(content, digest) || os.MkdirAll(c.folder, 0o700) != nil {
		return
	}
	file, err := os.CreateTemp(c.folder, ".new-")
	if err != nil {
		return
	}
	_, err = file.Write(content)
	if closed := file.Close(); err != nil || closed != nil || os.Rename(file.Name(), c.path(digest)) != nil {
		_ = os.Remove(file.Name())
	}
}

func is(content []byte, digest v1.Hash) bool {
	sum := sha256.Sum256(content)
	return digest.Algorithm == "sha256" && hex.EncodeToString(sum[:]) == digest.Hex
}

// Tidy removes the oldest files of a cache that has too many.
func (r *Registries) Tidy() {
	entries, err := os.ReadDir(r.cache.folder)
	if r.cache.folder == "" || err != nil || len(entries) <= maxCached {
		return
	}
	type aged struct {
		name string
		at   time.Time
	}
	var files []aged
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode()&fs.ModeType == 0 {
			files = append(files, aged{entry.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b aged) int { return a.at.Compare(b.at) })
	for _, file := range files[:max(0, len(files)-maxCached/2)] {
		_ = os.Remove(filepath.Join(r.cache.folder, file.name))
	}
}
