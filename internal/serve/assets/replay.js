// Replays a finished drawing: a clip follows a cursor over it. Where a moment
// stands is read off the drawing's own axis, so there is no second geometry.
const svg = "http://www.w3.org/2000/svg";

export function replay(root) {
  const drawing = root.querySelector(".picture.final svg");
  const buttons = root.querySelector(".replay");
  if (!drawing || !buttons) return;
  const player = new Player(drawing, buttons.querySelector(".moment"));
  buttons.addEventListener("click", (event) => {
    const how = event.target.closest("button")?.dataset.replay;
    if (how) player.command(how);
  });
  const picture = root.querySelector(".picture.final");
  picture.tabIndex = 0;
  for (const place of [buttons, picture]) place.addEventListener("keydown", (event) => player.key(event));
}

class Player {
  constructor(drawing, moment) {
    this.drawing = drawing;
    this.moment = moment;
    this.axis = axisOf(drawing);
    this.marks = [...drawing.querySelectorAll(".mark[data-ms]:not(.limit)")];
    this.lasting = [...drawing.querySelectorAll(".bar[data-ms-to], .stop, .back")];
    const times = (name) => [...drawing.querySelectorAll(`[data-${name}]`)].map((e) => Number(e.getAttribute(`data-${name}`)));
    this.end = Math.max(...times("ms"), ...times("ms-to"), ...times("tick"));
    this.steps = [...new Set(this.marks.map(msOf).filter((ms) => ms <= this.end).sort((a, b) => a - b))];
    this.frame = 0;
    this.ms = this.end;
  }

  command(how) {
    cancelAnimationFrame(this.frame);
    this.drawing.toggleAttribute("data-playing", false);
    if (how === "whole") return this.whole();
    if (how === "step") return this.step(this.steps.find((ms) => ms > (this.clip ? this.ms : -Infinity) + 0.0005));
    if (how === "back") return this.step(this.steps.findLast((ms) => ms < this.ms - 0.0005));
    this.play(Number(how));
  }

  key(event) {
    const how = { ArrowRight: "step", ArrowLeft: "back", Escape: "whole" }[event.key];
    if (!how) return;
    event.preventDefault();
    this.command(how);
  }

  play(speed) {
    this.moment.textContent = "";
    this.drawing.toggleAttribute("data-playing", true);
    let began;
    const draw = (now) => {
      began ??= now;
      this.show((now - began) * speed);
      if (this.ms < this.end) this.frame = requestAnimationFrame(draw);
      else this.command("whole");
    };
    this.frame = requestAnimationFrame(draw);
  }

  step(ms) {
    if (ms === undefined) return;
    this.show(ms);
    this.moment.dataset.ms = ms;
    this.moment.textContent = `${ms.toFixed(1)} ms: ${this.marks.filter((m) => msOf(m) === ms).map(wordsOf).join("; ")}`;
  }

  whole() {
    this.moment.textContent = "";
    this.ms = this.end;
    for (const e of this.lasting) e.removeAttribute("clip-path");
    for (const e of this.marks) e.removeAttribute("visibility");
    this.clip?.remove();
    this.cursor?.remove();
    this.clip = this.cursor = undefined;
  }

  show(ms) {
    this.ms = Math.min(ms, this.end);
    if (!this.clip) this.begin();
    const x = this.axis.x(this.ms);
    this.clip.firstChild.setAttribute("width", x);
    this.cursor.setAttribute("transform", `translate(${x} 0)`);
    this.cursor.lastChild.textContent = `${this.ms.toFixed(0)} ms`;
    for (const e of this.marks) e.setAttribute("visibility", msOf(e) <= this.ms ? "visible" : "hidden");
  }

  begin() {
    const [, , width, height] = this.drawing.getAttribute("viewBox").split(" ");
    this.clip = element("clipPath", { id: "replay-clip" });
    this.clip.append(element("rect", { x: 0, y: 0, width, height }));
    this.cursor = element("g", { class: "cursor", "aria-hidden": "true" });
    this.cursor.append(element("path", { d: `M0 ${this.axis.top}V${height}` }), element("text", { x: 5, y: height - 4 }));
    this.drawing.append(this.clip, this.cursor);
    for (const e of this.lasting) e.setAttribute("clip-path", "url(#replay-clip)");
  }
}

// axisOf reads two ticks: time is linear between and beyond them.
function axisOf(drawing) {
  const ticks = [...drawing.querySelectorAll("[data-tick]")];
  const place = (tick) => [Number(tick.getAttribute("data-tick")), Number(tick.getAttribute("x"))];
  const [[fromMs, fromX], [toMs, toX]] = [place(ticks[0]), place(ticks.at(-1))];
  return { x: (ms) => fromX + ((ms - fromMs) / (toMs - fromMs)) * (toX - fromX), top: Number(ticks[0].getAttribute("y")) + 6 };
}

function msOf(mark) {
  return Number(mark.getAttribute("data-ms"));
}

// wordsOf is what a mark says, with its client's letter.
function wordsOf(mark) {
  const client = mark.closest(".block")?.querySelector(".title .strong")?.textContent ?? "";
  const words = mark.querySelector("title").textContent;
  return `${client}: ${words.slice(0, words.lastIndexOf(":"))}`;
}

function element(name, attributes) {
  const e = document.createElementNS(svg, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
}
