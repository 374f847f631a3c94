// The page of one scenario: collects the prediction, starts runs, and shows
// what the server draws. All pictures and figures come from the server.
import { events } from "./stream.js";
import { replay } from "./replay.js";
import { steppers } from "./steppers.js";

const form = document.getElementById("predict");
const live = document.getElementById("live");
const result = document.getElementById("result");
const status = document.getElementById("status");
const problem = document.getElementById("problem");
const start = [document.getElementById("run"), document.getElementById("batch")];
const stop = document.getElementById("stop");
let running = null;
let shown = false; // the first picture of this run has been brought into view

steppers(form);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  run("one", "Two real calls are under way …");
});
document.getElementById("batch").addEventListener("click", () => run("batch", "Sixty real calls are under way …"));
stop.addEventListener("click", () => running?.abort());

function predictions() {
  return [...form.querySelectorAll(".choice")].map((choice) => {
    const number = (selector) => {
      const text = choice.querySelector(selector).value;
      return text === "" ? null : Number(text);
    };
    return {
      variant: choice.dataset.variant,
      promise: choice.querySelector("input[type=radio]:checked")?.value ?? "",
      duration_ms: number(".duration"),
      requests: number(".requests"),
    };
  });
}

async function run(what, words) {
  if (running || !form.reportValidity()) return;
  running = new AbortController();
  underWay(words);
  try {
    const response = await fetch(`/scenarios/${form.dataset.scenario}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ predictions: what === "one" ? predictions() : [] }),
      signal: running.signal,
    });
    if (!response.ok) throw await response.json();
    await follow(response);
  } catch (error) {
    failed(error);
  } finally {
    running = null;
    for (const button of start) button.disabled = false;
    stop.hidden = true;
  }
}

function underWay(words) {
  status.textContent = words;
  problem.hidden = true;
  result.replaceChildren();
  live.replaceChildren();
  live.hidden = false;
  shown = false;
  for (const button of start) button.disabled = true;
  stop.hidden = false;
}

async function follow(response) {
  let over = false;
  for await (const { name, data } of events(response)) {
    if (name === "picture") draw(data);
    if (name === "reveal") reveal(data);
    if (name === "failed") throw data;
    over ||= name === "reveal";
  }
  if (!over) throw { problem: "The server ended the run.", hint: "Is bench serve still running?" };
}

function draw(picture) {
  live.replaceChildren(...parsed(picture));
  if (!shown) document.getElementById("runs").scrollIntoView({ block: "start" });
  shown = true;
}

// The server has escaped everything in the text; the page's policy lets no
// script of it run in any case.
function parsed(html) {
  return new DOMParser().parseFromString(html, "text/html").body.childNodes;
}

function reveal(html) {
  live.hidden = true;
  live.replaceChildren();
  result.replaceChildren(...parsed(html));
  status.textContent = "Done.";
  replay(result);
  const heading = document.getElementById("reveal");
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}

function failed(error) {
  live.hidden = true;
  status.textContent = "";
  if (error.name === "AbortError") {
    status.textContent = "Stopped.";
    return;
  }
  const lost = error instanceof TypeError;
  problem.textContent = lost ? "The server does not answer. Is bench serve still running?" : `${error.problem ?? error.message} ${error.hint ?? ""}`;
  problem.hidden = false;
}
