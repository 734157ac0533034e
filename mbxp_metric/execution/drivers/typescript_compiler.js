// Compiles main.ts as `tsc main.ts --target es5 --lib es2016` does: types and syntax errors
// are the program's own business as long as JavaScript comes out. Error recovery can take
// the test into an unclosed function or comment, though: a file `swallowed` then says so.
// With the argument `serve` it stays, and takes files from standard input (see servers.py).
"use strict";
const fs = require("fs");

const ts = require("typescript");

const OPTIONS = { target: ts.ScriptTarget.ES5, module: ts.ModuleKind.CommonJS };
const REQUESTS_FD = 0;
const ANSWERS_FD = 3;

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

// The files of a program as [name, content] in, the results out.
function compile(files) {
  const source = files["main.ts"].toString("utf8");
  const results = {};
  if (swallowed(source, JSON.parse(files["main.json"].toString("utf8")).test)) {
    results.swallowed = "";
  }
  results["main.js"] = ts.transpileModule(source, { compilerOptions: OPTIONS }).outputText;
  return results;
}

function read(size) {
  const data = Buffer.alloc(size);
  for (let done = 0; done < size; ) {
    const part = fs.readSync(REQUESTS_FD, data, done, size - done);
    if (!part) process.exit(0);
    done += part;
  }
  return data;
}

function packed(number) {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(number);
  return data;
}

function serve() {
  for (;;) {
    const parts = [];
    for (let left = read(4).readUInt32BE(); left; left--) parts.push(read(read(4).readUInt32BE()));
    const files = {};
    for (let i = 0; i < parts.length; i += 2) files[parts[i].toString("utf8")] = parts[i + 1];
    const answer = ["0", "", ...Object.entries(compile(files)).flat()].map((one) => Buffer.from(one));
    const whole = [packed(answer.length), ...answer.flatMap((one) => [packed(one.length), one])];
    let left = Buffer.concat(whole);
    while (left.length) left = left.subarray(fs.writeSync(ANSWERS_FD, left));
  }
}

if (process.argv[2] === "serve") {
  serve();
} else {
  const files = {};
  for (const name of ["main.ts", "main.json"]) files[name] = fs.readFileSync(name);
  for (const [name, content] of Object.entries(compile(files))) fs.writeFileSync(name, content);
}
