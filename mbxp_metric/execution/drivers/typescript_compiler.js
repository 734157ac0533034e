// Compiles main.ts as `tsc main.ts --target es5 --lib es2016` does: types and syntax errors
// are the program's own business as long as JavaScript comes out. Error recovery can take
// the test into an unclosed function or comment, though: a file `swallowed` then says so.
"use strict";
const fs = require("fs");

const ts = require("typescript");

const OPTIONS = { target: ts.ScriptTarget.ES5, module: ts.ModuleKind.CommonJS };

function statements(text) {
  return ts.createSourceFile("main.ts", text, ts.ScriptTarget.ES5, false).statements;
}

function swallowed(source, test) {
  const boundary = source.length - test.length;
  const own = statements(test).map((one) => one.kind);
  const kept = statements(source).filter((one) => one.end > boundary);
  return (
    kept.some((one) => one.pos < boundary && one.pos + leading(source, one.pos) < boundary) ||
    JSON.stringify(kept.map((one) => one.kind)) !== JSON.stringify(own)
  );
}

function leading(source, position) {
  const trivia = ts.createScanner(ts.ScriptTarget.ES5, true);
  trivia.setText(source, position);
  trivia.scan();
  return trivia.getTokenStart() - position;
}

const source = fs.readFileSync("main.ts", "utf8");
const facts = JSON.parse(fs.readFileSync("main.json", "utf8"));
if (swallowed(source, facts.test)) {
  fs.writeFileSync("swallowed", "");
}
fs.writeFileSync("main.js", ts.transpileModule(source, { compilerOptions: OPTIONS }).outputText);
