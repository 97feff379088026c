package explain

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/webpage"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

//go:embed page
var pageFiles embed.FS

type page struct {
	webpage.Head
	Heading, Place string
	Report         *Report
	Several        bool
}

// pageTemplate is read when a page is first asked for: no other command has a use for it.
var pageTemplate = sync.OnceValues(func() (*template.Template, error) {
	return webpage.Template(pageFiles, template.FuncMap{
		"title": sentences.Title, "place": sentences.Place, "printable": terminal.Printable, "sentence": sentence, "upper": words.UpperFirst,
		"class":   func(e engine.Explanation) string { return class(&e) },
		"bar":     func(e engine.Explanation, free float64) *bar { return barOf(&e, free) },
		"cpu":     func(e engine.Explanation) [][2]string { return cpuLines(&e) },
		"passing": func(e engine.Explanation) [][2]string { return passingLines(&e) },
		"hidden":  func(e engine.Explanation) string { return hidden(&e) },
		"jvm":     jvmLines, "value": resourceValue, "sorted": bySeverity, "yaml": block, "note": flagNote,
		"named": named, "tallied": tallied, "help": help, "picture": picture,
		"cited":  cited,
		"joined": func(list []string) string { return strings.Join(list, "; ") },
		"whatif": func(e engine.Explanation, w *WhatIf, free float64) trialView {
			// The page has a head of its own.
			return trialView{w, barOf(w.Then, free), compared(&e, w.Then)[1:]}
		},
	})
})

// cited is a text in HTML in which each fact that it cites is a link.
func cited(text string) template.HTML {
	return template.HTML(engine.LinkFacts(template.HTMLEscapeString(text), func(fact string) string { //nolint:gosec // escaped
		return `<a href="` + engine.FactURL(fact) + `" rel="noreferrer">` + fact + "</a>"
	}))
}

// trialView is what the page needs of a trial.
type trialView struct {
	W    *WhatIf
	Bar  *bar
	Rows [][3]string
}

// writeHTML makes one page that needs nothing beside it and runs no script: its policy forbids
// it to load anything.
func writeHTML(w io.Writer, r *Report) error {
	templates, err := pageTemplate()
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	style, err := webpage.Style(pageFiles)
	if err != nil {
		return fmt.Errorf("read the page's style: %w", err)
	}
	p := page{Heading: words.Count(len(r.Workloads), "workload") + " explained", Report: r, Several: len(r.Workloads) != 1}
	p.Title = "headroom explain"
	if !p.Several {
		one := &r.Workloads[0]
		p.Heading, p.Place = sentences.Title(one.Resource), sentences.Place(one.File, one.Line)
		p.Title = p.Heading + ", explained"
	}
	p.Style = template.CSS(style) //nolint:gosec // our own file
	p.Policy = webpage.Policy(append([]string{style}, r.pictureStyles()...))
	var out bytes.Buffer
	if err := templates.Execute(&out, p); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// pictureStyles are the styles within the pictures of a page.
func (r *Report) pictureStyles() []string {
	var texts []string
	within := regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	for i := range r.Workloads {
		for j := range r.Workloads[i].Containers {
			for _, t := range r.Workloads[i].Containers[j].timelines() {
				for _, match := range within.FindAllStringSubmatch(string(picture(t)), -1) {
					texts = append(texts, match[1])
				}
			}
		}
	}
	return texts
}

// timelines are those of a container that are drawn.
func (c *Container) timelines() []*Timeline {
	var list []*Timeline
	if c.Timeline != nil && c.Timeline.Missing == "" {
		list = append(list, c.Timeline)
	}
	if c.WhatIf != nil && c.WhatIf.Timeline != nil && c.WhatIf.Timeline.Missing == "" {
		list = append(list, c.WhatIf.Timeline)
	}
	return list
}

// picture is a timeline that stands in the page; package cfs escapes what it draws.
func picture(t *Timeline) template.HTML { return template.HTML(t.SVG()) } //nolint:gosec // see above
