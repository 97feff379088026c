package cel

import "testing"

func TestWithoutOrValue(t *testing.T) {
	for expression, want := range map[string]string{
		`a.?b.orValue(1)`:                  `a.?b.or(optional.of(1)).value()`,
		`a.?b.orValue(c.?d.orValue(''))`:   `a.?b.or(optional.of(c.?d.or(optional.of('')).value())).value()`,
		`a.?b.orValue(f(')', r"\)")) + 1`:  `a.?b.or(optional.of(f(')', r"\)"))).value() + 1`,
		`'.orValue(' + a.?b.orValue('\'')`: `'.orValue(' + a.?b.or(optional.of('\'')).value()`,
		`r'\' + or'x'.orValue(y)`:          `r'\' + or'x'.or(optional.of(y)).value()`,
		`a.?b.orValue([1, 2].map(x, (x)))`: `a.?b.or(optional.of([1, 2].map(x, (x)))).value()`,
	} {
		if got := WithoutOrValue(expression); got != want {
			t.Errorf("%s\n got %s\nwant %s", expression, got, want)
		}
	}
}
