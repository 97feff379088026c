package render

import (
	"net/url"
	"path"
	"strings"
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
