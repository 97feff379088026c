package words_test

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/words"
)

func TestCounts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{words.Count(0, "file"), "0 files"},
		{words.Count(1, "file"), "1 file"},
		{words.Count(2, "file"), "2 files"},
		{words.Plural(1, "patch", "patches"), "1 patch"},
		{words.Plural(3, "patch", "patches"), "3 patches"},
		{words.Choose(1, "is", "are"), "is"},
		{words.Choose(0, "is", "are"), "are"},
		{words.Severities(5, 0, 1), "5 errors, 1 info"},
		{words.Severities(1, 2, 0), "1 error, 2 warnings"},
		{words.Severities(0, 0, 0), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
