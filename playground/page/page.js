'use strict';
const at = id => document.getElementById(id);
const manifest = at('manifest'), numbers = at('numbers'), status = at('status');

// A worker made from a blob has the policy of this page: it can load from here alone.
const base = new URL('.', location).href;
const start = `const base = ${JSON.stringify(base)}; importScripts(base + 'worker.js');`;
const worker = new Worker(URL.createObjectURL(new Blob([start], {type: 'text/javascript'})));

let ready = false, last = 0, fixed = '', timer;

function ask() {
  if (!ready) return;
  const width = at('findings').clientWidth || at('explain').clientWidth || at('fixed').clientWidth;
  const columns = Math.max(40, Math.min(140, Math.floor((width - 30) / 8)));
  worker.postMessage({id: ++last, text: manifest.value, columns});
}

function element(name, attributes, ...inside) {
  const e = Object.assign(document.createElement(name), attributes);
  e.append(...inside);
  return e;
}

// lineButton leads to a line of the manifest.
function lineButton(line) {
  const b = element('button', {type: 'button', className: 'line'}, `line ${line}`);
  b.onclick = () => {
    const lines = manifest.value.split('\n');
    const from = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    manifest.focus();
    manifest.setSelectionRange(from, from + (lines[line - 1] || '').length);
    manifest.scrollTop = Math.max(0, (line - 4) * manifest.scrollHeight / lines.length);
  };
  return b;
}

function lines(places) {
  return [...new Set(places.map(p => p.line))].filter(Boolean).map(lineButton);
}

// flags are the pieces of a text in which no line is broken behind a flag's hyphen.
function flags(text) {
  return text.split(' ').flatMap((word, i) => [i ? ' ' : '',
    /^\(?-/.test(word) ? element('span', {className: 'flag'}, word) : word]);
}

function finding(f) {
  const a = element('article', {},
    element('span', {className: 'sev ' + f.severity}, f.severity), element('h3', {}, f.slug),
    element('a', {href: `../rules/${f.rule}/`}, f.rule), ' ', ...lines(f.places),
    element('p', {className: 'dim'}, f.where), element('p', {}, ...flags(f.what)));
  if (f.do) a.append(element('p', {}, element('strong', {}, 'Wanted: '), ...flags(f.do)));
  return a;
}

function problem(p) {
  return element('article', {}, element('span', {className: 'sev error'}, 'not read'), ' ', ...lines([p]),
    element('p', {}, p.message));
}

function diffLine(text) {
  const kinds = {'+': 'plus', '-': 'minus', '@': 'place'};
  return element('span', {className: kinds[text[0]] || ''}, text || ' ');
}

function show(answer) {
  at('findings').replaceChildren(...answer.problems.map(problem), ...answer.findings.map(finding));
  number(new Set(answer.problems.map(p => p.line)));
  status.textContent = answer.summary;
  if (answer.done) showRest(answer);
  document.body.dataset.done = answer.done && ready; // for tests
}

function showRest(answer) {
  fixed = answer.fixed;
  at('explain').firstElementChild.textContent = answer.explain || 'There is nothing to explain: no workload was read.';
  at('told').replaceChildren(...answer.told.map(text => element('li', {}, text)));
  at('diff').replaceChildren(...(answer.diff ? answer.diff.replace(/\n$/, '').split('\n').map(diffLine)
    : ['headroom changes nothing here by itself.']));
  at('take').hidden = !answer.diff;
}

function number(wrong) {
  const count = manifest.value.split('\n').length, rows = [];
  for (let line = 1; line <= count; line++) {
    rows.push(wrong.has(line) ? element('span', {className: 'wrong'}, `${line}`) : `${line}`, '\n');
  }
  numbers.replaceChildren(...rows);
  numbers.scrollTop = manifest.scrollTop;
}

worker.onmessage = ({data}) => {
  if (data.broken) {
    status.textContent = `headroom does not run in this browser (${data.broken}).`;
  } else if (data.ready) {
    ready = true;
    ask();
  } else if (data.id === last) { // an older answer is of another text
    show(data);
  }
};
worker.onerror = event => { status.textContent = `headroom does not run in this browser (${event.message}).`; };

function changed() {
  number(new Set());
  clearTimeout(timer);
  timer = setTimeout(ask, 200);
}
manifest.addEventListener('input', changed);
manifest.addEventListener('scroll', () => { numbers.scrollTop = manifest.scrollTop; });
let width = innerWidth;
addEventListener('resize', () => { if (width !== innerWidth) { width = innerWidth; changed(); } });

async function example() {
  const chosen = at('example').value, file = 'examples/' + chosen;
  const answer = await fetch(file);
  if (chosen !== at('example').value) return;
  const text = manifest.value = answer.ok ? await answer.text() : '';
  number(new Set());
  ask();
  if (ready) return;
  // What headroom says of an example was written down, for as long as it loads.
  const written = await fetch(file + '.json');
  if (written.ok && !ready && manifest.value === text) show(await written.json());
}
at('example').addEventListener('change', example);
at('take').addEventListener('click', () => { manifest.value = fixed; number(new Set()); ask(); });

const tabs = [...document.querySelectorAll('[role=tab]')];
function choose(tab) {
  for (const t of tabs) {
    const chosen = t === tab;
    t.setAttribute('aria-selected', chosen);
    t.tabIndex = chosen ? 0 : -1;
    at(t.getAttribute('aria-controls')).hidden = !chosen;
  }
}
tabs.forEach((tab, i) => {
  tab.onclick = () => choose(tab);
  tab.onkeydown = event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) return;
    const next = tabs[(i + step + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  };
});
example();
