package explain

import (
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/words"
)

func mib(n float64) string { return words.Plain(n) + " MiB" }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// sentence ends text with a full stop.
func sentence(s string) string {
	if s = strings.TrimSpace(s); s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
