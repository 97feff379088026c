//go:build js && wasm

// Command playground is headroom for a browser's page: compiled to WebAssembly, it judges the text that the page
// hands it. It asks nothing of anybody, and there are no files and no network.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/headroom-dev/headroom/playground/judge"
	"github.com/headroom-dev/headroom/policies/engine"
)

func main() {
	ctx := context.Background()
	e, err := engine.New(ctx, engine.Options{})
	js.Global().Call("ready", js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		text, columns, answer := arguments[0].String(), arguments[1].Int(), arguments[2]
		show := func(a judge.Answer) {
			out, _ := json.Marshal(a) // texts and numbers alone
			answer.Invoke(string(out))
		}
		if err != nil {
			show(judge.Answer{Done: true, Problems: []judge.Problem{{Message: err.Error()}}})
			return nil
		}
		go judge.Text(ctx, e, text, columns, show) // lint waits for its workers, which a callback of the browser must not
		return nil
	}))
	select {}
}
