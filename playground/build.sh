#!/bin/sh
# Makes the playground in a folder: a page, headroom as WebAssembly, and the samples. Any server of files serves it.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
out=${1:?the folder to make it in}

mkdir -p "$out/examples/wrong"
out=$(CDPATH='' cd -- "$out" && pwd)
cd "$here/.."
# lean: without a library that checks configs, which takes a quarter of the start. No page has a config.
GOOS=js GOARCH=wasm CGO_ENABLED=0 go build -trimpath -tags lean -ldflags "-s -w" -o "$out/headroom.wasm" ./playground
gzip -9 -n -c "$out/headroom.wasm" >"$out/headroom.bin" # no server takes the name for one that it unpacks itself
rm "$out/headroom.wasm"
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" internal/webpage/base.css playground/page/* "$out/"
cp samples/*.yaml "$out/examples/"
cp samples/wrong/*.yaml "$out/examples/wrong/"
go run -trimpath ./playground/answers "$out"/examples/*.yaml "$out"/examples/wrong/*.yaml
