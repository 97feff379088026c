package docs

import (
	"path"
	"strings"
	"testing"
)

// TestSiteNamesPages: each page is in the site's table of pages, those of rules and decisions by their lists.
func TestSiteNamesPages(t *testing.T) {
	files := tracked(t)
	_, nav, found := strings.Cut(files["packaging/site/mkdocs.yml"], "\nnav:\n")
	if !found {
		t.Fatal("the site has no table of pages")
	}
	for file := range files {
		page, is := strings.CutPrefix(file, "docs/")
		if !is || path.Ext(page) != ".md" {
			continue
		}
		if folder := path.Dir(page); (folder == "rules" || folder == "decisions") && path.Base(page) != "README.md" {
			continue
		}
		if !strings.Contains(nav, "- "+page+"\n") {
			t.Errorf("packaging/site/mkdocs.yml does not name %s", page)
		}
	}
}
