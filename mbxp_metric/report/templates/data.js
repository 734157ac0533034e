"use strict";
// What the page knows: `meta` at once, blocks of samples when they are asked for.

const meta = JSON.parse(document.getElementById("meta").textContent);
const blocksHeld = 32;
const held = new Map();

const parsed = new Promise((resolve) => {
  if (document.readyState !== "loading") resolve();
  else document.addEventListener("DOMContentLoaded", () => resolve(), { once: true });
});

/** The value of a block; the last ones used are kept. */
function block(name) {
  let value = held.get(name);
  held.delete(name);
  if (value === undefined) value = unpacked(name);
  held.set(name, value);
  if (held.size > blocksHeld) held.delete(held.keys().next().value);
  return value;
}

async function unpacked(name) {
  // While the file is still being read, only what something follows is there in full.
  if (!document.getElementById(name)?.nextSibling) await parsed;
  const text = atob(document.getElementById(name).textContent);
  const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const indexes = new Map();

/** The problems of a score: {score, task, entry, letters, block, position} each. */
function problemsOf(score) {
  if (!indexes.has(score)) {
    indexes.set(score, unpacked(`s${score}`).then((rows) => rows.map(
      ([task, entry, letters, at, position]) => ({ score, task, entry, letters, block: at, position }),
    )));
  }
  return indexes.get(score);
}

/** Prompt, test, solution and samples of a problem. */
async function textsOf(problem) {
  return (await block(`b${problem.block}`))[problem.position];
}

/** A sample's fields by name. */
function sampleOf(texts, number) {
  const [completion, answer, stdout, stderr, stage, exitCode, signal, detail, times, flags] = texts.samples[number];
  return { completion, answer, stdout, stderr, stage, exitCode, signal, detail, times, flags };
}

const scoreName = (score) =>
  score.setting === "plain" ? score.model : `${score.model} (${score.setting})`;
const percent = (share) => (100 * share).toFixed(1);
const rateOf = (letters) => (letters ? [...letters].filter((x) => x === "P").length / letters.length : 0);
const numberOf = (task) => (task.includes("/") ? task.split("/")[1] : task);

/** An element with attributes and children; texts are only ever texts. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** A bar of verdicts; `counts` has the number of each letter. */
function stack(counts, className = "stack") {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0) || 1;
  const parts = Object.keys(meta.verdicts).filter((letter) => counts[letter]);
  return el("div", { class: className, role: "img", "aria-label": parts.map((x) => `${meta.verdicts[x]} ${counts[x]}`).join(", ") },
    parts.map((letter) => el("i", {
      title: `${meta.verdicts[letter]}: ${counts[letter]} (${percent(counts[letter] / total)} %)`,
      style: { "flex": `${counts[letter]} 0 0`, "background": `var(--${letter})` },
    })));
}

function lettersCounted(letters) {
  const counts = {};
  for (const letter of letters) counts[letter] = (counts[letter] || 0) + 1;
  return counts;
}
