// Runs one program as the main module and reports on descriptor 3 that its tests have ended.
// Argument: the program. Beside it lies main.json, the test and the names that it relies on,
// and, from a compiler, a file `swallowed` if the program took the test into itself.
// Standard input holds the secret.
"use strict";
const fs = require("fs");
const Module = require("module");
const path = require("path");
const vm = require("vm");

const REPORT_FD = 3;
const PRELOADED = ["assert", "crypto", "lodash", "util"];
const NAMES = ["exports", "require", "module", "__filename", "__dirname"];
const toText = Function.prototype.toString.call.bind(Function.prototype.toString);
const write = fs.writeSync;

function readAll(fd) {
  const parts = [];
  for (let size; ; ) {
    const part = Buffer.alloc(65536);
    try {
      size = fs.readSync(fd, part);
    } catch (error) {
      if (error.code !== "EOF") throw error;
      break;
    }
    if (!size) break;
    parts.push(part.subarray(0, size));
  }
  return Buffer.concat(parts).toString("latin1");
}

function lock(object, names) {
  for (const name of names) {
    Object.defineProperty(object, name, { writable: false, configurable: false });
  }
  return object;
}

function main(file) {
  if (process.argv[3] === "preload") {
    const load = Module.createRequire(file);
    for (const name of PRELOADED) {
      try {
        load(name);
      } catch {}
    }
    vm.compileFunction("", NAMES, { filename: file, importModuleDynamically: anyLoader() });
  }
  process.ppid; // a fork server takes over here, and every program starts here
  if (process.argv[3] === "preload") {
    // All forks have the same generator: each goes on from another place of its sequence.
    const number = Buffer.alloc(2);
    const chance = fs.openSync("/dev/urandom", "r");
    fs.readSync(chance, number);
    fs.closeSync(chance);
    for (let left = number.readUInt16LE(); left; left--) Math.random();
    leaveAtOnce();
  }
  const secret = readAll(0);
  write(REPORT_FD, "R");
  const facts = JSON.parse(fs.readFileSync(path.join(path.dirname(file), "main.json"), "utf8"));
  const source = fs.readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const main = new Module(file, null);
  main.filename = file;
  main.paths = Module._nodeModulePaths(path.dirname(file));
  process.mainModule = main;
  process.argv = [process.argv[0], file];
  delete require.cache[__filename];
  const load = Module.createRequire(file);
  const relied = {};
  if (facts.names.includes("_")) {
    relied._ = lock(load("lodash"), ["isEqual", "isEqualWith"]);
  }
  if (facts.names.includes("assert")) {
    const assert = load("assert");
    relied.assert = lock(assert, Object.keys(assert));
  }
  const parameters = { filename: file, importModuleDynamically: anyLoader() };
  const own = [main.exports, load, main, file, path.dirname(file)];
  let run = vm.compileFunction(source, NAMES, parameters);
  write(REPORT_FD, "S");
  // Run as a script, a program cannot return: it ends by an exception or at its end, and no
  // text that it could get at holds the secret. With a top-level return it is run as the
  // module that it is, and has not reached its end.
  const swallowed = fs.existsSync(path.join(path.dirname(file), "swallowed"));
  const script = swallowed ? null : parsed(source, parameters);
  if (script) {
    NAMES.forEach((name, i) => {
      const property = { value: own[i], writable: true, configurable: true };
      Object.defineProperty(globalThis, name, property);
    });
    run = () => script.runInThisContext();
  }
  return { run: () => run.apply(main.exports, own), ended: Boolean(script), relied, facts, secret };
}

// A fork ends after its last listener, without taking the engine down first.
function leaveAtOnce() {
  const { emit, reallyExit } = process;
  process.emit = function (name, ...rest) {
    const heard = emit.call(this, name, ...rest);
    if (name === "exit" && process._exiting && rest[0] === 0 && !process.exitCode) {
      reallyExit.call(process, 0);
    }
    return heard;
  };
}

function parsed(source, parameters) {
  try {
    return new vm.Script(source, parameters);
  } catch {
    return null;
  }
}

function anyLoader() {
  return vm.constants ? vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER : undefined;
}

function intact(value, name, relied, test) {
  return name in relied
    ? value === relied[name]
    : typeof value === "function" && test.includes(toText(value));
}

const { run, ended, relied, facts, secret } = main(path.resolve(process.argv[2]));
run();
if (ended) {
  for (const name of facts.names) {
    const value = new vm.Script(`typeof ${name} === "undefined" ? 0 : ${name}`).runInThisContext();
    if (!intact(value, name, relied, facts.test)) {
      throw new Error(`the program replaced ${name}, which its test relies on`);
    }
  }
  write(REPORT_FD, secret);
}
