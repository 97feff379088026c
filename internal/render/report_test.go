package render

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func render(t testing.TB, format string, r *Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at it, then go test ./lint/render -update\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

var extensions = map[string]string{
	"table": "txt", "json": "json", "sarif": "sarif", "junit": "xml", "github": "txt", "gitlab": "json", "markdown": "md",
}

func soundReport() *Report {
	r := sampleReport()
	return &Report{
		Version: r.Version, Rules: r.Rules, Workloads: r.Workloads[:2],
		Summary: Summary{Files: 2, Documents: 2, Workloads: 2, Containers: 3},
	}
}

func TestGolden(t *testing.T) {
	for _, format := range Formats {
		if extensions[format] == "" {
			continue // a browser reads the page, in tests/integration/browser
		}
		o := Options{Width: 100}
		golden(t, format+"."+extensions[format], render(t, format, sampleReport(), o))
		golden(t, format+"-sound."+extensions[format], render(t, format, soundReport(), o))
		golden(t, format+"-empty."+extensions[format], render(t, format, &Report{Version: "v0.1.0"}, o))
	}
}

func TestSameBytes(t *testing.T) {
	for _, format := range Formats {
		first := render(t, format, sampleReport(), Options{Color: true, Verbose: true})
		for range 20 {
			if again := render(t, format, sampleReport(), Options{Color: true, Verbose: true}); again != first {
				t.Fatalf("%s differs between two runs", format)
			}
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	err := Write(&bytes.Buffer{}, "yaml", &Report{}, Options{})
	if err == nil || !strings.Contains(err.Error(), `"yaml" is not one of table, json`) {
		t.Errorf("got %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestWriteError(t *testing.T) {
	for _, format := range Formats {
		if err := Write(brokenPipe{}, format, sampleReport(), Options{}); err == nil {
			t.Errorf("%s: no error though nothing could be written", format)
		}
	}
}
