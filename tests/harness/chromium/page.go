package chromium

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// Page is one tab.
type Page struct {
	browser *Browser
	session string

	mutex    sync.Mutex
	complain []string
	requests []string
	loaded   chan struct{}
}

// Open loads a page into a new tab of a size in pixels, and waits until it has loaded.
func (b *Browser) Open(url string, width, height int, dark bool) (*Page, error) {
	var target struct{ TargetID string }
	if err := b.into(&target, "", "Target.createTarget", map[string]any{"url": "about:blank"}); err != nil {
		return nil, err
	}
	var attached struct{ SessionID string }
	err := b.into(&attached, "", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	if err != nil {
		return nil, err
	}
	p := &Page{browser: b, session: attached.SessionID, loaded: make(chan struct{}, 16)}
	b.mutex.Lock()
	b.pages[p.session] = p
	b.mutex.Unlock()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	for _, step := range []struct {
		method string
		params map[string]any
	}{
		{"Page.enable", nil},
		{"Runtime.enable", nil},
		{"Log.enable", nil},
		{"Network.enable", nil},
		{"Emulation.setDeviceMetricsOverride", map[string]any{
			"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
		}},
		{"Emulation.setEmulatedMedia", map[string]any{
			"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}},
		}},
	} {
		if _, err := p.call(step.method, step.params); err != nil {
			return nil, err
		}
	}
	return p, p.Go(url)
}

// Go loads another address into the tab. One that differs in its hash alone loads nothing anew.
func (p *Page) Go(url string) error {
	var moved struct{ ErrorText, LoaderID string }
	if err := p.into(&moved, "Page.navigate", map[string]any{"url": url}); err != nil {
		return err
	}
	if moved.ErrorText != "" {
		return fmt.Errorf("open %s: %s", url, moved.ErrorText)
	}
	if moved.LoaderID != "" {
		select {
		case <-p.loaded:
		case <-p.browser.gone:
			return p.browser.closed
		}
	}
	return nil
}

// Value is what an expression gives in the page; promises are awaited.
func Value[T any](t testing.TB, p *Page, expression string) T {
	t.Helper()
	var value T
	if err := p.Eval(expression, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// Eval runs an expression in the page; promises are awaited.
func (p *Page) Eval(expression string, into any) error {
	var out struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := p.into(&out, "Runtime.evaluate", map[string]any{
		"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
	})
	if err != nil {
		return err
	}
	if e := out.ExceptionDetails; e != nil {
		return fmt.Errorf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	if into == nil || out.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(out.Result.Value, into)
}

// DOM is the document as it stands.
func (p *Page) DOM() (string, error) {
	var text string
	err := p.Eval("document.documentElement.outerHTML", &text)
	return text, err
}

// Key presses a key that types nothing: Tab, Enter.
func (p *Page) Key(name string, code int) error {
	text := ""
	if name == "Enter" {
		text = "\r"
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := map[string]any{"type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code}
		if kind == "keyDown" && text != "" {
			params["text"] = text
		}
		if _, err := p.call("Input.dispatchKeyEvent", params); err != nil {
			return err
		}
	}
	return nil
}

// NoScripts lets no script run in what is loaded next.
func (p *Page) NoScripts() error {
	_, err := p.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
	return err
}

// Media makes the page look as on another medium: screen or print.
func (p *Page) Media(name string) error {
	_, err := p.call("Emulation.setEmulatedMedia", map[string]any{"media": name})
	return err
}

// Screenshot is a PNG of what the tab shows.
func (p *Page) Screenshot() ([]byte, error) {
	return p.data("Page.captureScreenshot", map[string]any{"format": "png"})
}

// PDF is the page on paper.
func (p *Page) PDF() ([]byte, error) {
	return p.data("Page.printToPDF", map[string]any{"printBackground": false})
}

func (p *Page) data(method string, params map[string]any) ([]byte, error) {
	var out struct{ Data []byte }
	err := p.into(&out, method, params)
	return out.Data, err
}

// Complaints are what the console was told, thrown errors and violations of the page's policy.
func (p *Page) Complaints() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]string(nil), p.complain...)
}

// Requests are the addresses that the page asked for, itself among them.
func (p *Page) Requests() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return append([]string(nil), p.requests...)
}

func (p *Page) event(method string, params json.RawMessage) {
	var e struct {
		Request          struct{ URL string }
		Entry            struct{ Level, Text, URL string }
		Type             string
		Args             []struct{ Value any }
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if json.Unmarshal(params, &e) != nil {
		return // an event of another shape
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch method {
	case "Network.requestWillBeSent":
		p.requests = append(p.requests, e.Request.URL)
	case "Log.entryAdded":
		p.complain = append(p.complain, strings.TrimSpace(e.Entry.Level+": "+e.Entry.Text+" "+e.Entry.URL))
	case "Runtime.consoleAPICalled":
		p.complain = append(p.complain, fmt.Sprint("console.", e.Type, ": ", e.Args))
	case "Runtime.exceptionThrown":
		p.complain = append(p.complain, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case "Page.loadEventFired":
		select {
		case p.loaded <- struct{}{}:
		default: // no caller waits
		}
	}
}

func (p *Page) call(method string, params map[string]any) (json.RawMessage, error) {
	return p.browser.call(p.session, method, params)
}

func (p *Page) into(out any, method string, params map[string]any) error {
	return p.browser.into(out, p.session, method, params)
}

func (b *Browser) into(out any, session, method string, params map[string]any) error {
	result, err := b.call(session, method, params)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(result, out); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}
