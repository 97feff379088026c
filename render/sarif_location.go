package render

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// physical is a place in a file. Relative names are relative to the repository,
// as code scanning wants them; 0 is no line.
func physical(file string, line int) *sarifPhysical {
	p := &sarifPhysical{Artifact: artifact(file)}
	if line > 0 {
		p.Region = &sarifRegion{line}
	}
	return p
}

func artifact(file string) sarifArtifact {
	slashed := path.Clean(strings.ReplaceAll(valid(file), `\`, "/"))
	switch {
	case strings.HasPrefix(slashed, "/"):
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: slashed}).String()}
	case len(slashed) > 2 && slashed[1:3] == ":/": // a Windows drive
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + slashed}).String()}
	}
	// URL.String puts ./ before a first segment with a colon; SARIF readers
	// compare names, so the colon is escaped instead.
	return sarifArtifact{strings.ReplaceAll((&url.URL{Path: "/" + slashed}).EscapedPath()[1:], ":", "%3A"), "%SRCROOT%"}
}

// fingerprints tells results apart, and finds the same one again in another
// run: by rule, object, container and field, never by line.
type fingerprints map[string]int

func (seen fingerprints) of(f *engine.Finding) string {
	group, _, versioned := strings.Cut(f.Resource.APIVersion, "/")
	if !versioned {
		group = "" // apps/v1beta1 and apps/v1 name the same object
	}
	hash := sha256.New()
	for _, part := range []string{
		f.Rule, group, f.Resource.Kind, f.Resource.Namespace, f.Resource.Name, f.Container, withoutIndexes(f.Path),
	} {
		hash.Write(fmt.Appendf(nil, "%d:%s", len(part), part)) // lengths keep "a","bc" and "ab","c" apart
	}
	sum := hex.EncodeToString(hash.Sum(nil)[:16])
	seen[f.File+"\x00"+sum]++
	return fmt.Sprintf("%s:%d", sum, seen[f.File+"\x00"+sum])
}

// withoutIndexes drops list positions from a JSON pointer: a container added in
// front moves all that follow it. The container's name says which one it is.
func withoutIndexes(pointer string) string {
	parts := strings.Split(pointer, "/")
	for i, part := range parts {
		if _, err := strconv.ParseUint(part, 10, 32); err == nil {
			parts[i] = "-"
		}
	}
	return strings.Join(parts, "/")
}
