//go:build integration

package ci

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Code scanning refuses more than 25 000 results, and 10 MiB: then the rest of the job goes on, and says so.
func TestActionOnMoreThanCodeScanningTakes(t *testing.T) {
	random := make([]byte, 12<<20)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	for sarif, uploads := range map[string]int{
		strings.Repeat("          \"ruleId\": \"HR202\",\n", 25000): 1,
		strings.Repeat("          \"ruleId\": \"HR202\",\n", 25001): 0,
		string(random): 0,
	} {
		// Writes all outputs, as headroom does for what has nothing to report, and another SARIF file.
		dir := t.TempDir()
		write(t, dir, map[string]string{"large": sarif, "headroom": "#!/bin/sh\n'" + binary + "' \"$@\" || exit\n" +
			"[ \"$1\" != lint ] || cp '" + dir + "/large' \"$RUNNER_TEMP/headroom/headroom.sarif\"\n"})
		if err := os.Chmod(filepath.Join(dir, "headroom"), 0o755); err != nil {
			t.Fatal(err)
		}
		r := judge(t, map[string]string{"a.yaml": sound},
			map[string]string{"sarif": "true", "binary": filepath.Join(dir, "headroom")})
		r.expect(t, 0)
		if len(r.used) != uploads || len(r.annotations()) != 1-uploads ||
			(uploads == 0) != strings.Contains(r.log, "::warning title=headroom did not upload to code scanning::It takes") {
			t.Errorf("%d bytes of SARIF: used %v, log:\n%s", len(sarif), r.used, r.log)
		}
	}
}
