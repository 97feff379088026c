//go:build integration && linux

package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

// onDisk runs headroom in a folder with one manifest, on a file system of its own that is full or
// read-only, and gives what the folder holds afterwards.
const onDisk = `
mount -t tmpfs -o size=64k,nr_inodes=64 tmpfs "$1" || exit 99
printf %s "$MANIFEST" >"$1/cart.yaml"
case $2 in
full) cat /dev/zero >"$1/filler" 2>/dev/null ;;
read-only) mount -o remount,ro "$1" || exit 99 ;;
esac
cd "$1"; shift 2; "$@"; code=$?
[ -f filler ] && : >filler
echo "-- after"; ls -A; cat cart.yaml
exit $code`

// F25: on a full or read-only disk nothing is half written. What was there is as it was, nothing new is
// left behind, and the error names the file and the cause.
func TestF25Disk(t *testing.T) {
	for state, cause := range map[string]string{"full": "no space left on device", "read-only": "read-only file system"} {
		for file, arguments := range map[string][]string{
			"cart.yaml":     {"fix", "cart.yaml"},
			"report.html":   {"lint", "-o", "html=report.html", "cart.yaml"},
			"known.yaml":    {"lint", "--write-baseline=known.yaml", "cart.yaml"},
			"headroom.yaml": {"init", "."},
		} {
			t.Run(state+"/"+file, func(t *testing.T) {
				dir := t.TempDir()
				command := exec.CommandContext(t.Context(), "unshare", append([]string{
					"--user", "--map-root-user", "--mount", "sh", "-c", onDisk, "sh", dir, state, binary,
				}, arguments...)...)
				command.Env = append(os.Environ(), "MANIFEST="+unfixed)
				stdout, stderr, code := program.Run(t, command)
				if code == 99 || strings.Contains(stderr, "unshare failed") {
					t.Skipf("this machine lets us mount nothing: %s", stderr)
				}
				_, after, _ := strings.Cut(stdout, "-- after\n")
				want := "cart.yaml\n" + unfixed
				if state == "full" {
					want = "cart.yaml\nfiller\n" + unfixed
				}
				if after != want {
					t.Errorf("the folder holds\n%s", after)
				}
				if code != 2 || !strings.Contains(stderr, cause) || !strings.Contains(stderr, file) {
					t.Errorf("exit code %d: %s", code, stderr)
				}
				if lines := strings.Count(stderr, cause); lines > 1 {
					t.Errorf("says it %d times: %s", lines, stderr)
				}
			})
		}
	}
}
