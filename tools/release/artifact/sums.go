// Package artifact knows the files of a release, and what becomes of them in an OCI registry.
// The digests follow from the files alone, without a registry, so a push can be checked.
package artifact

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files of a release that more than one program names.
const (
	Checksums    = "checksums.txt"
	Digests      = "digests.txt"
	ImageFile    = "headroom-image.tar"
	PoliciesFile = "headroom-policies.tar.gz"
	KyvernoFile  = "headroom-kyverno.tar.gz"
	Repository   = "artifacthub-repo.yml" // who owns the packages on Artifact Hub
)

// ChartFile is the name that Helm gives to a chart's archive.
func ChartFile(version string) string { return "headroom-" + version + ".tgz" }

// Checklist is what `sha256sum --check` reads.
func Checklist(sums map[string]string) []byte {
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&out, "%s  %s\n", sums[name], name)
	}
	return out.Bytes()
}

// Verify reads the files of a release, and holds them to their sums.
func Verify(folder string) (map[string][]byte, error) {
	list, err := os.ReadFile(filepath.Join(folder, Checksums))
	if err != nil {
		return nil, fmt.Errorf("%w: `make release` makes a release", err)
	}
	files := map[string][]byte{}
	lines := bufio.NewScanner(bytes.NewReader(list))
	for lines.Scan() {
		wanted, name, found := strings.Cut(lines.Text(), "  ")
		if !found || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%s: cannot read %q", Checksums, lines.Text())
		}
		content, err := os.ReadFile(filepath.Join(folder, name)) //nolint:gosec // a local name, as was asked
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(content)
		if got := hex.EncodeToString(sum[:]); got != wanted {
			return nil, fmt.Errorf("%s is not the file that was released: its SHA-256 is %s, and %s has %s",
				filepath.Join(folder, name), got, Checksums, wanted)
		}
		files[name] = content
	}
	return files, lines.Err()
}
