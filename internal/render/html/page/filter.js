// The filter lives in the URL's hash, #namespace=shop&rule=HR202, so that a link shows what its sender saw.
const KEYS = ['namespace', 'file', 'class', 'rule', 'severity', 'preview', 'q'];
const PREVIEWS = {
  refused: (p) => p.r, changed: (p) => p.c, warned: (p) => p.w && !p.r, untouched: (p) => !p.r && !p.c && !p.w,
};

function readHash() {
  const wanted = {};
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
    if (KEYS.includes(key) && value !== '') wanted[key] = value;
  }
  return wanted;
}

function writeHash(wanted) {
  const parameters = new URLSearchParams();
  for (const key of KEYS) if (wanted[key]) parameters.set(key, wanted[key]);
  const text = String(parameters);
  try {
    history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
  } catch {
    // A page within a page may not change its address. The filter works all the same.
  }
}

// facets are what can be chosen, with how many workloads each has.
function facets() {
  const found = {};
  for (const key of KEYS) found[key] = new Map();
  const add = (facet, values) => {
    for (const value of new Set(values)) if (value) found[facet].set(value, (found[facet].get(value) || 0) + 1);
  };
  for (const w of data.workloads) {
    add('namespace', [T[w.ns]]);
    add('file', [T[w.f || 0]]);
    add('class', (w.c || []).map((c) => T[c.cl]));
    add('rule', (w.x || []).map((f) => f.r));
    add('severity', (w.x || []).map((f) => f.s));
    if (data.mode) add('preview', Object.keys(PREVIEWS).filter((name) => PREVIEWS[name](w.p || {})));
  }
  return found;
}

function matches(w, wanted, text) {
  if (wanted.namespace && T[w.ns] !== wanted.namespace) return false;
  if (wanted.file && T[w.f || 0] !== wanted.file) return false;
  if (wanted.class && !(w.c || []).some((c) => T[c.cl] === wanted.class)) return false;
  if ((wanted.rule || wanted.severity) && !(w.x || []).some((f) =>
    (!wanted.rule || f.r === wanted.rule) && (!wanted.severity || f.s === wanted.severity))) return false;
  if (wanted.preview && !(Object.hasOwn(PREVIEWS, wanted.preview) && PREVIEWS[wanted.preview](w.p || {}))) return false;
  return !text || text(w);
}

// searcher looks a word up once in every text, and then only for numbers of texts.
function searcher(q) {
  const words = q.toLowerCase().split(/\s+/).filter((word) => word);
  const lower = searcher.lower || (searcher.lower = T.map((t) => t.toLowerCase()));
  const tests = words.map((word) => {
    const hit = lower.map((t) => t.includes(word));
    const rule = (id) => [id, ...ruleOf(id).slice(0, 2)].some((s) => s.toLowerCase().includes(word));
    return (w) => hit[w.k] || hit[w.ns] || hit[w.n] || hit[w.f || 0] ||
      (w.c || []).some((c) => hit[c.n] || hit[c.cl] || hit[c.w || 0]) ||
      (w.x || []).some((f) => hit[f.m] || hit[f.e || 0] || rule(f.r));
  });
  return (w) => tests.every((test) => test(w));
}

// options fills a select.
function options(select, values) {
  const names = [...values.keys()].sort();
  const order = { severity: SEVERITIES, preview: Object.keys(PREVIEWS) }[select.name];
  if (order) names.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const list = [el('option', { value: '' }, 'all')];
  for (const name of names) list.push(el('option', { value: name }, name + ' (' + grouped(values.get(name)) + ')'));
  select.replaceChildren(...list);
}

// choose shows a value, even one that the page does not have: it finds nothing, and says so.
function choose(field, value) {
  if (field.tagName === 'SELECT' && value && ![...field.options].some((option) => option.value === value)) {
    field.append(el('option', { value }, value + ' (0)'));
  }
  if (field.value !== value) field.value = value;
}
