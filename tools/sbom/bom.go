package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// toolchain is the name under which the standard library stands in the Go vulnerability database, and so in OSV:
// scanners look for it by this name. https://go.dev/doc/security/vuln/database
const toolchain = "stdlib"

// component is one module of a binary.
type component struct {
	name, version string
	sum           string // h1: of go.sum; "" for the standard library and the program itself
}

// purl names the module as https://github.com/package-url/purl-spec does, which has no bare plus sign.
func (c component) purl() string {
	return "pkg:golang/" + c.name + "@" + strings.ReplaceAll(c.version, "+", "%2B")
}

// components are the modules whose code is in the binary, and the standard library.
func components(info *debug.BuildInfo) []component {
	all := []component{{toolchain, strings.TrimPrefix(info.GoVersion, "go"), ""}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		all = append(all, component{m.Path, m.Version, m.Sum})
	}
	slices.SortFunc(all, func(a, b component) int { return strings.Compare(a.purl(), b.purl()) })
	return all
}

// describe makes the bill of a binary, in the form that cyclonedx-gomod gave it.
func describe(info *debug.BuildInfo, binary []byte, from *licenses, version string, made time.Time) *cdx.BOM {
	sum := sha256.Sum256(binary)
	program := component{info.Main.Path, version, ""}
	bom := cdx.NewBOM()
	bom.SerialNumber = serial(sum)
	who := &cdx.OrganizationalEntity{Name: "headroom", URL: &[]string{"https://" + info.Main.Path}}
	bom.Metadata = &cdx.Metadata{
		Timestamp: made.Format(time.RFC3339), Supplier: who, Manufacturer: who,
		Tools: &cdx.ToolsChoice{Components: &[]cdx.Component{{
			Type: cdx.ComponentTypeApplication, Name: info.Main.Path + "/tools/sbom", Version: version,
		}}},
		Component: &cdx.Component{
			BOMRef: program.purl(), Type: cdx.ComponentTypeApplication, Name: program.name, Version: version,
			PackageURL: program.purl(), Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
			Licenses:   &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
			Properties: settings(info),
		},
	}
	var list []cdx.Component
	var names []string
	dependencies := []cdx.Dependency{{Ref: program.purl(), Dependencies: &names}}
	for _, c := range components(info) {
		one := cdx.Component{
			BOMRef: c.purl(), Type: cdx.ComponentTypeLibrary, Name: c.name, Version: c.version,
			Scope: cdx.ScopeRequired, PackageURL: c.purl(), Licenses: choices(from.of(c).ids),
		}
		if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(c.sum, "h1:")); err == nil && c.sum != "" {
			one.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}
		}
		list = append(list, one)
		names = append(names, c.purl())
		dependencies = append(dependencies, cdx.Dependency{Ref: c.purl()})
	}
	bom.Components = &list
	bom.Dependencies = &dependencies
	return bom
}

// settings are how the binary was built, as `go version -m` shows them.
func settings(info *debug.BuildInfo) *[]cdx.Property {
	out := []cdx.Property{{Name: "cdx:gomod:build:go", Value: info.GoVersion}}
	for _, s := range info.Settings {
		out = append(out, cdx.Property{Name: "cdx:gomod:build:" + s.Key, Value: s.Value})
	}
	return &out
}

func choices(ids []string) *cdx.Licenses {
	var out cdx.Licenses
	for _, id := range ids {
		out = append(out, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	if out == nil {
		return nil
	}
	return &out
}

// serial is a number of the bill's own that the binary decides: RFC 9562, version 8.
func serial(sum [sha256.Size]byte) string {
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

func encode(bom *cdx.BOM) ([]byte, error) {
	var out bytes.Buffer
	encoder := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false)
	if err := encoder.EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return nil, fmt.Errorf("write bill of materials: %w", err)
	}
	return out.Bytes(), nil
}
