package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var modified = time.Date(2026, time.March, 4, 5, 6, 7, 890, time.FixedZone("Kathmandu", 20700))

func example() Files {
	files := Files{"bin/program": {[]byte("\x7fELF"), true}}
	for _, name := range []string{"z", "a", "m/n", ".hidden", "ö"} {
		files.Text(name, "text of "+name)
	}
	return files
}

// The same files make the same archive, in whatever order they came and in any time zone.
func TestArchivesAreTheirFiles(t *testing.T) {
	for name, pack := range map[string]func(Files, time.Time) ([]byte, error){"tar.gz": Files.TarGz, "zip": Files.Zip} {
		first, err := pack(example(), modified)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			again, err := pack(maps.Clone(example()), modified.UTC().Truncate(time.Second))
			if err != nil || !bytes.Equal(first, again) {
				t.Fatalf("%s: another archive of the same files (%v)", name, err)
			}
		}
		later, err := pack(example(), modified.Add(time.Hour))
		if err != nil || bytes.Equal(first, later) {
			t.Errorf("%s: the time is not in it (%v)", name, err)
		}
	}
}

func TestThereAndBack(t *testing.T) {
	archive, err := example().TarGz(modified)
	if err != nil {
		t.Fatal(err)
	}
	back, err := UntarGz(archive)
	if err != nil {
		t.Fatal(err)
	}
	same := func(a, b File) bool { return bytes.Equal(a.Content, b.Content) && a.Program == b.Program }
	if !maps.EqualFunc(back, example(), same) {
		t.Errorf("became %+v", back)
	}
	dir := t.TempDir()
	if err := back.Write(dir); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "bin/program"))
	if err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Errorf("mode %v, %v", info, err)
	}
}

func TestParts(t *testing.T) {
	files := Files{}
	for _, name := range []string{"policies/a.rego", "policies/b/c.rego", "policies/b/c_test.rego", "policies2/d.rego"} {
		files.Text(name, "")
	}
	part := files.Part("policies", func(name string) bool { return !strings.HasSuffix(name, "_test.rego") })
	if got := part.Below("x").Names(); !slices.Equal(got, []string{"x/a.rego", "x/b/c.rego"}) {
		t.Errorf("took %q", got)
	}
}

// An archive that would write outside its folder is refused, and so is a file that is not an archive.
func TestUnpackRefuses(t *testing.T) {
	for _, name := range []string{"../outside", "/etc/passwd", "a/../../b"} {
		var out bytes.Buffer
		zipped := gzip.NewWriter(&out)
		w := tar.NewWriter(zipped)
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := zipped.Close(); err != nil {
			t.Fatal(err)
		}
		if files, err := UntarGz(out.Bytes()); err == nil {
			t.Errorf("%s: unpacked %v", name, files.Names())
		}
	}
	for _, text := range []string{"", "no archive", "\x1f\x8b"} {
		if _, err := UntarGz([]byte(text)); err == nil {
			t.Errorf("%q: unpacked", text)
		}
	}
}
