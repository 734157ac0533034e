"use strict";
// Where in the report the reader is: the address after # says it, keys and links change it.

const view = document.getElementById("view");
const find = document.getElementById("find");
const crumbs = document.getElementById("crumbs");
let browse = null;
let browsing = "";

/** The address of a route: s score, task, at (its score, in a search), n sample, q, v, sort. */
function go(route) {
  const told = Object.entries(route).filter(([, value]) => value !== undefined && value !== "");
  return `#${new URLSearchParams(told)}`;
}

function routed() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

function draw() {
  const route = routed();
  const scores = meta.scores[route.s] ? [Number(route.s)] : route.q ? meta.scores.map((_, place) => place) : [];
  if (document.activeElement !== find) find.value = route.q || "";
  drawCrumbs(route);
  if (!scores.length) {
    browse = null;
    browsing = "";
    view.replaceChildren(overview(go));
    return;
  }
  if (browsing !== String(scores)) {
    browse = new Browse(scores, go);
    browsing = String(scores);
    view.replaceChildren(browse.element);
  }
  browse.update(route);
}

function drawCrumbs(route) {
  const score = meta.scores[route.s];
  const parts = [];
  if (score) parts.push(el("a", { href: go({ s: route.s }) }, `${scoreName(score)}, ${score.language}`));
  else if (route.q) parts.push(el("a", { href: go({ q: route.q }) }, "search"));
  if (route.task) parts.push(el("span", {}, route.task));
  crumbs.replaceChildren(...parts);
  document.title = [route.task, score && `${scoreName(score)}, ${score.language}`, "mbxp report"].filter(Boolean).join(" - ");
}

let waiting = 0;
find.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const { s, v, sort } = routed();
    location.hash = go({ s, v: s === undefined ? "" : v, sort, q: find.value.trim() });
  }, 180);
});

const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen = null;
const applyTheme = () => document.documentElement.classList.toggle("dark", chosen ?? dark.matches);
dark.addEventListener("change", applyTheme);
function changeTheme() {
  chosen = !(chosen ?? dark.matches);
  applyTheme();
}

const help = document.getElementById("help");
document.getElementById("theme").addEventListener("click", changeTheme);
document.getElementById("keys").addEventListener("click", () => help.showModal());
help.addEventListener("click", () => help.close());

/** Move the focus over the scores of the overview. */
function stepCells(by) {
  const cells = [...view.querySelectorAll(".cell")];
  const here = cells.indexOf(document.activeElement);
  const next = cells[here < 0 ? 0 : Math.max(0, Math.min(here + by, cells.length - 1))];
  if (next) next.focus();
}

function back() {
  const route = routed();
  if (route.task) browse.close();
  else if (route.q && route.s !== undefined) location.hash = go({ ...route, q: "" });
  else location.hash = "";
}

const step = (by) => (browse ? browse.step(by) : stepCells(by));
const stepAcross = (by) => (browse ? browse.toSample(browse.number + by) : stepCells(by));
const KEYS = {
  "/": () => { find.focus(); find.select(); },
  "ArrowDown": () => step(1), "j": () => step(1),
  "ArrowUp": () => step(-1), "k": () => step(-1),
  "ArrowRight": () => stepAcross(1),
  "ArrowLeft": () => stepAcross(-1),
  "Enter": () => browse && browse.open(),
  "f": () => browse && browse.failuresOnly(),
  "Escape": back,
  "t": changeTheme,
  "?": () => help.showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const { target, key } = event;
  if (target === find) {
    if (key === "Escape") { find.value = ""; find.dispatchEvent(new Event("input")); find.blur(); }
    if (key === "Enter" || key === "ArrowDown") { event.preventDefault(); find.blur(); step(1); }
    return;
  }
  if (target.matches("select, pre") && key !== "Escape" && key !== "/") return;
  if (key === "Enter" && target.matches("a, button, summary")) return;
  const action = Object.hasOwn(KEYS, key) ? KEYS[key] : null;
  if (action) { event.preventDefault(); action(); }
});

addEventListener("hashchange", draw);
applyTheme();
draw();
