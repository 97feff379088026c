package words

import (
	"math"
	"strconv"
)

// Percent never rounds up: 19.96 % must not be read as the 20 % it falls short of.
func Percent(part, whole float64) string {
	return Plain(math.Floor(part/whole*1000+1e-6)/10) + " %"
}

// Plain writes a number as a person would: at most one decimal, no exponent.
func Plain(n float64) string {
	return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64)
}
