// Package webpage has what headroom's pages share: their head, what they look like, and the policy
// by which a browser lets them load nothing.
package webpage

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io/fs"
	"slices"
	"strings"
)

//go:embed base.css head.html
var files embed.FS

// Head is what the template "head" of a page needs; the data of the page holds one.
type Head struct {
	Title, Policy string
	Style         template.CSS
}

// Template reads page/page.html of a page's own files, which begins with the template "head". The template "flags"
// writes a text whose flags no line is broken in.
func Template(own fs.FS, functions template.FuncMap) (*template.Template, error) {
	t, err := template.New("page.html").Funcs(template.FuncMap{"flags": flagged}).Funcs(functions).ParseFS(files, "head.html")
	if err != nil {
		return nil, err
	}
	return t.ParseFS(own, "page/page.html")
}

// Style is what all pages look like, and behind it page/page.css of the page's own files.
func Style(own fs.FS) (string, error) {
	base, err := files.ReadFile("base.css")
	if err != nil {
		return "", err
	}
	more, err := fs.ReadFile(own, "page/page.css")
	return string(base) + string(more), err
}

// Policy is the Content-Security-Policy of a page that loads nothing, and uses and runs nothing
// but these texts.
func Policy(styles []string, scripts ...string) string {
	policy := "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; style-src " + digests(styles)
	if len(scripts) > 0 {
		policy += "; script-src " + digests(scripts)
	}
	return policy
}

// digests are what a policy knows texts by, each once.
func digests(texts []string) string {
	var list []string
	for _, text := range texts {
		sum := sha256.Sum256([]byte(text))
		digest := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if !slices.Contains(list, digest) {
			list = append(list, digest)
		}
	}
	return strings.Join(list, " ")
}

// piece is a part of a text; a flag is not broken after its hyphen.
type piece struct {
	Text string
	Flag bool
}

// flagged takes a text apart, as flags of dom.js does: the template "flags" writes the pieces.
func flagged(text string) []piece {
	var list []piece
	for i, word := range strings.SplitAfter(text, " ") {
		flag := strings.HasPrefix(strings.TrimPrefix(word, "("), "-")
		if i > 0 && !flag && !list[len(list)-1].Flag {
			list[len(list)-1].Text += word
			continue
		}
		if flag {
			list = append(list, piece{strings.TrimSuffix(word, " "), true}, piece{strings.Repeat(" ", strings.Count(word, " ")), false})
			continue
		}
		list = append(list, piece{word, false})
	}
	return list
}
