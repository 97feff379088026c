// Package saved keeps what was collected from containers in folders, and reads it again. It also
// reads files that were collected by hand.
package saved

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
	"github.com/headroom-dev/headroom/internal/audit/diagnose/reading"
)

// Schema names the layout of a folder.
const Schema = "headroom.dev/diagnosis-files/v1"

const (
	manifestFile = "manifest.json"
	podFile      = "pod.json"
	// No file that is read here comes near; a Pod is at most what etcd takes, 1.5 MiB.
	maxBytes = 4 << 20
)

// manifest is what a folder tells of its files.
type manifest struct {
	Schema   string `json:"schema"`
	Headroom string `json:"headroom"` // the version that collected it
	*collect.Collection
}

// Write makes a folder of the collection below dir and gives its path. The Pod itself is not
// written: its environment may hold secrets.
func Write(dir string, c *collect.Collection, version string) (string, error) {
	folder := filepath.Join(dir, strings.Join([]string{c.Namespace, c.Pod, c.Container}, "_"))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("save: %w", err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		return "", errors.Join(err, fmt.Errorf("save: %s is not empty; files of two readings would mix", folder))
	}
	for name, text := range c.Files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", fmt.Errorf("save: %w", err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return "", fmt.Errorf("save: %w", err)
		}
	}
	text, err := json.MarshalIndent(manifest{Schema, version, c}, "", "  ")
	if err != nil {
		return "", fmt.Errorf("save: %w", err)
	}
	if err := os.WriteFile(filepath.Join(folder, manifestFile), append(text, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("save: %w", err)
	}
	return folder, nil
}

// Read gives the containers of a folder: its own, or those of the folders in it, by name.
func Read(dir string) ([]*collect.Collection, error) {
	own, err := readFolder(dir)
	if err != nil || own != nil {
		return []*collect.Collection{own}, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	var all []*collect.Collection
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		c, err := readFolder(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		if c != nil {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s holds no file of a container, such as cpu.stat, nor a folder that does", dir)
	}
	return all, nil
}

// readFolder reads the container of one folder; nil if the folder holds none.
func readFolder(dir string) (*collect.Collection, error) {
	files, err := readFiles(dir)
	if err != nil {
		return nil, err
	}
	text, err := readFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, os.ErrNotExist) {
		return byHand(dir, files)
	}
	if err != nil {
		return nil, err
	}
	m := manifest{Collection: &collect.Collection{}}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, manifestFile), err)
	}
	if m.Schema != Schema {
		return nil, fmt.Errorf("read %s: its schema is %q and not %q", filepath.Join(dir, manifestFile), m.Schema, Schema)
	}
	if m.Missing == nil {
		m.Missing = map[string]string{}
	}
	m.Files = files
	return m.Collection, nil
}

// byHand reads a folder of files that were collected by hand, perhaps with the Pod beside them.
func byHand(dir string, files map[string]string) (*collect.Collection, error) {
	c := &collect.Collection{}
	text, err := readFile(filepath.Join(dir, podFile))
	switch {
	case err == nil:
		if c, err = collect.OfPod(text, ""); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, podFile), err)
		}
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	case len(files) == 0:
		return nil, nil
	default:
		c.Pod = filepath.Base(dir)
	}
	c.Files, c.Missing = files, map[string]string{}
	for _, name := range reading.OfJVM {
		if _, found := files[name]; found {
			yes := true
			c.JVM = &yes
		}
	}
	return c, nil
}

// readFiles reads the files of known names in a folder and of its second sample.
func readFiles(dir string) (map[string]string, error) {
	files := map[string]string{}
	for _, at := range []string{"", reading.Later} {
		for _, name := range slices.Concat(reading.V2, reading.V1, reading.OfNode, reading.OfJVM) {
			text, err := readFile(filepath.Join(dir, filepath.FromSlash(at+name)))
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			files[at+name] = string(text)
		}
	}
	return files, nil
}

func readFile(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if len(text) > maxBytes {
		return nil, fmt.Errorf("read %s: it is larger than %d MiB", file, maxBytes>>20)
	}
	return text, nil
}
