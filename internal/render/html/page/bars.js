// Bars are SVG rectangles on a scale of 1000: they print, and need no style attribute.
const TERMS = ['heap', 'metaspace', 'code cache', 'direct', 'stacks', 'native'];

function bar(label, thin, rects) {
  const height = 20;
  return svg('svg', {
    class: 'bar' + (thin ? ' thin' : ''), viewBox: '0 0 1000 ' + height, preserveAspectRatio: 'none',
    role: 'img', 'aria-label': label,
  }, rects.filter((r) => r).map((r) => svg('rect', {
    class: r.class, x: r.x.toFixed(2), width: Math.max(r.width, 0).toFixed(2),
    y: r.y || 0, height: r.height || height,
  })));
}

const tick = (name, at) => ({ class: name, x: Math.min(Math.max(at - 2, 0), 996), width: 4 });

// axis names the places of a scale; a label at its right half ends there.
function axis(marks) {
  return el('div', { class: 'axis', 'aria-hidden': 'true' }, marks.map((m) => {
    const label = el('span', { class: m.class }, m.text);
    if (m.at > 500) label.style.right = (1000 - m.at) / 10 + '%';
    else label.style.left = m.at / 10 + '%';
    return label;
  }));
}

const termClass = (name, i) => 't' + (TERMS.indexOf(name) >= 0 ? TERMS.indexOf(name) : 6 + i % 2);

// budgetFigure stacks the terms of a JVM's memory against its limit.
function budgetFigure(container, b, memory) {
  const peak = memory ? memory.peak : 0;
  const scale = 1000 / Math.max(b.lim, b.tot, peak, 1);
  const rects = [];
  let x = 0;
  b.t.forEach((term, i) => {
    const width = term.v * scale;
    rects.push({ class: 'term ' + termClass(T[term.n], i), x, width });
    if (term.a) rects.push({ class: 'hatched', x, width });
    x += width;
  });
  if (b.lim > 0) rects.push(tick('limit', b.lim * scale));
  if (peak > 0) rects.push({ ...tick('peakline', peak * scale), y: 5, height: 10 });
  const left = b.lim - b.tot;
  const verdict = b.lim <= 0 ? 'no limit' : left < 0 ? 'over the limit by ' + mib(-left) :
    mib(left) + ' of the limit left, ' + share(left, b.lim);
  const label = 'Memory budget of ' + T[container.n] + ': ' + mib(b.tot) + ', limit ' + mib(b.lim) + '; ' + verdict;
  const marks = [{ at: 0, text: '0' }];
  if (b.lim > 0) marks.push({ at: b.lim * scale, text: 'limit ' + mib(b.lim), class: 'at-limit' });
  const ofLimit = (n) => number(b.lim > 0 ? share(n, b.lim) : '');
  const foot = [row(named('total'), number(mib(b.tot)), ofLimit(b.tot), '')];
  if (b.lim > 0) {
    foot.push(row(named('limit'), number(mib(b.lim)), '', ''));
    const last = row(named(left < 0 ? 'over by' : 'left'), number(mib(Math.abs(left))), ofLimit(Math.abs(left)), '');
    if (left < 0) last.className = 'over';
    foot.push(last);
  }
  if (peak > 0) foot.push(row(named('measured peak'), number(mib(peak)), ofLimit(peak), ''));
  return el('figure', { class: 'budget' }, el('figcaption', null, el('b', null, 'JVM memory budget'), ': ', verdict,
    b.ok ? '' : ' (not complete: heap or limit is not known)'),
  bar(label, false, rects), axis(marks),
  el('table', { class: 'key' }, head('Term', '#Amount', '#Of limit', 'From'),
    el('tbody', null, b.t.map((term, i) => row(
      named(el('span', { class: 'swatch ' + termClass(T[term.n], i) + (term.a ? ' assumed' : '') }), T[term.n]),
      number(mib(term.v)), ofLimit(term.v),
      el('td', null, flags(T[term.s]), term.a && !T[term.s].includes('assumed') ?
        el('span', { class: 'assumed-mark' }, (T[term.s] ? ', ' : '') + 'assumed') : '')))),
    el('tfoot', null, foot)));
}

// memoryFigure is for what is no JVM: request, limit and measured peak.
function memoryFigure(container, m) {
  if (!m.req && !m.lim && !m.peak) return null;
  const scale = 1000 / (Math.max(m.req, m.lim, m.peak) * (m.lim ? 1 : 1.15));
  const text = (n, none) => (n > 0 ? mib(n) : none);
  const words = 'request ' + text(m.req, 'none') + ', limit ' + text(m.lim, 'none') +
    ', peak ' + text(m.peak, 'not measured');
  return el('figure', { class: 'memory' }, el('figcaption', null, el('b', null, 'Memory'), ': ', words,
    m.peak > 0 && m.lim > 0 ? ' (' + share(m.peak, m.lim) + ' of the limit)' : ''),
  bar('Memory of ' + T[container.n] + ': ' + words, true, [
    m.peak > 0 && { class: 'average', x: 0, width: m.peak * scale },
    m.req > 0 && tick('request', m.req * scale), m.lim > 0 && tick('limit', m.lim * scale),
  ]), axis(ends(m.req, m.lim, scale)));
}

// ends labels request and limit, as one where they are (nearly) in one place.
function ends(request, limit, scale) {
  if (request > 0 && limit > 0 && Math.abs(request - limit) * scale < 200) {
    return [{ at: limit * scale, text: request === limit ? 'request = limit' : 'request, limit', class: 'at-limit' }];
  }
  return [
    request > 0 && { at: request * scale, text: 'request' },
    limit > 0 && { at: limit * scale, text: 'limit', class: 'at-limit' },
  ].filter((m) => m);
}

// cpuFigure sets what was measured against what was asked for.
function cpuFigure(container, c) {
  const most = Math.max(c.req, c.lim, c.peak, c.avg);
  if (!most) return null;
  const scale = 1000 / (most * (c.lim === most ? 1 : 1.08));
  const wanted = (n) => (n < 0 ? '' : cores(n));
  const average = c.avg > 0 ? cores(c.avg) : 'not measured';
  const label = 'CPU of ' + T[container.n] + ': request ' + cores(c.req) + ', limit ' + cores(c.lim) + ', average ' +
    average + ', peak ' + (c.peak > 0 ? cores(c.peak) : 'not measured');
  const rowOf = (name, asked, seen) => row(named(name), number(seen), number(asked));
  return el('figure', { class: 'cpu' }, el('figcaption', null, el('b', null, 'CPU')),
    bar(label, true, [
      c.peak > 0 && { class: 'peak', x: 0, width: c.peak * scale },
      c.avg > 0 && { class: 'average', x: 0, width: c.avg * scale, y: 4, height: 12 },
      c.req > 0 && tick('request', c.req * scale), c.lim > 0 && tick('limit', c.lim * scale),
    ]), axis(ends(c.req, c.lim, scale)),
    el('table', { class: 'key' }, head('', '#Is', '#Wanted'), el('tbody', null,
      rowOf('request', wanted(c.wreq), cores(c.req)),
      rowOf('limit', wanted(c.wlim), cores(c.lim)),
      rowOf('average', '', average),
      rowOf('peak', '', c.peak > 0 ? cores(c.peak) : 'not measured'))));
}
