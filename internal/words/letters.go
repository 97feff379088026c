package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// UpperFirst begins a text with a capital letter.
func UpperFirst(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// IsWord says whether a letter is part of a word, in any script.
func IsWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Valid replaces bytes that are no UTF-8.
func Valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
