package settings

import (
	"strings"
	"testing"
)

const aLock = `apiVersion: headroom.dev/v1alpha1
kind: ImageLock
headroom:
  image_lock:
    references:
      quay.io/a/b:1: sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
    images:
      sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef:
        platform: linux/amd64
        assumed: true
        entrypoint: [java]
        environment: {JAVA_VERSION: "21"}
`

func TestParseLock(t *testing.T) {
	lock, err := ParseLock("l.yaml", []byte(aLock))
	if err != nil {
		t.Fatal(err)
	}
	if len(lock) != 2 {
		t.Errorf("%v", lock)
	}
	for _, test := range []struct{ old, new, wanted string }{
		{"kind: ImageLock", "kind: Config", "l.yaml:2: "},
		{"      quay.io/a/b:1: sha256:01", "      quay.io/a/b:1: sha256:zz", "l.yaml:6: "},
		{"        platform", "        Platform", "l.yaml:9: "},
		{"[java]", "java", "l.yaml:11: "},
		{`"21"`, "21", "l.yaml:12: "},
		{"headroom:\n", "headroom: 1\nx:\n", "l.yaml:"},
		{"    images:\n", "    images: [\n", "l.yaml:"},
	} {
		if !strings.Contains(aLock, test.old) {
			t.Fatalf("%q is not in the lock", test.old)
		}
		if _, err := ParseLock("l.yaml", []byte(strings.Replace(aLock, test.old, test.new, 1))); err == nil || !strings.Contains(err.Error(), test.wanted) {
			t.Errorf("%q: %v, wanted %q", test.new, err, test.wanted)
		}
	}
	for _, text := range []string{"", "null", "[]", strings.Repeat("#", maxLockBytes+1)} {
		if _, err := ParseLock("l.yaml", []byte(text)); err == nil {
			t.Errorf("%.10q is no error", text)
		}
	}
	if _, err := LoadLock(t.TempDir()); err == nil {
		t.Error("a folder is no error")
	}
}

func FuzzParseLock(f *testing.F) {
	f.Add([]byte(aLock))
	f.Fuzz(func(t *testing.T, text []byte) {
		lock, err := ParseLock("l.yaml", text)
		if err == nil && lock["images"] == nil {
			t.Errorf("a lock without images: %v", lock)
		}
	})
}
