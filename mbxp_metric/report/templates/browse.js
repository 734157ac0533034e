"use strict";
// The problems of one score, or of all that a search finds, and one of them in full.

class Browse {
  /** `scores` are places in `meta.scores`; `go` makes the address of a route. */
  constructor(scores, go) {
    this.scores = scores;
    this.go = go;
    this.route = {};
    this.all = [];
    this.run = 0;
    this.list = new VirtualList((problem) => this.row(problem));
    this.list.element.addEventListener("click", (event) => {
      if (event.target.closest("a") && innerWidth > 820) this.list.element.focus({ preventScroll: true });
    });
    this.filters = el("div", { class: "filters" });
    this.found = el("p", { class: "found", role: "status" });
    this.detail = el("article", { class: "detail", tabindex: "-1", "aria-label": "Problem" });
    this.element = el("div", { class: "browse" },
      el("section", { class: "side", "aria-label": "Problems" },
        el("div", { class: "top" }, this.heading(), this.filters, this.found), this.list.element), this.detail);
    this.loaded = Promise.all(scores.map(problemsOf)).then((lists) => { this.all = lists.flat(); });
  }

  heading() {
    if (this.scores.length > 1 || !this.scores.length) return el("div", {}, el("h1", {}, "Search"), el("p", { class: "lead" }, "in every score"));
    const score = meta.scores[this.scores[0]];
    const parts = Object.entries(score.pass).map(([k, [value]]) => `pass@${k} ${percent(value)}`);
    return el("div", {}, el("h1", {}, score.language),
      el("p", { class: "lead" }, `${scoreName(score)}, ${score.problems}: ${score.withheld ? "withheld" : parts.join(", ")}`),
      stack(score.counts),
      score.notes.length ? el("p", { class: "lead" }, score.notes.join("; ")) : null,
      el("details", {}, el("summary", {}, "signature"), el("p", { class: "lead", style: { "overflow-wrap": "anywhere" } }, score.signature)));
  }

  async update(route) {
    const before = this.route;
    this.route = route;
    await this.loaded;
    if (before.q !== route.q || before.v !== route.v || before.sort !== route.sort || !this.shown) await this.filter();
    if (this.route !== route) return;
    const here = this.shown.findIndex((problem) => this.isHere(problem));
    this.list.here = here;
    if (here >= 0) this.list.select(here);
    else this.list.draw();
    this.element.classList.toggle("open", Boolean(route.task));
    await this.showDetail();
  }

  isHere(problem) {
    return problem.task === this.route.task && String(problem.score) === String(this.route.at ?? this.scores[0]);
  }

  address(problem, n) {
    const { s, q, v, sort } = this.route;
    return this.go({ s, q, v, sort, task: problem.task, at: s === undefined ? problem.score : undefined, n });
  }

  row(problem) {
    const { letters } = problem;
    const score = meta.scores[problem.score];
    const where = this.scores.length > 1 ? `${score.language}, ${scoreName(score)}` : problem.entry;
    const right = letters.length === 1 ? badge(letters) : el("div", {},
      el("em", {}, `${[...letters].filter((x) => x === "P").length} of ${letters.length}`), stack(lettersCounted(letters), "mini"));
    return el("a", { class: "row", href: this.address(problem) , tabindex: "-1" },
      el("div", {}, el("div", {}, problem.task), el("small", {}, where)), right);
  }

  drawFilters() {
    const counts = lettersCounted(this.all.map((problem) => problem.letters).join(""));
    const chosen = this.route.v || "";
    const buttons = Object.keys(meta.verdicts).filter((letter) => counts[letter]).map((letter) => el("button", {
      "aria-pressed": String(chosen.includes(letter)),
      onclick: () => this.move({ v: chosen.includes(letter) ? chosen.replace(letter, "") : chosen + letter }),
    }, el("i", { style: { background: `var(--${letter})` } }), `${meta.verdicts[letter].toLowerCase().replaceAll("_", " ")} ${counts[letter]}`));
    const sort = el("select", { "aria-label": "Order", onchange: (event) => this.move({ sort: event.target.value }) },
      [["", "in order"], ["hard", "hardest first"], ["easy", "easiest first"]].map(([value, text]) =>
        el("option", { value, selected: (this.route.sort || "") === value }, text)));
    this.filters.replaceChildren(...buttons, sort);
  }

  /** Go to the same place with other filters. */
  move(change) {
    location.hash = this.go({ ...this.route, ...change });
  }

  failuresOnly() {
    const failures = Object.keys(meta.verdicts).filter((letter) => letter !== "P").join("");
    this.move({ v: this.route.v === failures ? "" : failures });
  }

  async filter() {
    const run = this.run += 1;
    const { q = "", v = "", sort = "" } = this.route;
    this.terms = q.toLowerCase().split(/\s+/).filter(Boolean);
    this.drawFilters();
    let problems = this.all.filter((problem) => !v || [...v].some((letter) => problem.letters.includes(letter)));
    if (sort) {
      const sign = sort === "hard" ? 1 : -1;
      problems = [...problems].sort((a, b) => sign * (rateOf(a.letters) - rateOf(b.letters)));
    }
    if (!this.terms.length) {
      this.show(problems, counted(problems.length, "problem"));
      return;
    }
    const named = new Set(problems.filter((problem) => this.matches(nameOf(problem))));
    this.show(problems.filter((problem) => named.has(problem)), "searching the texts");
    this.search(problems, named, run); // goes on while what is found can be used
  }

  async search(problems, found, run) {
    const blocks = new Map();
    for (const problem of problems) {
      if (!found.has(problem)) blocks.set(problem.block, [...(blocks.get(problem.block) || []), problem]);
    }
    let done = 0;
    let drawn = performance.now();
    for (const [number, inside] of blocks) {
      const texts = await block(`b${number}`);
      if (run !== this.run) return;
      for (const problem of inside) {
        if (this.matches(`${nameOf(problem)}\n${allTexts(texts[problem.position])}`)) found.add(problem);
      }
      done += 1;
      if (performance.now() - drawn > 150) {
        this.show(problems.filter((problem) => found.has(problem)), `${counted(found.size, "problem")} so far, ${Math.round(100 * done / blocks.size)} % searched`);
        await new Promise((resolve) => setTimeout(resolve));
        drawn = performance.now();
      }
    }
    if (run === this.run) this.show(problems.filter((problem) => found.has(problem)), `${counted(found.size, "problem")} with \u201c${this.route.q}\u201d`);
  }

  matches(text) {
    const lower = text.toLowerCase();
    return this.terms.every((term) => lower.includes(term));
  }

  show(problems, line) {
    this.shown = problems;
    this.found.textContent = line;
    this.list.show(problems, problems.findIndex((problem) => this.isHere(problem)));
  }

  step(by) {
    if (!this.shown || !this.shown.length) return;
    this.list.select(this.list.here < 0 ? 0 : this.list.here + by);
    if (innerWidth > 820) location.hash = this.address(this.shown[this.list.here]);
  }

  open() {
    const problem = this.shown && this.shown[Math.max(0, this.list.here)];
    if (problem) location.hash = this.address(problem);
  }

  async showDetail() {
    const problem = this.all.find((each) => this.isHere(each));
    this.problem = problem;
    if (!problem) {
      this.detail.replaceChildren(el("p", { class: "empty" }, "Choose a problem: ", el("kbd", {}, "\u2193"), " and ", el("kbd", {}, "\u2191"), " go through them."));
      return;
    }
    const texts = await textsOf(problem);
    if (this.problem !== problem) return;
    this.number = Math.min(Number(this.route.n ?? firstWanted(problem.letters, this.route.v)), problem.letters.length - 1);
    this.detail.replaceChildren(...this.contents(problem, texts, this.number));
    this.detail.scrollTop = 0;
    this.elsewhere(problem);
  }

  contents(problem, texts, number) {
    const { language } = meta.scores[problem.score];
    const back = el("button", { class: "back", onclick: () => this.close() }, "\u2039 all problems");
    const head = el("h1", {}, problem.task, el("code", {}, problem.entry));
    if (!texts.samples.length) return [back, head, el("p", {}, "There are no samples of this problem.")];
    const sample = sampleOf(texts, number);
    const parts = [["given", texts.prompt || ""], ["written", sample.completion ?? ""], ["given", texts.right || ""]].filter(([, text]) => text);
    const more = [["Test", texts.test], ["Canonical solution", texts.solution]].filter(([, text]) => text);
    return [
      back, head,
      problem.letters.length > 1 ? el("div", { class: "samples", role: "group", "aria-label": "Samples" }, [...problem.letters].map((letter, i) => el("button", {
        "aria-pressed": String(i === number), title: `sample ${i + 1}: ${meta.verdicts[letter]}`,
        style: { background: `color-mix(in srgb, var(--${letter}) 32%, transparent)` },
        onclick: () => this.toSample(i),
      }, letter))) : null,
      facts(problem.letters[number], sample, number, problem.letters.length),
      output("Answer", sample.answer, "0", this.terms),
      el("h2", {}, sample.answer ? "Prompt" : "Program", sample.answer ? null : el("span", { class: "key" }, el("i", { class: "g" }), "prompt", el("i", { class: "w" }), "completion")),
      parts.length ? el("pre", { class: "program", tabindex: "0" }, highlighted(parts, language, this.terms || [])) : el("p", { class: "remark" }, "The results do not have its text."),
      output("Standard error", sample.stderr, sample.flags[2], this.terms), output("Standard output", sample.stdout, sample.flags[1], this.terms),
      more.map(([title, text]) => el("details", {}, el("summary", {}, title), el("pre", { tabindex: "0" }, highlighted([["", text]], language, this.terms || [])))),
      el("section", { class: "elsewhere" }),
    ].flat().filter(Boolean);
  }

  toSample(number) {
    if (!this.problem || number < 0 || number >= this.problem.letters.length) return;
    history.replaceState(null, "", this.address(this.problem, number));
    this.route = { ...this.route, n: String(number) };
    this.showDetail();
  }

  close() {
    this.move({ task: undefined, at: undefined, n: undefined });
  }

  /** The same problem of the same model in other languages, and of other models in this one. */
  async elsewhere(problem) {
    const number = numberOf(problem.task);
    const own = meta.scores[problem.score];
    const near = (score) => score.benchmark === own.benchmark && (score.language === own.language || scoreName(score) === scoreName(own));
    const places = meta.scores.map((_, place) => place).filter((place) => near(meta.scores[place]));
    const lists = await Promise.all(places.map(problemsOf));
    if (this.problem !== problem) return;
    const same = lists.flat().filter((each) => numberOf(each.task) === number);
    const several = new Set(same.map((each) => scoreName(meta.scores[each.score]))).size > 1;
    if (same.length < 2) return;
    this.detail.querySelector(".elsewhere").replaceChildren(el("h2", {}, "The same problem"), el("div", { class: "others" }, same.slice(0, 200).map((each) => {
      const score = meta.scores[each.score];
      return el("a", { href: this.go({ s: each.score, task: each.task }), class: each === problem ? "here" : null },
        several ? `${score.language}, ${scoreName(score)}` : score.language,
        each.letters.length === 1 ? badge(each.letters) : stack(lettersCounted(each.letters), "mini"));
    })));
  }
}

const nameOf = (problem) => `${problem.task} ${problem.entry} ${meta.scores[problem.score].language} ${scoreName(meta.scores[problem.score])}`;
const allTexts = (texts) => [texts.prompt, texts.right, ...texts.samples.flatMap((sample) => sample.slice(0, 4))].join("\n");

/** The first sample with one of the verdicts that are filtered for, else the first. */
function firstWanted(letters, wanted) {
  return Math.max(0, [...letters].findIndex((letter) => (wanted || "").includes(letter)));
}

function badge(letter) {
  return el("span", { class: "badge", style: { "color": "var(--ink)", "border-color": `var(--${letter})`, "background": `color-mix(in srgb, var(--${letter}) 26%, transparent)` } }, meta.verdicts[letter].toLowerCase().replaceAll("_", " "));
}

function facts(letter, sample, number, count) {
  const times = sample.times || {};
  const told = [
    count > 1 ? `sample ${number + 1} of ${count}` : "",
    sample.stage ? `in the ${sample.stage} step` : "",
    sample.exitCode === null || sample.exitCode === undefined ? "" : `exit status ${sample.exitCode}`,
    sample.signal ? `signal ${sample.signal}` : "",
    times.compile_s === undefined ? "" : `compiled in ${times.compile_s.toFixed(2)} s`,
    times.run_s === undefined ? "" : `ran ${times.run_s.toFixed(2)} s`,
    sample.flags[0] === "1" ? "cut after its function before it was executed" : "",
    sample.detail || "",
  ];
  return el("p", { class: "facts" }, badge(letter), told.filter(Boolean).map((text) => el("span", {}, text)));
}

function output(title, text, shortened, terms) {
  if (!text) return [];
  return [el("h2", {}, title + (shortened === "1" ? " (its middle is left out)" : "")), el("pre", { tabindex: "0" }, marked(text, terms || []))];
}
