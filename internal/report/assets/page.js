// What a page without its script lacks: any operation by its address
// (#op=…), dots to choose, arrow keys in the matrix.
(() => {
  const byId = id => document.getElementById(id);
  const dialog = byId("operation");
  document.documentElement.classList.add("scripted");

  // Unpacking: see pack.go.
  let packed, places;
  function operations() {
    if (!packed) {
      packed = JSON.parse(byId("operations").textContent);
      places = new Map();
      packed.series.forEach((s, series) => s.ops.forEach((o, at) => places.set(s.prefix + o[0], {series, at})));
    }
    return packed;
  }

  function record({series, at}) {
    const {texts} = operations(), s = packed.series[series], [rest, shape, set, promise, outcome, duration, reasons, ...gaps] = s.ops[at];
    return {op: s.prefix + rest, series: s, promise: texts[promise], outcome: texts[outcome], duration: duration / 100, reasons: texts[reasons], shape, set, gaps};
  }

  function chartOf(r) {
    const {texts, kinds, marks, shapes, sets} = operations();
    let sum = 0, next = 1;
    const moments = r.gaps.map(gap => (sum += gap) / 100), [endAt, ...lanes] = shapes[r.shape], set = sets[r.set];
    const words = () => { const t = texts[set[next++]]; return t ? t.split("\n") : []; };
    const end = moments[endAt];
    return {end, ticks: ticks(end), deadline: r.series.budget, blocks: [{
      op: r.op, label: r.series.label, variant: r.series.variant, promise: r.promise, headline: texts[set[0]],
      lanes: lanes.map(([name, bars, lineMarks]) => ({
        name: texts[name],
        bars: bars.map(([kind, from, to, open]) => ({kind: kinds[kind], from: moments[from], to: moments[to], open: !!open, labels: words(), beside: words()})),
        marks: lineMarks.map(([kind, at]) => ({kind: marks[kind], at: moments[at], label: texts[set[next++]]})),
      })),
    }]};
  }

  // ticks are at most twelve round steps from 0, as in axis.go.
  function ticks(end) {
    let step = 10 ** Math.floor(Math.log10(end));
    step *= [0.1, 0.2, 0.5, 1].find(part => end / (step * part) <= 12) ?? 1;
    const list = [];
    for (let i = 0; i * step <= end; i++) list.push(Math.round(i * step * 1e6) / 1e6);
    return list;
  }

  // The operation that the address names.
  let order = [], shown = "";
  function open(op) {
    operations();
    const place = places.get(op);
    if (!place) return;
    const r = record(place), s = r.series, chart = chartOf(r), block = chart.blocks[0];
    shown = op;
    byId("operation-name").textContent = `${s.scenario}: ${s.label === s.variant ? s.variant : s.label + " " + s.variant}`;
    byId("operation-facts").textContent = `${op}: ${block.headline}${r.reasons ? ". Not counted: " + r.reasons : ""}`;
    byId("operation-picture").replaceChildren(Timeline.draw(chart, {title: "Timeline of " + op + "; the table below names every moment"}));
    fillMoments(block);
    fillChoice(place.series, op);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  }

  function fillMoments(block) {
    const rows = [];
    let lane = "";
    for (const l of block.lanes) {
      lane = l.name || lane;
      for (const m of l.marks) rows.push([m.at, lane, Timeline.markText(m)]);
    }
    rows.sort((a, b) => a[0] - b[0]);
    byId("operation-moments").tBodies[0].replaceChildren(...rows.map(([at, ...rest]) => {
      const tr = document.createElement("tr");
      for (const text of [at.toFixed(2), ...rest]) tr.insertCell().textContent = text;
      tr.cells[0].className = "n";
      return tr;
    }));
  }

  function fillChoice(series, op) {
    const s = packed.series[series];
    order = s.ops.map(o => ({op: s.prefix + o[0], text: `${(o[5] / 100).toFixed(2)} ms, ${packed.texts[o[4]] || "not finished"}`, duration: o[5]})).sort((a, b) => a.duration - b.duration);
    byId("operation-choice").replaceChildren(...order.map((o, i) => new Option(`${i + 1} of ${order.length}: ${o.text}`, o.op, false, o.op === op)));
    const at = order.findIndex(o => o.op === op);
    byId("operation-faster").disabled = at <= 0;
    byId("operation-slower").disabled = at >= order.length - 1;
    byId("operation-typical").disabled = op === s.typical;
    byId("operation-typical").dataset.op = s.typical;
  }

  const go = op => { location.hash = "op=" + op; };
  const step = by => { const o = order[order.findIndex(o => o.op === shown) + by]; if (o) go(o.op); };
  byId("operation-faster").addEventListener("click", () => step(-1));
  byId("operation-slower").addEventListener("click", () => step(1));
  byId("operation-typical").addEventListener("click", e => go(e.target.dataset.op));
  byId("operation-choice").addEventListener("change", e => go(e.target.value));
  dialog.addEventListener("keydown", e => {
    if (e.target.tagName === "SELECT" || e.target.id === "operation-picture") return;
    if (e.key === "ArrowLeft") step(-1);
    if (e.key === "ArrowRight") step(1);
  });
  dialog.addEventListener("close", () => {
    if (location.hash.startsWith("#op=")) history.replaceState(null, "", location.pathname + location.search);
  });
  function follow() {
    if (location.hash.startsWith("#op=")) open(decodeURIComponent(location.hash.slice(4)));
    else if (dialog.open) dialog.close();
  }
  addEventListener("hashchange", follow);

  // Dots: the nearest one within reach of the pointer.
  const tip = byId("tip");
  function nearest(svg, event) {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let best = null, least = 12 ** 2;
    for (const path of svg.querySelectorAll("path[data-series]")) {
      path.points ??= [...path.getAttribute("d").matchAll(/M([\d.-]+) ([\d.-]+)/g)].map(m => [+m[1], +m[2]]);
      path.points.forEach(([x, y], i) => {
        const far = (x - p.x) ** 2 + (y - p.y) ** 2;
        if (far < least) [least, best] = [far, {series: +path.dataset.series, at: +path.dataset.first + i}];
      });
    }
    return best;
  }
  for (const svg of document.querySelectorAll(".strip svg")) {
    svg.addEventListener("click", e => {
      const place = nearest(svg, e);
      if (place) { operations(); go(record(place).op); }
    });
    svg.addEventListener("mousemove", e => {
      const place = nearest(svg, e);
      tip.hidden = !place;
      if (!place) return;
      operations();
      const r = record(place);
      tip.textContent = `${r.op}: ${Timeline.hundredths(r.duration)} ms, ${r.outcome || "not finished"}${r.reasons ? ", not counted: " + r.reasons : ""}`;
      tip.style.left = Math.min(e.pageX + 14, innerWidth - tip.offsetWidth - 10) + "px";
      tip.style.top = e.pageY + 16 + "px";
    });
    svg.addEventListener("mouseleave", () => { tip.hidden = true; });
  }

  // Arrow keys walk over the matrix.
  const matrix = document.querySelector(".matrix");
  matrix?.addEventListener("keydown", e => {
    const move = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[e.key], cell = e.target.closest("td");
    if (!move || !cell) return;
    e.preventDefault();
    let row = cell.parentElement.rowIndex, column = cell.cellIndex, link;
    do {
      row += move[0];
      column += move[1];
      const line = matrix.rows[row], next = line?.cells[column];
      if (line?.className === "rung") continue;
      if (!next || next.tagName === "TH" || !next.closest("tbody")) return;
      link = next.querySelector("a");
    } while (!link);
    link.focus();
  });

  follow();
})();
