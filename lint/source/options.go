package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// DefaultMaxFileBytes is well above what an API server takes in one request
	// (3 MiB) and leaves room for a List of a small cluster.
	DefaultMaxFileBytes = 8 << 20
	// DefaultMaxDocuments is ten times the largest input we measure.
	DefaultMaxDocuments = 100_000

	// maxDepth bounds nesting. The deepest objects in use, CRDs with their
	// OpenAPI schemas, stay under 100 levels.
	maxDepth = 1000
	// bytesPerValue bounds how many values a document holds by the size of file
	// that is allowed. Objects as people and programs write them take 25 bytes
	// and more for each; a file of nothing but commas would take 2 GiB to read.
	bytesPerValue = 16
	// maxAliasNodes bounds what aliases may expand to in one document. The
	// ratio that yaml/v2 allows would let 400 000 nodes through, about 100 MB.
	maxAliasNodes = 100_000
)

// Options says how to read. The zero value is ready to use.
type Options struct {
	// MaxFileBytes is the size above which a file is not read; 0 is
	// DefaultMaxFileBytes.
	MaxFileBytes int64
	// MaxDocuments is how many documents one file may hold; 0 is
	// DefaultMaxDocuments.
	MaxDocuments int
	// Stdin is what "-" reads; nil is os.Stdin.
	Stdin io.Reader
	// buffered is what Buffer read, by path.
	buffered map[string][]byte
	// Mentioning leaves files alone, unparsed, whose bytes hold none of these
	// words; nil reads every file.
	Mentioning []string
	// FolderCharts says how to render the charts that stand in folders; nil leaves them out.
	FolderCharts *HelmChart
	// HelmCharts and Kustomizations are rendered before they are read.
	HelmCharts     []HelmChart
	Kustomizations []string
	// EnableHelm lets kustomizations render the Helm charts beside them, with the helm in PATH.
	EnableHelm bool
	// FollowLinks follows symbolic links that lead out of a tree, a chart, or the folder of a values file.
	FollowLinks bool
	// Hidden reads folders, too, whose names begin with a dot.
	Hidden bool
	// AllowEmpty takes a folder without a manifest and an empty standard input for no fault.
	AllowEmpty bool
	// Tree is the folder that links may lead to; without it the repository of each path, else the working directory.
	Tree string
	// Root, if set, is the working directory: nothing outside of it is read, and no kustomization is built, as its bases
	// may lie anywhere.
	Root *os.Root
}

// MaxBytes is how large a file may be.
func (o Options) MaxBytes() int64 {
	if o.MaxFileBytes > 0 {
		return o.MaxFileBytes
	}
	return DefaultMaxFileBytes
}

func (o Options) maxValues() int { return int(o.MaxBytes() / bytesPerValue) }

func (o Options) maxDocuments() int {
	if o.MaxDocuments > 0 {
		return o.MaxDocuments
	}
	return DefaultMaxDocuments
}

// HasValues says whether a file of values is one of the chart that a folder's File renders: its own, which own says, or
// one beside it.
func (f File) HasValues(name string) (own, is bool) {
	below, found := strings.CutPrefix(name, f.Name+"/")
	if f.chart == "" || !found {
		return false, false
	}
	if below == chartValues {
		return true, true
	}
	return false, slices.ContainsFunc(valuesFiles, func(pattern string) bool {
		matches, _ := path.Match(pattern, below)
		return matches
	})
}

const chartValues = "values.yaml"

// SavedValues are the bytes of the chart's own file of values as they are on the disk; nil where they cannot be read.
func (f File) SavedValues(opts Options) []byte {
	name := filepath.Join(f.from.Path, chartValues)
	if endless(name) || !opts.FollowLinks && straysFile(name) {
		return nil
	}
	text, err := Read(File{path: name}, opts)
	if err != nil {
		return nil
	}
	return text
}

// RenderWith renders the chart of a folder with an editor's text over its values. It is a run of its own.
func (f File) RenderWith(ctx context.Context, values []byte, opts Options) ([]Item, *Problem) {
	taken.Store(0)
	from := f.from
	from.Inline = values
	m, problem := run(ctx, f.Name, job{Chart: from, Follow: opts.FollowLinks, Limit: opts.MaxBytes()}, opts)
	if problem != nil {
		return nil, problem
	}
	var items []Item
	for _, template := range slices.Sorted(maps.Keys(m.Templates)) {
		if path.Base(template) == "NOTES.txt" {
			continue
		}
		for item := range m.text(template, templateFile(f.Name, template)).items(opts) {
			if item.Skipped != reasonEmpty {
				items = append(items, item)
			}
		}
	}
	return items, nil
}

// Buffer reads standard input and the pipes among the paths, which can be read but once: files are looked at several
// times. It ends with the context, also where a read waits for what is never written.
func (o *Options) Buffer(ctx context.Context, paths []string) error {
	for _, path := range paths {
		key, from, named := path, io.Reader(os.Stdin), "standard input"
		if path == "-" {
			key = "" // as a File of standard input has it
		}
		if _, done := o.buffered[key]; done {
			continue
		}
		switch {
		case path == "-" && o.Stdin != nil:
			from = o.Stdin
		case path == "-":
		case irregular(path):
			opened, err := o.open(path)
			if err != nil {
				continue // told when its turn comes
			}
			defer func() { _ = opened.Close() }() // nothing was written
			from, named = opened, path
		default:
			continue
		}
		// One byte more than may be read, so that too much is seen as too much.
		text, err := readUntil(ctx, io.LimitReader(from, o.MaxBytes()+1))
		if err != nil {
			return fmt.Errorf("read %s: %w", named, err)
		}
		if o.buffered == nil {
			o.buffered = map[string][]byte{}
		}
		o.buffered[key] = text
	}
	return nil
}

// readUntil reads all there is, or until a context ends. A read that waits then goes on waiting, and nothing takes what it
// reads.
func readUntil(ctx context.Context, from io.Reader) ([]byte, error) {
	done := make(chan struct{})
	var all bytes.Buffer
	var failed error
	go func() {
		defer close(done)
		_, failed = all.ReadFrom(from)
	}()
	select {
	case <-done:
		return all.Bytes(), failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func irregular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}
