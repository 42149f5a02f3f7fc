// Follows a Run while it is judged. The server sends those parts of the page that changed; this
// swaps them in. Where no stream can be had, htmx polls the same parts, as it does without this file.
const run = document.getElementById("run");
const state = () => document.getElementById("run-state");
const RETRY_MS = 30_000;
const SAY_MS = 5_000;

let source = null;
let seen = "";
let streaming = false;
let over = false;
let retry = 0;

// Parts -------------------------------------------------------------------------------------------

function swap(name, html) {
  const part = document.getElementById(`run-${name}-part`);
  if (!part) return;
  const open = new Set([...part.querySelectorAll("details[open]")].map((details) => details.id));
  const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
  part.innerHTML = html;
  for (const details of part.querySelectorAll("details")) {
    if (open.has(details.id)) details.open = true;
  }
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

let saidAt = 0;
let saidStatus = "";
// Screen readers hear each stage, and how far it is now and then, not every sample.
function say(status, text) {
  const now = performance.now();
  if (status === saidStatus && now - saidAt < SAY_MS) return;
  [saidAt, saidStatus] = [now, status];
  const live = document.getElementById("run-live");
  if (live.textContent !== text) live.textContent = text;
}

function conclude(verdict) {
  over = true;
  document.getElementById("run-abort")?.remove();
  document.title = `${verdict} · ${document.title.replace(/^[A-Z]{2,3} · /, "")}`;
}

// The stream --------------------------------------------------------------------------------------

function follow() {
  clearTimeout(retry);
  source?.close();
  if (over || document.hidden) return;
  const address = new URL(run.dataset.events, location.href);
  if (seen) address.searchParams.set("seen", seen);
  source = new EventSource(address);
  source.addEventListener("state", (event) => {
    streaming = true;
    seen = event.lastEventId;
    const { status, verdict, progress, parts } = JSON.parse(event.data);
    for (const [name, html] of Object.entries(parts)) swap(name, html);
    Object.assign(state().dataset, { status, verdict });
    say(status, progress);
    if (verdict) {
      source.close();
      conclude(verdict);
    }
  });
  source.addEventListener("away", rest);
  source.addEventListener("error", () => {
    streaming = false; // until it is back, the page polls
    if (source.readyState === EventSource.CLOSED) rest();
  });
}

function rest() {
  source.close();
  streaming = false;
  clearTimeout(retry);
  retry = setTimeout(follow, RETRY_MS);
}

// Ticking -----------------------------------------------------------------------------------------

function elapsed(seconds) {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")} min`;
}

const since = new WeakMap();
function tick() {
  for (const span of run.querySelectorAll("[data-ticking]")) {
    if (!since.has(span)) since.set(span, performance.now() - 1000 * Number(span.dataset.ticking));
    const text = elapsed((performance.now() - since.get(span)) / 1000);
    if (span.textContent !== text) span.textContent = text;
  }
  if (!over) setTimeout(tick, 250);
}

if (run.dataset.events && !state().dataset.verdict) {
  // A browser opens six connections to a site at most: a page that nobody sees gives its own back.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return follow();
    source?.close();
    streaming = false;
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.target === run && (streaming || over)) event.preventDefault();
  });
  document.addEventListener("htmx:afterSwap", () => {
    seen = ""; // these parts are of another moment than the stream's last
    const { status, verdict } = state().dataset;
    say(status, document.getElementById("run-progress").textContent.trim().replace(/\s+/g, " "));
    if (verdict) conclude(verdict);
  });
  follow();
  tick();
}

// Lines and the link ------------------------------------------------------------------------------

function showLine() {
  const line = /^#L\d+$/.test(location.hash) && document.querySelector(location.hash);
  if (!line) return;
  line.closest("details").open = true;
  line.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", showLine);
showLine();

const copy = document.getElementById("share-copy");
if (copy && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById("share-link").value);
    copy.textContent = "Copied";
  });
}
