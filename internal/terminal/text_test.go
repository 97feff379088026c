package terminal_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/mattn/go-runewidth"

	"github.com/headroom-dev/headroom/internal/terminal"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain":         "plain",
		"ümlaut 日本":     "ümlaut 日本",
		"a\nb\tc\r\nd":  "a b c  d",
		"\x1b[31mred":   `\x1b[31mred`,
		"\u009b2J":      `\u009b2J`,
		"\u202eexe.gnp": `\u202eexe.gnp`,
		"\U000e0041":    `\U000e0041`,
		"bad\xffbyte":   "bad\uFFFDbyte",
		"zero\x00":      `zero\x00`,

		"\u00a0::error::x": "\u00a0: :error::x", "a\u3000::stop-commands::x": "a\u3000: :stop-commands::x",
		"\u2003::add-mask::x": "\u2003: :add-mask::x", "\u2028::error::x": " : :error::x", "std::string": "std::string",
	} {
		if got := terminal.Printable(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestWidth holds the widths that are known without the library's table to the library.
func TestWidth(t *testing.T) {
	library := &runewidth.Condition{}
	letters := []rune("a \t\x1b\r\n\u00adé©×…–—→↑−⋯│┃┊└┘┴─╌░▒▓█▁▂▃▄▅▆▇日\u0301\u200d\ufe0f👩💻🇩🇪\ufffd")
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	for range 5000 {
		text := make([]rune, random.IntN(6))
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		s := string(text)
		if random.IntN(4) == 0 {
			s += "\xff"
		}
		if got, want := terminal.Width(s), library.StringWidth(s); got != want {
			t.Fatalf("%q: %d columns, not %d (seed %d)", s, got, want, seed)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"", 10, nil},
		{"one two three", 7, []string{"one two", "three"}},
		{"a -XX:ReservedCodeCacheSize=128m b", 10, []string{"a", "-XX:ReservedCodeCacheSize=128m", "b"}},
		{"there is 4096 MiB, of", 15, []string{"there is", "4096 MiB, of"}},
		{"less than 20 %", 13, []string{"less than", "20 %"}},
		{"日本 日本 日本", 9, []string{"日本 日本", "日本"}},
	} {
		if got := terminal.Wrap(c.text, c.columns); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d: got %q", c.text, c.columns, got)
		}
	}
}

// JSON stays the same JSON.
func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		`"a"`: `"a"`, "\"\u009b2J\"": `"\u009b2J"`, "\"\u202egnp\"": `"\u202egnp"`, "\"\x7f\"": `"\u007f"`, "\"\U000e0041é日\"": `"\udb40\udc41é日"`,
		"{\n\t\"a\": \"\ufffd\"}": "{\n\t\"a\": \"\ufffd\"}",
	} {
		got := string(terminal.JSON([]byte(text)))
		var before, after any
		if err := errors.Join(json.Unmarshal([]byte(text), &before), json.Unmarshal([]byte(got), &after)); err != nil {
			t.Error(err)
		}
		if got != want || !reflect.DeepEqual(before, after) {
			t.Errorf("%q became %q", text, got)
		}
	}
}
