package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Identity is what makes a finding the same one in another run: its rule, the object, the container
// and the field. The line, the file, the place in a list, the words of the message and the version
// of headroom do not count. Findings that are alike in all of that share it.
func Identity(f *engine.Finding) string {
	hash := sha256.New()
	parts := []string{
		f.Rule, f.Resource.Group(), f.Resource.Kind, f.Resource.Namespace, f.Resource.Name, f.Container,
		withoutIndexes(f.Path),
	}
	if f.Resource.Cluster != "" {
		parts = append(parts, f.Resource.Cluster)
	}
	for _, part := range parts {
		hash.Write(fmt.Appendf(nil, "%d:%s", len(part), part)) // lengths keep "a","bc" and "ab","c" apart
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// Fingerprints tells the findings of one report apart: an Identity, and which of those that
// share it a finding is. Every format goes through the lists of a report in the same order, so
// that they agree.
type Fingerprints map[string]int

// Of is the fingerprint of the next finding.
func (seen Fingerprints) Of(f *engine.Finding) string {
	identity := Identity(f)
	seen[identity]++
	return identity + ":" + strconv.Itoa(seen[identity])
}

// withoutIndexes drops list positions from a JSON pointer: a container added in front moves all
// that follow it. The container's name says which one it is. That an object stands in a List is
// not part of it either.
func withoutIndexes(pointer string) string {
	parts := strings.Split(pointer, "/")
	for len(parts) > 3 && parts[0] == "" && parts[1] == "items" && isIndex(parts[2]) {
		parts = append([]string{""}, parts[3:]...)
	}
	for i, part := range parts {
		if isIndex(part) {
			parts[i] = "-"
		}
	}
	return strings.Join(parts, "/")
}

func isIndex(part string) bool {
	_, err := strconv.ParseUint(part, 10, 32)
	return err == nil
}
