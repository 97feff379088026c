//go:build integration

package release

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/headroom-dev/headroom/tools/release/pack"
)

// bill is what the tests read of a bill of materials.
type bill struct {
	BomFormat, SpecVersion, SerialNumber string
	Metadata                             struct {
		Timestamp              string
		Component              billed
		Supplier, Manufacturer struct{ Name string }
		Tools                  struct{ Components []billed }
	}
	Components   []billed
	Dependencies []struct {
		Ref       string
		DependsOn []string
	}
}

type billed struct {
	Name, Version, Purl string
	Hashes              []struct{ Alg, Content string }
	Licenses            []struct{ License struct{ ID string } }
	Properties          []struct{ Name, Value string }
}

func (b billed) hash() string {
	if len(b.Hashes) != 1 || b.Hashes[0].Alg != "SHA-256" {
		return ""
	}
	return b.Hashes[0].Content
}

func hostBill(t *testing.T) (bill, string) {
	t.Helper()
	base := filepath.Join(ofHost(t), "headroom_"+strings.ReplaceAll(host, "/", "_"))
	var got bill
	check(t, json.Unmarshal(read(t, base+".cdx.json"), &got))
	files, err := pack.UntarGz(read(t, base+".tar.gz"))
	check(t, err)
	dir := t.TempDir()
	check(t, files.Write(dir))
	return got, filepath.Join(dir, "headroom-full")
}

// The bill holds what `go version -m` finds in the binary: each module, its version and sum,
// the Go that compiled it, and how.
func TestBillIsTheBinary(t *testing.T) {
	got, binary := hostBill(t)
	want, settings := map[string]string{}, map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(run(t, ".", "go", "version", "-m", binary)))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 2 && strings.HasPrefix(fields[1], "go1."):
			settings["go"] = fields[1]
			want["stdlib "+strings.TrimPrefix(fields[1], "go")] = ""
		case fields[0] == "dep":
			sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(fields[3], "h1:"))
			check(t, err)
			want[fields[1]+" "+fields[2]] = hex.EncodeToString(sum)
		case fields[0] == "build":
			key, value, _ := strings.Cut(fields[1], "=")
			settings[key] = value
		}
	}
	listed := map[string]string{}
	for _, c := range got.Components {
		listed[c.Name+" "+c.Version] = c.hash()
	}
	if !maps.Equal(listed, want) {
		t.Errorf("listed %v\nwanted %v", listed, want)
	}
	built := map[string]string{}
	for _, p := range got.Metadata.Component.Properties {
		built[strings.TrimPrefix(p.Name, "cdx:gomod:build:")] = p.Value
	}
	if !maps.Equal(built, settings) || built["GOOS"]+"/"+built["GOARCH"] != host || built["CGO_ENABLED"] != "0" {
		t.Errorf("built %v\nwanted %v", built, settings)
	}
	all := "\n" + strings.Join(slices.Collect(maps.Keys(listed)), "\n")
	for _, prefix := range []string{
		"github.com/open-policy-agent/opa v", "k8s.io/api v", "k8s.io/client-go v", "stdlib 1.",
	} {
		if !strings.Contains(all, "\n"+prefix) {
			t.Errorf("no %s", prefix)
		}
	}
}

// The bill says whose it is: the binary by its sum, the release by its version and time.
func TestBillOfThisRelease(t *testing.T) {
	got, binary := hostBill(t)
	about := got.Metadata.Component
	if sum := strings.Fields(run(t, ".", "sha256sum", binary))[0]; about.hash() != sum {
		t.Errorf("binary %s, bill of %s", sum, about.hash())
	}
	version := "v" + releaseVersion(t, ofHost(t))
	if about.Purl != "pkg:golang/"+module+"@"+version || about.Version != version ||
		got.Metadata.Timestamp != "2026-03-04T05:06:07Z" || !strings.HasPrefix(got.SerialNumber, "urn:uuid:") {
		t.Errorf("%+v", got.Metadata)
	}
	if got.Metadata.Supplier.Name == "" || got.Metadata.Manufacturer.Name == "" ||
		len(got.Metadata.Tools.Components) != 1 {
		t.Errorf("who has made it: %+v", got.Metadata)
	}
	if len(got.Dependencies) != len(got.Components)+1 || len(got.Dependencies[0].DependsOn) != len(got.Components) {
		t.Errorf("%d dependencies of %d components", len(got.Dependencies), len(got.Components))
	}
	for _, c := range got.Components {
		// The name that scanners take apart: a plus sign stands for a blank to some of them.
		if wanted := "pkg:golang/" + c.Name + "@" + url.QueryEscape(c.Version); c.Purl != wanted {
			t.Errorf("%s is called %s", wanted, c.Purl)
		}
		if len(c.Licenses) == 0 {
			t.Errorf("no licence of %s %s", c.Name, c.Version)
		}
	}
}

// CycloneDX's own schema has no complaint: names of licences are those of SPDX, and so on.
func TestBillFitsSchema(t *testing.T) {
	dir := strings.TrimSpace(run(t, filepath.Join(root, "tools/sbom"), "go", "list", "-m", "-f", "{{.Dir}}",
		"github.com/CycloneDX/cyclonedx-go"))
	compiler := jsonschema.NewCompiler()
	const base = "http://cyclonedx.org/schema/"
	for id, file := range map[string]string{
		"bom-1.6.schema.json": "bom-1.6.schema.json", "spdx.schema.json": "spdx.schema.json",
		"jsf-0.82.schema.json": "jsf-0.82.schemax.json",
	} {
		schema, err := jsonschema.UnmarshalJSON(strings.NewReader(string(read(t, dir, "schema", file))))
		check(t, err)
		check(t, compiler.AddResource(base+id, schema))
	}
	schema, err := compiler.Compile(base + "bom-1.6.schema.json")
	check(t, err)
	text := read(t, ofHost(t), "headroom_"+strings.ReplaceAll(host, "/", "_")+".cdx.json")
	for _, test := range []struct{ name, text string }{
		{"bill", string(text)}, {"broken", strings.Replace(string(text), `"id": "MIT"`, `"id": "MIT or so"`, 1)},
	} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(test.text))
		check(t, err)
		if err := schema.Validate(document); (err == nil) != (test.name == "bill") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
