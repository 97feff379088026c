const PAGE = 50; // workloads and rows that are shown at once
const form = document.getElementById('filter');
const list = document.getElementById('list');
const statusLine = document.getElementById('status');
const more = document.getElementById('more');
const known = facets();
let wanted = readHash();
let shown = [];

function showMore() {
  const from = list.childElementCount;
  const open = shown.length <= 3 ? 3 : from === 0 ? 1 : 0;
  list.append(...shown.slice(from, from + PAGE).map((w, i) => card(w, i < open)));
  const rest = shown.length - list.childElementCount;
  more.hidden = rest <= 0;
  more.textContent = 'Show ' + Math.min(PAGE, rest) + ' more (of ' + grouped(rest) + ')';
}

function apply() {
  for (const key of KEYS) {
    const field = form.elements[key];
    choose(field, wanted[key] || '');
    field.closest('label').hidden = field.tagName === 'SELECT' && known[key].size < 2 && !wanted[key];
  }
  const text = wanted.q ? searcher(wanted.q) : null;
  shown = data.workloads.filter((w) => matches(w, wanted, text));
  list.replaceChildren();
  showMore();
  const all = data.workloads.length;
  statusLine.textContent = shown.length === all ? count(all, 'workload') :
    grouped(shown.length) + ' of ' + count(all, 'workload') +
    (shown.length ? '' : ': nothing matches; clear the filter to see all');
}

function want(filter) {
  wanted = filter;
  writeHash(wanted);
  apply();
}

// rows fills a section's table, so many at a time, and shows the section.
function rows(id, items, show) {
  const section = document.getElementById(id);
  if (!items || !items.length) return;
  const body = section.querySelector('tbody');
  const button = section.querySelector('button');
  const step = () => {
    const from = body.childElementCount;
    body.append(...items.slice(from, from + PAGE).map(show));
    const rest = items.length - body.childElementCount;
    button.hidden = rest <= 0;
    button.textContent = 'Show ' + Math.min(PAGE, rest) + ' more (of ' + grouped(rest) + ')';
  };
  button.addEventListener('click', step);
  section.hidden = false;
  step();
}

function sectionRow(s) {
  const state = s.score >= 90 ? 'good' : s.score >= 60 ? 'fair' : 'poor';
  const score = s.score < 0 ? el('span', { class: 'dim' }, 'no containers') : [
    svg('svg', { class: state, viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      svg('rect', { class: 'track', width: 100, height: 10 }),
      svg('rect', { class: 'fill', width: s.score, height: 10 })),
    el('b', null, String(s.score)),
  ];
  const key = data.audit ? 'namespace' : 'file';
  const mode = el('td', { class: 'mode' }, s.mode, s.beside && el('span', null, s.beside));
  return row(
    named(el('a', { 'data-filter': key, 'data-value': s.name, href: '#workloads' }, s.name || '(none)')),
    el('td', { class: 'score' }, score), ...s.cells.map(number), ...(data.audit ? [mode] : []));
}

let typing;
form.addEventListener('input', (event) => {
  const { name, value } = event.target;
  clearTimeout(typing);
  typing = setTimeout(() => want({ ...wanted, [name]: value }), event.target.type === 'search' ? 150 : 0);
});
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', (event) => {
  event.preventDefault();
  want({});
});
more.addEventListener('click', () => {
  const next = list.childElementCount;
  showMore();
  const first = list.children[next];
  if (first) first.querySelector('summary').focus();
});
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-filter]');
  if (!link) return;
  event.preventDefault();
  want({ [link.dataset.filter]: link.dataset.value });
  const section = document.getElementById('workloads');
  section.scrollIntoView();
  section.focus({ preventScroll: true });
});
// #workloads and #missing are places on the page, not filters.
window.addEventListener('hashchange', () => {
  if (document.getElementById(location.hash.slice(1))) return;
  wanted = readHash();
  apply();
});
// On paper everything that is on the screen is open.
window.addEventListener('beforeprint', () => {
  for (const details of list.querySelectorAll('details:not([open])')) {
    bodies.get(details)(); // the toggle event would come too late
    details.open = true;
  }
});

const allSections = document.getElementById('more-sections');
if (allSections) {
  allSections.addEventListener('click', () => {
    document.querySelector('#sections tbody').append(...data.sections.map(sectionRow));
    allSections.hidden = true;
  });
}
rows('exempted', data.exempted, (f) =>
  row(named(T[f.o || 0]), ruleLink(f.r), f.c ? T[f.c[0]] : '', T[f.m], T[f.why || 0]));
rows('skipped', data.skipped, ([what, why]) => row(named(T[what]), T[why]));
for (const field of form.elements) if (field.tagName === 'SELECT') options(field, known[field.name]);
form.hidden = false;
apply();
