package source

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// deployment is a manifest of the size people write, 1.8 KiB.
func deployment(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(repo.Path("tests/manifests/ring-database.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// BenchmarkThousandFiles is the whole of reading: walk, open, parse.
func BenchmarkThousandFiles(b *testing.B) {
	data := deployment(b)
	b.Chdir(b.TempDir())
	for i := range 1000 {
		if err := os.WriteFile(fmt.Sprintf("%04d.yaml", i), data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		files, problems := Files([]string{"."}, Options{})
		if len(files) != 1000 || len(problems) != 0 {
			b.Fatal(len(files), problems)
		}
		for _, file := range files {
			for item := range Stream(file, Options{}) {
				if item.Document == nil {
					b.Fatal(item)
				}
			}
		}
	}
}

func BenchmarkParse(b *testing.B) {
	large, err := os.ReadFile(repo.Path("tests/manifests/operator-install.yaml"))
	if err != nil {
		b.Fatal(err)
	}
	for _, input := range []struct {
		name string
		text []byte
	}{
		{"small", deployment(b)},
		{"large", large},
		{"documents", []byte(strings.Repeat("---\n"+string(deployment(b)), 1000))},
	} {
		b.Run(input.name, func(b *testing.B) {
			b.SetBytes(int64(len(input.text)))
			b.ReportAllocs()
			for b.Loop() {
				for item := range Items("a.yaml", input.text, Options{}) {
					if item.Problem != nil {
						b.Fatal(item)
					}
				}
			}
		})
	}
	// The reference: values only, no lines.
	b.Run("small with sigs.k8s.io/yaml", func(b *testing.B) {
		text := deployment(b)
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			var object map[string]any
			if err := yaml.Unmarshal(text, &object); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkLineOf(b *testing.B) {
	document := oneDocument(b, "a.yaml", string(deployment(b)))
	path := []any{"spec", "template", "spec", "containers", 0, "resources", "limits", "cpu"}
	for b.Loop() {
		document.LineOf(path)
	}
}
