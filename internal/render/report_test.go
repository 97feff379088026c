package render

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/golden"
)

func render(t testing.TB, format string, r *Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	golden.Check(t, filepath.Join("testdata", name), got)
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
	for _, format := range Formats() {
		if extensions[format] == "" {
			continue // a browser reads the page, in tests/integration/browser
		}
		o := Options{Width: 100}
		checkGolden(t, format+"."+extensions[format], render(t, format, sampleReport(), o))
		checkGolden(t, format+"-sound."+extensions[format], render(t, format, soundReport(), o))
		checkGolden(t, format+"-empty."+extensions[format], render(t, format, &Report{Version: "v0.1.0"}, o))
	}
}

func TestSameBytes(t *testing.T) {
	for _, format := range Formats() {
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
	for _, format := range Formats() {
		if err := Write(brokenPipe{}, format, sampleReport(), Options{}); err == nil {
			t.Errorf("%s: no error though nothing could be written", format)
		}
	}
}
