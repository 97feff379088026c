package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// step is how coarse the shades of a picture become. Text has few colours, and many shades at
// the edges of its letters. Those shades take most of the bytes and cannot be seen.
const step = 16

// smaller writes a picture in fewer bytes: with a palette, where its shades fit into one.
func smaller(shot []byte) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return nil, err
	}
	if p := paletted(decoded); p != nil {
		decoded = p
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, decoded); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// paletted is the picture with one colour for all shades of a step: the first that it has. It
// is nil where more than 256 are left.
func paletted(from image.Image) image.Image {
	out := image.NewPaletted(from.Bounds(), nil)
	known := map[[3]uint32]uint8{}
	for y := from.Bounds().Min.Y; y < from.Bounds().Max.Y; y++ {
		for x := from.Bounds().Min.X; x < from.Bounds().Max.X; x++ {
			r, g, b, _ := from.At(x, y).RGBA()
			shade := [3]uint32{r >> 8 / step, g >> 8 / step, b >> 8 / step}
			index, ok := known[shade]
			if !ok {
				if len(known) == 256 {
					return nil
				}
				index = uint8(len(known)) //nolint:gosec // under 256
				known[shade] = index
				out.Palette = append(out.Palette, color.RGBAModel.Convert(from.At(x, y)))
			}
			out.SetColorIndex(x, y, index)
		}
	}
	return out
}
