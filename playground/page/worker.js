// Runs headroom beside the page. The page's policy holds here too, and `base` is the page's folder.
'use strict';
importScripts(base + 'wasm_exec.js');

// The program calls ready when it can judge.
self.ready = judge => {
  self.onmessage = ({data}) => judge(data.text, data.columns, answer => self.postMessage({...JSON.parse(answer), id: data.id}));
  self.postMessage({ready: true});
};

(async () => {
  // The file is compressed, whatever the server makes of it.
  const packed = await fetch(base + 'headroom.bin');
  if (!packed.ok) throw new Error(`headroom.bin: ${packed.status}`);
  const program = new Response(packed.body.pipeThrough(new DecompressionStream('gzip')), {headers: {'Content-Type': 'application/wasm'}});
  const go = new Go();
  go.env = {GOGC: 'off', GOMEMLIMIT: '256MiB'}; // memory is freed when there is that much, and not while the first finding waits
  const {instance} = await WebAssembly.instantiateStreaming(program, go.importObject);
  await go.run(instance);
  throw new Error('headroom ended');
})().catch(cause => self.postMessage({broken: String(cause)}));
