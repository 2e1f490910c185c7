#!/usr/bin/env node
'use strict';

// One release of solc, as its npm package ships it, kept loaded and asked for compilations.
//
//   node solc_worker.js FOLDER                    a request a line on stdin, an answer a line on stdout, until stdin ends
//   node solc_worker.js FOLDER --version          what the native executable prints
//   node solc_worker.js FOLDER --standard-json    the same: standard JSON from stdin to stdout
//
// FOLDER is the package's, any release from 0.4.11 on. The first line of the long-lived form is
// {"ready":true,"version":"0.8.30+commit.73712a01"}; then {"id":1,"input":{..}} is answered by {"id":1,"output":{..}}
// or, where there is no output, {"id":1,"error":".."}. An input is passed on as it is: what a release refuses, its
// output says.

const fs = require('fs');
const Module = require('module');
const path = require('path');
const v8 = require('v8');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

// A compiler that is not asked for so many milliseconds compiles something small, so that the first who asks does not wait
// while its code is made ready: what is not new comes from the cache, and the first question may be a save.
const PATIENCE = 100;
const SMALL = {
  language: 'Solidity',
  sources: { 'A.sol': { content: 'contract A { mapping(address => uint256) a; function f(uint256 b) public { a[msg.sender] += b; assert(b > 0); } }' } },
  settings: { outputSelection: { '*': { '': ['ast'], '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } } },
};

// On Node's own stack of 1 MB, releases of 0.4 overflow at expressions nested 400 deep.
const STACK_MEGABYTES = 64;

if (isMainThread) main(process.argv.slice(2));
else answerMessages(workerData);

function main([folder, ...options]) {
  // Nobody is left to read the answers.
  process.stdout.on('error', () => process.exit(0));

  if (folder === undefined) fail('usage: solc_worker.js FOLDER [--version | --standard-json [--base-path DIR] [--include-path DIR]..]');
  else if (options.length === 0) answerLines(folder);
  else if (options.includes('--version')) printVersion(folder);
  else if (options.includes('--standard-json')) compileStdin(folder, searchedFolders(options));
  else fail(`unknown options: ${options.join(' ')}`);
}

function answerLines(folder) {
  const compiler = startCompiler({ folder }, ({ version, id, output, error }) => {
    if (version) writeLine(JSON.stringify({ ready: true, version: version.replace('.Emscripten.clang', '') }));
    else if (output) writeLine(`{"id":${JSON.stringify(id)},"output":${output}}`);
    else writeLine(JSON.stringify({ id, error }));
  });

  onLines(process.stdin, (line) => {
    let id = null;
    try {
      const request = JSON.parse(line);
      id = request.id ?? null;
      if (request.input === undefined) throw new Error('the request has no "input"');
      compiler.postMessage({ id, input: JSON.stringify(request.input) });
    } catch (error) {
      writeLine(JSON.stringify({ id, error: error.message }));
    }
  });
  // Whoever asked is gone, so a compilation that still runs serves nobody.
  process.stdin.on('close', () => process.exit(0));
}

function printVersion(folder) {
  startCompiler({ folder }, ({ version }) => {
    finish(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`);
  });
}

function compileStdin(folder, folders) {
  const compiler = startCompiler({ folder, folders }, ({ version, output, error }) => {
    if (output) finish(output + '\n');
    else if (!version) fail(error);
  });
  compiler.postMessage({ input: fs.readFileSync(0, 'utf8') });
}

// A thread of its own, so that the end of stdin is heard while solc compiles, and so that what solc prints and catches
// never is this process's output or error.
function startCompiler(settings, onMessage) {
  // Node's many tasks that optimise WebAssembly slow the first ten compilations down: the second took 90 ms, with one 35 ms.
  v8.setFlagsFromString('--wasm-num-compilation-tasks=1');
  const compiler = new Worker(__filename, {
    workerData: settings,
    // Node warns about the asm.js of old releases.
    execArgv: ['--no-warnings'],
    resourceLimits: { stackSizeMb: STACK_MEGABYTES },
    stdout: true,
  });
  compiler.stdout.pipe(process.stderr);
  compiler.on('message', onMessage);
  compiler.on('error', (error) => fail(error.stack ?? String(error)));
  compiler.on('exit', (code) => fail(`the compiler's thread ended with code ${code}`));
  return compiler;
}

// The folders that imports are read from. The native executable's other options change nothing here.
function searchedFolders(options) {
  const folders = [];
  options.forEach((option, index) => {
    const [name, ...values] = option.split('=');
    const folder = values.length > 0 ? values.join('=') : options[index + 1];
    if (name === '--base-path') folders.unshift(path.resolve(folder));
    if (name === '--include-path') folders.push(path.resolve(folder));
  });
  return folders;
}

// Not `readline`: it also breaks lines at U+2028 and U+2029, which JSON lets stand in a string.
function onLines(stream, onLine) {
  let parts = [];
  stream.setEncoding('utf8').on('data', (text) => {
    const [end, ...starts] = text.split('\n');
    parts.push(end);
    for (const start of starts) {
      onLine(parts.join(''));
      parts = [start];
    }
  });
}

function writeLine(line) {
  process.stdout.write(line + '\n');
}

function finish(text) {
  process.stdout.write(text, () => process.exit(0));
}

function fail(message) {
  process.stderr.write(message + '\n', () => process.exit(1));
}

// The thread's side: the version once loaded, then an output or an error for each message.
function answerMessages({ folder, folders = [] }) {
  // What newer Emscriptens print with, past the thread's own stdout.
  const { writeSync } = fs;
  fs.writeSync = (file, ...rest) => writeSync(file === 1 ? 2 : file, ...rest);

  const load = () => loadCompiler(folder, (name) => readSource(name, folders));
  let solc = load();
  parentPort.postMessage({ version: solc.version });

  const warming = setTimeout(() => {
    try {
      solc.compile(JSON.stringify(SMALL));
    } catch {
      solc = load();
    }
  }, PATIENCE);

  parentPort.on('message', ({ id, input }) => {
    clearTimeout(warming);
    let answer;
    try {
      answer = { output: solc.compile(input) };
    } catch (error) {
      const reported = solc.version.startsWith('0.4.11+') ? outputOf0411(load(), input) : undefined;
      answer = reported ?? { error: String(error).split('\n')[0] };
      // A compiler that threw has left its memory as it was then.
      solc = load();
    }
    parentPort.postMessage({ id, ...answer });
  });
}

// 0.4.11 aborts on every syntax error; its older interface reports them, as text.
function outputOf0411(solc, input) {
  try {
    const errors = solc.errorsAsText(input).map((text) => ({
      component: 'general',
      severity: /^.*:\d+:\d+: Warning: /.test(text) ? 'warning' : 'error',
      type: '',
      message: text.replace(/^.*?:\d+:\d+: \w+: /, '').split('\n')[0],
      formattedMessage: text,
    }));
    return errors.some(({ severity }) => severity === 'error') ? { output: JSON.stringify({ errors, sources: {} }) } : undefined;
  } catch {
    return undefined;
  }
}

// Calls soljson.js itself: the package's own index.js passes the input on the compiler's stack, where some megabytes of
// it overwrite memory in silence; it needs further packages; and 0.8.14 lacks one of its files.
function loadCompiler(folder, readImport) {
  const soljson = loadModule(path.resolve(folder, 'soljson.js'));
  const has = (name) => `_${name}` in soljson;
  const version = soljson.cwrap(has('solidity_version') ? 'solidity_version' : 'version', 'string', [])();
  const readText = soljson.UTF8ToString ?? soljson.Pointer_stringify;

  function writeText(text) {
    const size = soljson.lengthBytesUTF8(text) + 1;
    const address = (soljson._solidity_alloc ?? soljson._malloc)(size);
    soljson.stringToUTF8(text, address, size);
    return address;
  }

  function onImport(name, contents, error) {
    const source = readImport(readText(name));
    if (source === undefined) soljson.setValue(error, writeText('File not found'), '*');
    else soljson.setValue(contents, writeText(source), '*');
  }

  const { addFunction } = soljson.addFunction ? soljson : soljson.Runtime;
  const callback = /^0\.[45]\./.test(version)
    ? addFunction(onImport, 'viii')
    : addFunction((_context, kind, ...rest) => {
        // An SMT query left without an answer counts as unsupported.
        if (readText(kind) === 'source') onImport(...rest);
      }, 'viiiii');

  function call(name, input, ...rest) {
    const address = writeText(input);
    const output = soljson.cwrap(name, 'string', ['number', 'number', 'number'])(address, ...rest);
    // From 0.6 on, solc keeps what it allocated until told.
    if (has('solidity_reset')) soljson._solidity_reset();
    else soljson._free(address);
    if (output === '') throw new Error('solc gave no output');
    return output;
  }

  return {
    version,
    compile(input) {
      return call(has('solidity_compile') ? 'solidity_compile' : 'compileStandard', input, callback, 0).trim();
    },
    errorsAsText(input) {
      const sources = Object.entries(JSON.parse(input).sources).map(([name, { content }]) => [name, content]);
      const output = call('compileJSONCallback', JSON.stringify({ sources: Object.fromEntries(sources) }), 0, callback);
      return JSON.parse(output).errors ?? [];
    },
  };
}

// Not `require`, which holds on to all it ever loaded, 30 MB each.
function loadModule(file) {
  const loaded = new Module(file);
  loaded.load(file);
  // Emscripten's handlers rethrow or abort, and hide where an error came from.
  process.removeAllListeners('uncaughtException');
  process.removeAllListeners('unhandledRejection');
  return loaded.exports;
}

function readSource(name, folders) {
  for (const folder of folders) {
    const file = path.resolve(folder, name);
    const isInside = folders.some((root) => file.startsWith(root + path.sep));
    if (isInside && fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return fs.readFileSync(file, 'utf8');
  }
}
