// card is one workload: a line that tells the worst, and everything below it.
function tallied(w) {
  const n = { error: 0, warning: 0, info: 0 };
  for (const f of w.x || []) n[Object.hasOwn(n, f.s) ? f.s : 'info'] += (f.c || [0]).length;
  return n;
}

// pains are what hurts, each with how loud it is said.
function pains(w) {
  const list = [];
  if (w.kills) list.push(['pain', count(w.kills, 'OOM kill')]);
  if (w.thr >= 0.05) list.push(['ache', count(Math.round(w.thr * 10) / 10, 'core') + ' throttled']);
  if (w.left <= 0) list.push(['pain', 'no memory headroom']);
  else if (w.left < 0.2) list.push(['ache', Math.floor(w.left * 1000) / 10 + ' % memory headroom']);
  return list;
}

function verdict(p) {
  if (!p) return '';
  const words = [];
  if (p.r) words.push('refused');
  else if (p.w) words.push('warned about');
  if (p.c) words.push('changed');
  return words.length ? 'would be ' + words.join(' and ') : '';
}

function where(w) {
  const at = T[w.f || 0] ? T[w.f] + (w.l ? ':' + w.l : '') : '';
  const classes = [...new Set((w.c || []).map((c) => T[c.cl]))];
  return [T[w.k], T[w.ns] && 'in ' + T[w.ns], at, w.r ? count(w.r, 'replica') : '', classes.join(', ')]
    .filter((s) => s).join(' · ');
}

const bodies = new WeakMap();

function card(w, open) {
  const n = tallied(w);
  const marks = pains(w).map(([loud, text]) => el('span', { class: 'mark ' + loud }, text));
  const preview = verdict(w.p);
  if (preview) marks.push(el('span', { class: 'mark' + (w.p.r ? ' error' : '') }, preview));
  for (const s of SEVERITIES) if (n[s] && (s !== 'info' || data.infos)) marks.push(el('span', { class: 'mark ' + s }, count(n[s], s)));
  if (w.ex) marks.push(el('span', { class: 'mark' }, w.ex + ' exempted'));
  if (!marks.length) marks.push(el('span', { class: 'mark fine' }, 'no findings'));
  const details = el('details', { class: 'workload' },
    el('summary', null,
      el('div', { class: 'title' }, el('h3', null, T[w.n] || T[w.k]), el('span', { class: 'dim' }, where(w))),
      el('div', { class: 'marks' }, marks)));
  const fill = () => {
    if (details.childElementCount === 1) details.append(body(w));
  };
  bodies.set(details, fill);
  details.addEventListener('toggle', () => details.open && fill());
  if (open) {
    fill();
    details.open = true;
  }
  return el('li', null, details);
}

function body(w) {
  const quiet = data.infos ? [] : (w.x || []).filter((f) => f.s === 'info');
  const loud = (w.x || []).filter((f) => !quiet.includes(f));
  return el('div', { class: 'body' }, loud.length ? findings(loud) : '',
    quiet.length ? el('details', { class: 'infos' },
      el('summary', null, count(tallied({ x: quiet }).info, 'info')), findings(quiet)) : '',
    w.p ? preview(w.p) : '', (w.c || []).map(container));
}

function findings(list) {
  return el('table', { class: 'findings' },
    head('Severity', 'Rule', 'Container', 'What is wrong', 'What would be right'),
    el('tbody', null, list.map((f) => row(severityMark(f.s), ruleLink(f.r),
      (f.c || []).map((c) => T[c]).filter((c) => c).join(', '), flags(T[f.m]),
      [flags(T[f.e || 0]), f.fix ? ' (auto-fixable)' : '']))));
}

// preview names the rules; what they say stands in the table of findings.
function preview(p) {
  const name = (f) => f.r + (f.c ? ' (' + T[f.c] + ')' : '');
  const what = (old, now) => (!now ? old + ' is removed' : !old ? now + ' is added' : old + ' becomes ' + now);
  const change = (c) => el('li', null, [c.r, T[c.c || 0]].filter((s) => s).join(', ') + ': ',
    el('code', null, T[c.p]), ': ', what(T[c.o || 0], T[c.n || 0]));
  return [el('h4', null, 'If ' + data.mode + ' were switched on now'), el('ul', null,
    p.r && el('li', null, 'refused for ' + p.r.map(name).join(', ')),
    p.c && el('li', null, 'changed in its Pods:', el('ul', null, p.c.map(change))),
    p.w && el('li', null, 'warned about ' + p.w.map(name).join(', ')))];
}

function container(c) {
  const parts = [el('h4', null, 'Container ' + T[c.n], el('span', { class: 'dim' }, ': ' + T[c.cl])),
    c.w ? el('div', { class: 'why' }, T[c.w]) : ''];
  const memory = c.b ? budgetFigure(c, c.b, c.mem) : c.mem && memoryFigure(c, c.mem);
  const right = [c.cpu && cpuFigure(c, c.cpu)];
  if (c.m) {
    right.push(el('figure', { class: 'measured' }, el('figcaption', null, el('b', null, 'Measured')),
      el('dl', { class: 'facts' }, c.m.map(([what, much]) => [el('dt', null, T[what]), el('dd', null, T[much])]))));
  }
  const beside = append(el('div'), right);
  return el('div', { class: 'container' }, parts,
    el('div', { class: 'figures' }, memory, beside.childElementCount ? beside : ''));
}
