"use strict";
// The first view: models by languages, verdicts, tables and plots.

function overview(go) {
  const ks = [...new Set(meta.scores.flatMap((score) => Object.keys(score.pass)))];
  let k = ks[0];
  const matrices = el("div");
  const choice = el("span", { class: "choice", role: "group", "aria-label": "k" });
  const draw = () => {
    choice.replaceChildren(...ks.map((each) => el("button", {
      "aria-pressed": String(each === k), onclick: () => { k = each; draw(); },
    }, `pass@${each}`)));
    matrices.replaceChildren(...groups("benchmark").map(([name, scores]) => matrix(name, scores, k, go)));
  };
  draw();
  const samples = meta.scores.reduce((sum, score) => sum + score.n_samples, 0);
  const models = new Set(meta.scores.map((score) => score.model)).size;
  const images = el("section");
  if (meta.plots) plots(images);
  return el("div", { class: "overview" },
    el("div", { class: "heading" }, el("h1", {}, "Results"), ks.length > 1 ? choice : null),
    el("p", { class: "lead" }, `${counted(models, "model")}, ${counted(meta.languages.length, "language")}, ${counted(samples, "sample")}; percent, with 95 % intervals below`),
    warnings(), matrices, verdictBars(go), tables(), images);
}

const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

function groups(key) {
  const found = new Map();
  for (const score of meta.scores) found.set(score[key], [...(found.get(score[key]) || []), score]);
  return [...found];
}

function warnings() {
  const noted = meta.scores.filter((score) => score.notes.length);
  if (!noted.length) return null;
  return el("div", { class: "warning", role: "note" },
    `${counted(noted.length, "score")} to read with care:`,
    el("ul", {}, noted.map((score) => el("li", {}, `${scoreName(score)}, ${score.language}: ${score.notes.join("; ")}`))));
}

function matrix(benchmark, scores, k, go) {
  const languages = meta.languages.filter((name) => scores.some((score) => score.language === name));
  const names = [...new Set(scores.map(scoreName))];
  const rows = names.map((name) => el("tr", {}, el("td", { title: name }, name), languages.map((language) => {
    const score = scores.find((each) => scoreName(each) === name && each.language === language);
    return el("td", {}, score ? cell(score, k, go) : null);
  })));
  return el("section", {}, el("h2", {}, benchmark), el("div", { class: "scroll" },
    el("table", { class: "matrix" },
      el("thead", {}, el("tr", {}, el("th", {}, "model"), languages.map((name) => el("th", {}, name)))),
      el("tbody", {}, rows))));
}

function cell(score, k, go) {
  const href = go({ s: meta.scores.indexOf(score) });
  const [value, low, high] = score.pass[k] || [];
  const title = [...score.notes, score.signature].join("\n");
  if (score.withheld || value === undefined || value === null) {
    return el("a", { class: "cell none", href, title }, el("b", {}, "\u2013"), el("small", {}, score.withheld ? "withheld" : "no score"));
  }
  const interval = low === undefined ? "" : `${percent(low)}\u2013${percent(high)}`;
  return el("a", { class: "cell", href, title, style: { "--v": value.toFixed(3) } },
    el("b", {}, percent(value)), score.notes.length ? el("sup", { title }, "!") : null, el("small", {}, interval));
}

function verdictBars(go) {
  const used = Object.keys(meta.verdicts).filter((x) => meta.scores.some((score) => score.counts[x]));
  const benchmarks = new Set(meta.scores.map((score) => score.benchmark));
  const byName = new Map(meta.scores.map((score) => [scoreName(score), []]));
  const place = (score) => meta.languages.indexOf(score.language);
  for (const score of [...meta.scores].sort((a, b) => place(a) - place(b))) byName.get(scoreName(score)).push(score);
  const bars = (scores) => el("div", { class: "bars" }, scores.map((score) => [
    el("a", { href: go({ s: meta.scores.indexOf(score) }) }, benchmarks.size > 1 ? `${score.language}, ${score.benchmark}` : score.language),
    stack(score.counts), el("span", {}, counted(score.n_samples, "sample")),
  ]));
  return el("section", {}, el("h2", {}, "Verdicts"),
    el("div", { class: "legend" }, used.map((x) => el("span", {}, el("i", { style: { background: `var(--${x})` } }), meta.verdicts[x].toLowerCase().replaceAll("_", " ")))),
    byName.size > 1
      ? [...byName].map(([name, scores], number) => el("details", { open: number === 0 }, el("summary", {}, name), bars(scores)))
      : [...byName.values()].map(bars));
}

function tables() {
  return el("section", {}, el("h2", {}, "Tables"), meta.tables.map((table) => el("details", { class: "plain-wrap" },
    el("summary", {}, table.title),
    el("div", { class: "scroll" }, el("table", { class: "plain" },
      el("thead", {}, el("tr", {}, table.columns.map((name, i) => el("th", { class: isText(table, i) ? "text" : null }, name)))),
      el("tbody", {}, table.rows.map((row) => el("tr", {}, row.map((text, i) => el("td", { class: isText(table, i) ? "text" : null }, text))))))),
    table.remarks.map((remark) => el("p", { class: "remark" }, remark)))));
}

const isText = (table, column) => table.rows.some((row) => /^[A-Za-z]/.test(row[column]) && !row[column].startsWith("withheld"));

async function plots(place) {
  const found = await block("plots");
  place.replaceChildren(el("h2", {}, "Plots"), el("div", { class: "plots" }, found.map(({ title, svg }) => {
    const wide = Number((/width="([\d.]+)pt"/.exec(svg) || [])[1]) > 600;
    return el("figure", { class: wide ? "wide" : null }, el("img", { alt: title, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` }));
  })));
}
