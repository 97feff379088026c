// Everything on the page is made of elements and text nodes: a name that looks like markup is shown as it is.
const data = JSON.parse(document.getElementById('data').textContent);
const T = data.texts;
const SEVERITIES = ['error', 'warning', 'info'];

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== '' && child !== false) node.append(child);
  }
  return node;
}

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  return append(node, children);
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return append(node, children);
}

const isCell = (node) => node instanceof Element && /^T[DH]$/.test(node.tagName);
const row = (...cells) => el('tr', null, cells.map((cell) => (isCell(cell) ? cell : el('td', null, cell))));
const named = (...children) => el('th', { scope: 'row' }, children);
const head = (...names) => el('thead', null, el('tr', null, names.map((name) =>
  el('th', { scope: 'col', class: name.startsWith('#') ? 'n' : null }, name.replace(/^#/, '')))));
const number = (text) => el('td', { class: 'n' }, text);

// grouped writes 12345.6 as 12 345.6, with narrow blanks.
const grouped = (n) => {
  const [whole, part] = String(Math.round(n * 10) / 10).split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') + (part ? '.' + part : '');
};
const count = (n, noun) => grouped(n) + ' ' + noun + (n === 1 ? '' : 's');
const mib = (n) => grouped(n) + ' MiB';
const cores = (milli) => (milli === 0 ? 'none' : Math.round(milli) / 1000 + (milli === 1000 ? ' core' : ' cores'));
const share = (part, whole) => Math.floor(part / whole * 1000 + 1e-6) / 10 + ' %';

// flags keeps -XX:Flag=value in one piece: a line may not end after its first sign.
const flags = (text) => text.split(/(\s+)/)
  .map((word) => (/^\(?-./.test(word) ? el('span', { class: 'flag' }, word) : word));

const ruleOf = (id) => (Object.hasOwn(data.rules, id) ? data.rules[id] : ['', '', '']);

function ruleLink(id) {
  const [slug, title, link] = ruleOf(id);
  const name = link ? el('a', { href: link, rel: 'noreferrer', title: title || null }, id) : id;
  return el('td', { class: 'rule' }, name, slug ? el('small', null, slug) : '');
}

const severityMark = (severity) => el('span', {
  class: 'sev ' + (SEVERITIES.includes(severity) ? severity : 'info'),
}, severity);
