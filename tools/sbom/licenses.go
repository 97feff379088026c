package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"

	"github.com/google/licensecheck"
)

// enough is the share of a file, in percent, that has to be a known licence's text.
const enough = 75

// Files in which modules keep their licence, and those that have to be passed on with it.
var (
	licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying)([-.].*)?$`)
	noticeFile  = regexp.MustCompile(`(?i)^(notice|patents)([-.].*)?$`)
)

// license is what a module says in its own folder.
type license struct {
	ids   []string // SPDX identifiers, sorted
	texts []string // its files' contents, in the order of their names
}

// licenses are those of the modules of a binary.
type licenses struct {
	cache, root string
	components  []component
	found       map[string]license
}

func newLicenses(info *debug.BuildInfo) (*licenses, error) {
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("ask go for its folders: %w", err)
	}
	folders := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(folders) != 2 {
		return nil, fmt.Errorf("go env gave %q", folders)
	}
	l := &licenses{folders[0], folders[1], components(info), map[string]license{}}
	for _, c := range l.components {
		read, err := readLicense(l.folder(c))
		if err == nil && c.name != toolchain {
			err = read.below(l.folder(c))
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w; `go mod download` gets the modules", c.name, c.version, err)
		}
		l.found[c.purl()] = read
	}
	return l, nil
}

func (l *licenses) of(c component) license { return l.found[c.purl()] }

// check refuses modules without a licence that is known, and those with one that is not allowed.
func (l *licenses) check(allowed []string) error {
	var wrong []error
	for _, c := range l.components {
		ids := l.of(c).ids
		if len(ids) == 0 {
			wrong = append(wrong, fmt.Errorf("%s %s: no licence that is known", c.name, c.version))
		}
		for _, id := range ids {
			if !slices.Contains(allowed, id) {
				wrong = append(wrong, fmt.Errorf("%s %s: %s is not allowed", c.name, c.version, id))
			}
		}
	}
	return errors.Join(wrong...)
}

// folder is where a module's files lie.
func (l *licenses) folder(c component) string {
	if c.name == toolchain {
		return l.root
	}
	return filepath.Join(l.cache, escape(c.name)+"@"+escape(c.version))
}

// escape writes capitals as the module cache does, for file systems that do not tell them apart.
func escape(text string) string {
	var out strings.Builder
	for _, r := range text {
		if unicode.IsUpper(r) {
			out.WriteByte('!')
			r = unicode.ToLower(r)
		}
		out.WriteRune(r)
	}
	return out.String()
}

// below adds the licences of what a module has taken over from others, which lie beside that code.
func (found *license) below(module string) error {
	return filepath.WalkDir(module, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case path == module:
			return nil
		case entry.IsDir() && (name == "testdata" || name == "vendor" || strings.ContainsAny(name[:1], "._")):
			return fs.SkipDir // the go command builds nothing of these
		case !entry.IsDir():
			return nil
		}
		inside, err := readLicense(path)
		found.texts = append(found.texts, inside.texts...)
		return err
	})
}

func readLicense(dir string) (license, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return license{}, err
	}
	var found license
	for _, entry := range entries {
		licensed := licenseFile.MatchString(entry.Name())
		if entry.IsDir() || filepath.Ext(entry.Name()) == ".go" || !licensed && !noticeFile.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return license{}, err
		}
		found.texts = append(found.texts, string(bytes.TrimSpace(text)))
		covered := licensecheck.Scan(text)
		if !licensed || covered.Percent < enough {
			continue
		}
		for _, match := range covered.Match {
			if !match.IsURL && !slices.Contains(found.ids, match.ID) {
				found.ids = append(found.ids, match.ID)
			}
		}
	}
	slices.Sort(found.ids)
	return found, nil
}

// notices are the texts of all licences, each once, under the names of the modules that have it.
func (l *licenses) notices() []byte {
	modules := map[string][]string{}
	var order []string
	for _, c := range l.components {
		for _, text := range l.of(c).texts {
			if modules[text] == nil {
				order = append(order, text)
			}
			if name := c.name + " " + c.version; !slices.Contains(modules[text], name) {
				modules[text] = append(modules[text], name)
			}
		}
	}
	var out bytes.Buffer
	out.WriteString("headroom holds code of these modules, under these licences.\n")
	for _, text := range order {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(modules[text], "\n"), text)
	}
	return out.Bytes()
}
