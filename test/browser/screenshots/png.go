package main

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"maps"
	"slices"
)

// paletted writes a picture with its 256 commonest colours: these pages have
// few, and the shades at the edges of letters are close to each other.
func paletted(full []byte) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(full))
	if err != nil {
		return nil, err
	}
	bounds := decoded.Bounds()
	small := image.NewPaletted(bounds, commonest(decoded))
	nearest := map[color.Color]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := decoded.At(x, y)
			at, known := nearest[c]
			if !known {
				at = uint8(small.Palette.Index(c))
				nearest[c] = at
			}
			small.SetColorIndex(x, y, at)
		}
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, small)
	return b.Bytes(), err
}

func commonest(picture image.Image) color.Palette {
	count := map[color.Color]int{}
	bounds := picture.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[picture.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return cmp.Compare(count[b], count[a]) })
	return colours[:min(len(colours), 256)]
}
