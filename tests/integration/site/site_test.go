//go:build integration

// Package site looks at the pages of docs/, as make site builds them, in a real Chromium.
package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/chromium"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// search types words into the field and waits for answers; they are addresses, a line each.
const search = `new Promise((done) => {
	document.querySelector('#__search').click();
	const field = document.querySelector('input.md-search__input');
	field.focus();
	field.value = 'WORDS';
	field.dispatchEvent(new Event('keyup'));
	let tries = 0;
	const look = () => {
		const found = [...document.querySelectorAll('a.md-search-result__link')].map((a) => a.getAttribute('href'));
		if (found.length > 0 || ++tries > 600) done(found.join('\n'));
		else setTimeout(look, 100);
	};
	look();
})`

func TestSearch(t *testing.T) {
	program := repo.Path(".tools", "site", "bin", "mkdocs")
	if _, err := os.Stat(program); err != nil {
		t.Skip("the pages are not looked at: make site-tools installs what builds them, which needs a Python")
	}
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), program, "build", "--quiet",
		"--config-file", repo.Path("packaging", "site", "mkdocs.yml"), "--site-dir", dir)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	browser, err := chromium.Start(t.Context(), repo.Path(".tools", "browser", "chromium"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := browser.Close(); err != nil {
			t.Error(err)
		}
	}()
	for words, page := range map[string]string{
		"HR303":               "/rules/HR303/",
		"UseContainerSupport": "/rules/HR401/",
		"break glass":         "/break-glass/",
	} {
		p, err := browser.Open(server.URL+"/", 1280, 900, false)
		if err != nil {
			t.Fatal(err)
		}
		if found := chromium.Value[string](t, p, strings.ReplaceAll(search, "WORDS", words)); !strings.Contains(found, page) {
			t.Errorf("%s: %s is not among what the search finds:\n%s", words, page, found)
		}
		for _, asked := range p.Requests() {
			if !strings.HasPrefix(asked, server.URL+"/") && !strings.HasPrefix(asked, "data:") {
				t.Errorf("%s: the page asks %s", words, asked)
			}
		}
		if said := p.Complaints(); len(said) > 0 {
			t.Errorf("%s: %s", words, said)
		}
	}
}
