package source

import (
	"net/url"
	"path/filepath"
	"strings"
)

// LocalChart is the folder of a chart that a dependency names by a path, file://../common, from the folder of the
// chart that asks for it; "" where it names another place.
func LocalChart(folder, repository string) string {
	named, err := url.Parse(strings.TrimSpace(repository))
	if err != nil || named.Scheme != "file" {
		return ""
	}
	below := filepath.FromSlash(named.Host + named.Path) // file://../common has .. for its host
	if filepath.IsAbs(below) {
		return filepath.Clean(below)
	}
	return filepath.Join(folder, below)
}
