package main

import (
	"encoding/base64"
	"fmt"
	"html"
	"regexp"
	"strings"

	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
)

// sequence is what turns a style of a terminal on or off.
var sequence = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// classes are the styles that headroom prints with. A number that is not here is an end.
var classes = map[string]string{
	"1": "strong", "2": "faint", "4": "line", "31": "red", "32": "green", "33": "yellow", "36": "cyan",
}

// styled makes HTML of what a terminal gets. The styles of fatih/color never nest: each piece
// is begun by its codes and ended by a code that turns them off.
func styled(text string) string {
	var out strings.Builder
	open, at := false, 0
	for _, found := range sequence.FindAllStringSubmatchIndex(text, -1) {
		out.WriteString(html.EscapeString(text[at:found[0]]))
		at = found[1]
		if open {
			out.WriteString("</span>")
			open = false
		}
		var names []string
		for code := range strings.SplitSeq(text[found[2]:found[3]], ";") {
			if name, ok := classes[code]; ok {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			out.WriteString(`<span class="` + strings.Join(names, " ") + `">`)
			open = true
		}
	}
	out.WriteString(html.EscapeString(text[at:]))
	if open {
		out.WriteString("</span>")
	}
	return out.String()
}

// terminal is a page that looks as a terminal after a command. It brings its font, because a
// browser without the machine's fonts has none of fixed width.
func terminal(command string, text []byte) []byte {
	const style = `<!doctype html><meta charset="utf-8"><style>
@font-face { font-family: mono; src: url(data:font/ttf;base64,%s); }
@font-face { font-family: mono; font-weight: bold; src: url(data:font/ttf;base64,%s); }
body { margin: 0; background: #16181d; color: #d8dbe2; }
pre { margin: 0; padding: 14px 18px; font: 15px/1.3 mono; }
.strong { font-weight: bold; } .faint { color: #8a90a0; } .line { text-decoration: underline; }
.red { color: #ff6b6b; } .green { color: #7bd88f; } .yellow { color: #f2c94c; } .cyan { color: #5ccfe6; }
</style>`
	page := fmt.Sprintf(style, base64.StdEncoding.EncodeToString(gomono.TTF),
		base64.StdEncoding.EncodeToString(gomonobold.TTF))
	return []byte(page + `<pre><span class="green">$</span> ` +
		html.EscapeString(command) + "\n" + styled(string(text)) + "</pre>\n")
}
