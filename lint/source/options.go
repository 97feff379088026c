package source

import (
	"io"
	"os"
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
