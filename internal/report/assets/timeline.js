"use strict";
// Timeline draws a chart as Go draws it (svg_timeline.go, svg_bar.go): the same
// measures, the same scale, the same classes and data attributes.
const Timeline = (() => {
  const left = 104, right = 112, axisTop = 40, titleHeight = 34, laneHeight = 25, barHeight = 18, blockGap = 12, leastBar = 1.5, letter = 7;
  const hatchGap = 8, leastTextured = 12;
  const thin = {waiting: 6, overdue: 10};
  const words = {waiting: "the caller waits", overdue: "the caller waits, past its deadline", connecting: "waits for a connection",
    writing: "writes the request", requesting: "waits for headers", reading: "reads the body", serving: "works on the request", sending: "sends the body", unseen: "not reported"};
  const dresses = {kept: ["kept", "● kept"], failed_in_time: ["failed", "■ failed in time"], late: ["late", "▲ late"],
    unbounded: ["unbounded", "∞ unbounded"], cancelled: ["cancelled", "○ cancelled"], unsure: ["none", "≈ too close to tell"]};

  const number = v => String(Math.round(v * 1000) / 1000 + 0);
  const hundredths = v => String(Math.round(v * 100) / 100 + 0);
  const tenths = v => String(Math.round(v * 10) / 10 + 0);
  const textWidth = text => letter * [...text].length;

  function element(name, attributes = {}, ...children) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== "") e.setAttribute(key, typeof value === "number" ? number(value) : value);
    }
    e.append(...children.filter(c => c !== null));
    return e;
  }
  const titled = (group, text) => (group.prepend(element("title", {}, text)), group);
  const textAt = (x, y, kind, text) => element("text", {x, y, class: kind}, text);
  const lineAt = (kind, x1, y1, x2, y2) => element("path", {class: kind, d: `M${number(x1)} ${number(y1)}L${number(x2)} ${number(y2)}`});
  const rectAt = (x, y, width, height, kind) => element("rect", {x, y, width, height, class: kind});

  const barTitle = bar => {
    const name = bar.labels?.length && bar.kind !== "waiting" ? bar.labels[0] : words[bar.kind];
    return `${name}: ${hundredths(bar.from)} to ${hundredths(bar.to)} ms (${hundredths(bar.to - bar.from)} ms)`;
  };
  // markText names a moment in full.
  const markText = m => m.kind === "gave-up" ? "gives up: " + m.label : m.kind === "returned" ? "control is back with the caller: " + m.label : m.label;

  function draw(chart, {title = "", width = 1160} = {}) {
    const end = width - right, blocks = [];
    const x = ms => left + ms / chart.end * (end - left);
    const shown = chart.deadline <= chart.end;
    let y = axisTop;

    function label(bar, from, wide, free) {
      if (!thin[bar.kind]) {
        for (const text of bar.labels ?? []) if (textWidth(text) + 8 <= wide) return textAt(from + wide / 2, y + 17, "middle", text);
      }
      for (const text of bar.beside ?? []) if (from + wide + 10 + textWidth(text) <= free) return textAt(from + wide + 6, y + 17, "", text);
      return null;
    }

    function drawBar(bar, free) {
      const from = x(bar.from), wide = Math.max(x(bar.to) - from, leastBar), height = thin[bar.kind] ?? barHeight, top = y + (laneHeight - height) / 2;
      const group = titled(element("g", {class: "bar " + bar.kind, "data-ms-from": bar.from, "data-ms-to": bar.to}), barTitle(bar));
      group.append(rectAt(from, top, wide, height, "fill"));
      const lines = texture(bar.kind, from, top, wide, height);
      if (lines) group.append(lines);
      if (bar.open && bar.kind !== "pausing") group.append(element("path", {class: "onward", d: `M${number(from + wide + 2)} ${number(y + laneHeight / 2 - 5)}l6 5l-6 5`}));
      const name = label(bar, from, wide, free);
      if (name) group.append(name);
      return group;
    }

    function drawMark(m, top) {
      const at = x(m.at), group = titled(element("g", {class: "mark " + m.kind, "data-ms": m.at}), `${markText(m)}: ${hundredths(m.at)} ms`);
      if (m.kind === "noted") {
        const d = `M${number(at)} ${number(top + 2)}v${laneHeight - 4}`;
        group.append(element("path", {class: "reach", d}), element("path", {d}));
      } else if (m.kind === "gave-up") {
        group.append(element("path", {d: `M${number(at)} ${number(top + 6)}l6 11h-12z`}), textAt(at + 10, top + 17, "", m.label));
      } else {
        group.append(element("circle", {cx: at, cy: top + laneHeight / 2, r: 5.5}), textAt(at + 10, top + 17, "", m.label));
      }
      return group;
    }

    // stops puts marks whose labels would touch on lines of their own.
    function stops(group, lane) {
      const ends = [];
      for (const m of lane.marks) {
        let row = 0;
        while (row < ends.length && ends[row] > x(m.at) - 8) row++;
        ends[row] = x(m.at) + 14 + textWidth(m.label);
        group.append(drawMark(m, y + row * laneHeight));
      }
      y += ends.length * laneHeight;
    }

    function drawLane(group, lane) {
      group.append(textAt(left - 16, y + 17, "quiet end", lane.name));
      const bars = lane.bars ?? [], marks = lane.marks ?? [];
      if (!bars.length && marks.length && marks[0].kind === "gave-up") return stops(group, lane);
      for (const bar of bars) group.append(drawBar(bar, Math.min(width, ...bars.filter(o => o.from > bar.from).map(o => x(o.from)))));
      for (const m of marks) if (m.at <= chart.end) group.append(drawMark(m, y));
      y += laneHeight;
    }

    function drawTitle(group, block) {
      const [kind, word] = dresses[block.promise] ?? ["none", "– no operation"], wide = textWidth(word) + 14, base = y + 23;
      const band = rectAt(0, y + 2, width, titleHeight - 4, "band"), badge = rectAt(4, base - 15, wide, 21, "promise-" + kind);
      band.setAttribute("rx", 5);
      badge.setAttribute("rx", 4);
      const name = block.label === block.variant ? block.variant : block.label + " " + block.variant;
      group.append(band, badge, textAt(4 + wide / 2, base, "middle strong on-" + kind, word),
        element("text", {x: wide + 14, y: base, class: "title"}, element("tspan", {class: "strong"}, name), element("tspan", {}, "   " + block.headline)));
      y += titleHeight;
    }

    // lines are the deadline and the moments at which somebody gave up, and the caller's return.
    function lines(group, block, top) {
      for (const lane of block.lanes) {
        for (const m of lane.marks ?? []) {
          if (m.kind !== "noted" && m.at <= chart.end) group.append(lineAt(m.kind === "returned" ? "back" : "stop", x(m.at), top + 2, x(m.at), y - 2));
        }
      }
      if (!shown) return;
      group.append(titled(element("g", {class: "mark limit", "data-ms": chart.deadline}, lineAt("deadline", x(chart.deadline), top, x(chart.deadline), y)),
        `the caller's deadline: ${chart.deadline} ms`));
    }

    for (const block of chart.blocks) {
      const group = element("g", {class: "block", "data-op": block.op}), lanes = element("g");
      drawTitle(group, block);
      const top = y;
      for (const lane of block.lanes) drawLane(lanes, lane);
      if (shown) group.append(rectAt(x(chart.deadline), top, end - x(chart.deadline), y - top, "past"));
      group.append(lanes);
      lines(group, block, top);
      blocks.push(group);
      y += blockGap;
    }
    const svg = element("svg", {class: "drawing", viewBox: `0 0 ${number(width)} ${number(y + 6)}`, role: "img", "aria-label": title});
    for (const t of chart.ticks) {
      const text = textAt(x(t), axisTop - 6, "quiet middle", number(t));
      text.setAttribute("data-tick", number(t));
      svg.append(lineAt("grid", x(t), axisTop, x(t), y), text);
    }
    svg.append(lineAt("rule", left, axisTop, left, y), lineAt("rule", left, axisTop, end, axisTop), textAt(left - 16, axisTop - 6, "quiet end", "ms from t0"));
    const deadline = `deadline ${chart.deadline} ms`;
    svg.append(shown ? textAt(x(chart.deadline), 14, "deadline-name middle", deadline) : textAt(end, 14, "deadline-name end", deadline + " →"), ...blocks);
    return svg;
  }

  // texture draws the texture of a bar as lines of its own.
  function texture(kind, x, y, width, height) {
    const middle = y + height / 2, path = (name, d) => element("path", {class: "texture " + name, d});
    if (kind === "for-nobody") return path("hatch", hatch(x, y, width, height));
    if (width < leastTextured) return null;
    if (kind === "held") return path("stripes", `M${number(x + 3)} ${number(middle)}h${number(Math.max(0, width - 4))}`);
    if (kind === "queued" || kind === "connecting") {
      return path("dotted", `M${number(x + 4)} ${number(middle - 4)}h${number(Math.max(0, width - 6))}M${number(x + 8)} ${number(middle + 4)}h${number(Math.max(0, width - 10))}`);
    }
    return null;
  }

  // hatch is slanted lines, cut off at the edges of the bar.
  function hatch(x, y, width, height) {
    let d = "";
    for (let k = Math.ceil((x - height) / hatchGap) * hatchGap; k < x + width; k += hatchGap) {
      const from = Math.max(0, x - k), to = Math.min(height, x + width - k);
      if (to > from) d += `M${tenths(k + from)} ${tenths(y + height - from)}l${tenths(to - from)} -${tenths(to - from)}`;
    }
    return d;
  }

  return {draw, markText, hundredths, dresses};
})();
