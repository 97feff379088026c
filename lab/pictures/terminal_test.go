package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

func TestStyled(t *testing.T) {
	for text, want := range map[string]string{
		"plain <b> & 1 × 2": "plain &lt;b&gt; &amp; 1 × 2",
		"\x1b[31;1merror \x1b[0;22m\x1b[1mHR304\x1b[22m at": `<span class="red strong">error </span><span class="strong">HR304</span> at`,
		"\x1b[2massumed\x1b[22m\n":                          `<span class="faint">assumed</span>` + "\n",
		"\x1b[36mto the end":                                `<span class="cyan">to the end</span>`,
		"\x1b[99;0munknown\x1b[0m":                          "unknown",
	} {
		if got := styled(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// A picture with few colours keeps them as they are; shades of one become the first of them.
func TestSmaller(t *testing.T) {
	shot := image.NewRGBA(image.Rect(0, 0, 3, 1))
	for x, shade := range []color.RGBA{{16, 24, 32, 255}, {17, 25, 33, 255}, {200, 0, 0, 255}} {
		shot.Set(x, 0, shade)
	}
	var given bytes.Buffer
	if err := png.Encode(&given, shot); err != nil {
		t.Fatal(err)
	}
	text, err := smaller(given.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range []color.RGBA{{16, 24, 32, 255}, {16, 24, 32, 255}, {200, 0, 0, 255}} {
		if color.RGBAModel.Convert(got.At(x, 0)) != want {
			t.Errorf("%d: %v, want %v", x, got.At(x, 0), want)
		}
	}
}
