"use strict";
// Enough colour to read by: comments, strings, numbers, keywords and calls of fourteen languages.

const words = (text) => new Set(text.split(" "));
const C_LIKE = "if else for while do switch case default break continue return new this class public private protected static final void int long double float char bool boolean true false null try catch finally throw const struct enum import package using namespace interface extends implements in as is";
const GRAMMARS = {
  python: { line: ["#"], long: ['"""', "'''"], quotes: "'\"", words: words("def return if elif else for while in not and or is None True False import from as class try except finally raise with lambda pass break continue yield global nonlocal del assert async await") },
  ruby: { line: ["#"], quotes: "'\"", words: words("def end return if elsif else unless for while until do in not and or nil true false require class module begin rescue ensure raise yield then case when self break next lambda") },
  perl: { line: ["#"], quotes: "'\"", words: words("sub my our local return if elsif else unless for foreach while until do use strict warnings package undef and or not last next keys values scalar push shift defined") },
  php: { line: ["//", "#"], block: ["/*", "*/"], quotes: "'\"", words: words(`${C_LIKE} function foreach array echo elseif use fn match global isset unset list`) },
  go: { line: ["//"], block: ["/*", "*/"], quotes: "'\"`", words: words("func package import return if else for range switch case default break continue go defer var const type struct interface map chan make nil true false int string float64 bool byte rune error append len") },
  rust: { line: ["//"], block: ["/*", "*/"], quotes: '"', words: words("fn let mut return if else for while loop match in pub use mod struct enum impl trait where as ref self Self true false None Some Ok Err Vec String i32 i64 f64 u32 u64 usize bool str break continue const static") },
  swift: { line: ["//"], block: ["/*", "*/"], quotes: '"', words: words("func let var return if else guard for in while repeat switch case default break continue import struct class enum protocol extension self nil true false Int Double String Bool Any throws try as is where inout static") },
  kotlin: { line: ["//"], block: ["/*", "*/"], quotes: "'\"", words: words("fun val var return if else when for in while do break continue import class object interface null true false is as this Int Long Double String Boolean List Map Any Unit throw try catch finally until downTo step") },
  scala: { line: ["//"], block: ["/*", "*/"], quotes: "'\"", words: words("def val var return if else match case for yield while do import object class trait extends with new null true false this Int Long Double String Boolean List Map Any Unit throw try catch finally type override") },
  javascript: { line: ["//"], block: ["/*", "*/"], quotes: "'\"`", words: words(`${C_LIKE} function let var of typeof undefined async await yield export delete instanceof`) },
  cpp: { line: ["//"], block: ["/*", "*/"], quotes: "'\"", words: words(`${C_LIKE} auto template typename vector string map set unsigned size_t include std nullptr sizeof operator`) },
};
GRAMMARS.typescript = { ...GRAMMARS.javascript, words: words(`${[...GRAMMARS.javascript.words].join(" ")} number string any type unknown never readonly`) };
GRAMMARS.java = { line: ["//"], block: ["/*", "*/"], quotes: "'\"", words: words(`${C_LIKE} String List Map Object Integer Double Boolean throws super abstract instanceof var`) };
GRAMMARS.csharp = { line: ["//"], block: ["/*", "*/"], quotes: "'\"", words: words(`${C_LIKE} string object var foreach out ref List Dictionary override virtual abstract get set`) };

const mostHighlighted = 120000;

/** [kind, text] for each piece of a program: kinds are c, s, n, k, f or the empty string. */
function tokens(code, language) {
  const grammar = GRAMMARS[language];
  if (!grammar || code.length > mostHighlighted) return [["", code]];
  const found = [];
  let plain = 0;
  let at = 0;
  const push = (kind, end) => {
    if (plain < at) found.push(["", code.slice(plain, at)]);
    found.push([kind, code.slice(at, end)]);
    plain = at = end;
  };
  const until = (mark, from) => {
    const end = code.indexOf(mark, from);
    return end < 0 ? code.length : end + mark.length;
  };
  const name = /[A-Za-z_$][\w$]*/y;
  const number = /\d[\w.]*/y;
  while (at < code.length) {
    const sign = code[at];
    const long = (grammar.long || []).find((mark) => code.startsWith(mark, at));
    if (long) push("s", until(long, at + long.length));
    else if (grammar.line.some((mark) => code.startsWith(mark, at)) && !(sign === "#" && code[at - 1] === "$")) {
      const end = code.indexOf("\n", at);
      push("c", end < 0 ? code.length : end);
    } else if (grammar.block && code.startsWith(grammar.block[0], at)) push("c", until(grammar.block[1], at + 2));
    else if (grammar.quotes.includes(sign)) push("s", endOfString(code, at, sign));
    else if (/[A-Za-z_$]/.test(sign)) {
      name.lastIndex = at;
      const word = name.exec(code)[0];
      const end = at + word.length;
      if (grammar.words.has(word)) push("k", end);
      else if (code[end] === "(") push("f", end);
      else at = end;
    } else if (sign >= "0" && sign <= "9") {
      number.lastIndex = at;
      push("n", at + number.exec(code)[0].length);
    } else at += 1;
  }
  if (plain < code.length) found.push(["", code.slice(plain)]);
  return found;
}

function endOfString(code, start, quote) {
  for (let at = start + 1; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code[at] === quote) return at + 1;
    else if (code[at] === "\n" && quote !== "`") return at; // unfinished: the line is enough
  }
  return code.length;
}

/** Spans of a program in the parts it consists of: a docstring may begin in one and end in another. */
function highlighted(parts, language, terms) {
  const spans = parts.map(([className]) => el("span", { class: className }));
  let part = 0;
  let left = parts[0][1].length;
  for (let [kind, text] of tokens(parts.map((each) => each[1]).join(""), language)) {
    while (text) {
      while (!left && part + 1 < parts.length) {
        part += 1;
        left = parts[part][1].length;
      }
      const piece = text.slice(0, left);
      spans[part].append(kind ? el("span", { class: kind }, marked(piece, terms)) : marked(piece, terms));
      left -= piece.length;
      text = text.slice(piece.length);
    }
  }
  return spans;
}

/** A text with the terms that were searched for marked. */
function marked(text, terms) {
  const fragment = document.createDocumentFragment();
  const lower = text.toLowerCase();
  let from = 0;
  while (terms.length && lower.length === text.length) {
    const hits = terms.map((term) => [lower.indexOf(term, from), term]).filter(([at]) => at >= 0);
    if (!hits.length) break;
    const [at, term] = hits.reduce((first, hit) => (hit[0] < first[0] ? hit : first));
    fragment.append(text.slice(from, at), el("mark", {}, text.slice(at, at + term.length)));
    from = at + term.length;
  }
  fragment.append(text.slice(from));
  return fragment;
}
