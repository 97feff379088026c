package sarif

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// logical names the workload and, in it, the container.
func logical(r engine.Resource, container string) []logicalLocation {
	full := strings.Join(strings.FieldsFunc(r.Cluster+"\x00"+r.Kind+"\x00"+r.Namespace+"\x00"+r.Name, isNUL), "/")
	if full == "" {
		return nil
	}
	locations := []logicalLocation{{words.Valid(cmp.Or(r.Name, r.Kind)), words.Valid(full), "resource"}}
	if container != "" {
		locations = append(locations, logicalLocation{words.Valid(container), words.Valid(full + "/" + container), "container"})
	}
	return locations
}

func isNUL(r rune) bool { return r == 0 }

// physical is a place in a file. Relative names are relative to the repository,
// as code scanning wants them; 0 is no line.
func physical(file string, line int) *physicalLocation {
	p := &physicalLocation{Artifact: artifact(file)}
	if line > 0 {
		p.Region = &region{line}
	}
	return p
}

func artifact(file string) artifactLocation {
	slashed := path.Clean(strings.ReplaceAll(words.Valid(file), `\`, "/"))
	switch {
	case strings.HasPrefix(slashed, "/"):
		return artifactLocation{URI: (&url.URL{Scheme: "file", Path: slashed}).String()}
	case len(slashed) > 2 && slashed[1:3] == ":/": // a Windows drive
		return artifactLocation{URI: (&url.URL{Scheme: "file", Path: "/" + slashed}).String()}
	}
	// URL.String puts ./ before a first segment with a colon; SARIF readers
	// compare names, so the colon is escaped instead.
	return artifactLocation{strings.ReplaceAll((&url.URL{Path: "/" + slashed}).EscapedPath()[1:], ":", "%3A"), "%SRCROOT%"}
}
