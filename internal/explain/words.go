package explain

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// plain writes a number as a person would: at most one decimal, no exponent.
func plain(n float64) string { return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64) }

func mib(n float64) string { return plain(n) + " MiB" }

// percent never rounds up: 19.96 % must not be read as the 20 % it falls short of.
func percent(part, whole float64) string {
	return plain(math.Floor(part/whole*1000+1e-6)/10) + " %"
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// sentence ends text with a full stop.
func sentence(s string) string {
	if s = strings.TrimSpace(s); s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
