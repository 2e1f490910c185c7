'use strict';

// The node worker against real releases of solc, the oldest, the newest and the last of each minor version, which npm
// installs once into BELLWETHER_TEST_CACHE. Run with `node --test tests/solc_worker.test.js`.

const assert = require('node:assert/strict');
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, before, describe, test } = require('node:test');

const WORKER = path.join(__dirname, '..', 'src', 'compile', 'solc_worker.js');
const CACHE = path.join(process.env.BELLWETHER_TEST_CACHE ?? path.join(os.tmpdir(), 'bellwether-test-cache'), 'solc');
const NEWEST = '0.8';
const RELEASES = ['0.4.11', '0.4.26', '0.5.17', '0.6.12', '0.7.6', NEWEST];

const COUNTER = 'contract Counter { uint count; function add(uint n) public returns (uint) { count += n; return count; } }';

before(installReleases);

for (const release of RELEASES) {
  describe(`solc ${release}`, () => {
    let worker;
    before(() => (worker = startWorker(packageFolder(release))));
    after(() => worker.end());

    test('is ready with the version it answers to', async () => {
      const { ready, version } = await worker.next();
      assert.equal(ready, true);
      assert.match(version, new RegExp(`^${release.replaceAll('.', '\\.')}[.\\d]*\\+commit\\.[0-9a-f]{8}$`));
    });

    test('compiles', async () => assertCompiles(await worker.compile(COUNTER)));

    for (const [what, source, place, message] of [
      ['a type error', 'contract C { function f() public { missing; } }', '1:36', /Undeclared identifier/],
      ['a syntax error', 'contract C { uint x = ; }', '1:23', /Expected primary expression/],
      ['a missing import', 'contract A {}\nimport "./none.sol";', '2:1', /none\.sol" not found: File not found/],
    ]) {
      test(`reports ${what} where it is`, async () => {
        const { output } = await worker.compile(source);
        const error = output.errors.find(({ severity }) => severity === 'error');
        assert.match(error.message, message);
        assert.ok(error.formattedMessage.includes(`Input.sol:${place}:`), error.formattedMessage);
      });
    }

    test('compiles again after errors', async () => assertCompiles(await worker.compile(COUNTER)));

    test('takes every character, line separators of Unicode included', async () => {
      assertCompiles(await worker.compile(`/* é 😀 \u2028 \u2029 */ ${COUNTER}`));
    });

    test('answers what is no request', async () => {
      const broken = await worker.ask('{"id": 1,');
      assert.equal(broken.id, null);
      assert.match(broken.error, /JSON/);
      assert.deepEqual(await worker.ask('{"id": 7}'), { id: 7, error: 'the request has no "input"' });
    });

    test('prints its version like the native executable', () => {
      const { stdout, status } = run(packageFolder(release), '--version');
      assert.match(stdout, /^solc, the solidity compiler commandline interface\nVersion: \d+\.\d+\.\d+\+commit\.[0-9a-f]{8}\.Emscripten\.clang\n$/);
      assert.equal(status, 0);
    });

    test('reads imports from the folders it was given, and from no other', (t) => {
      const root = temporaryFolder(t);
      write(root, 'base/src/Base.sol', 'contract Base { /* é 😀 */ }');
      write(root, 'lib/dep/Dep.sol', 'contract Dep {}');
      write(root, 'Outside.sol', 'contract Outside {}');
      const folders = ['--allow-paths', root, '--include-path', path.join(root, 'lib'), '--base-path', path.join(root, 'base')];
      const source = `import "src/Base.sol"; import "dep/Dep.sol"; import "${path.join(root, 'Outside.sol')}"; contract Counter is Base, Dep {}`;
      const { stdout, status } = run(packageFolder(release), ...folders, '--standard-json', { input: JSON.stringify(inputOf(source)) });
      assert.equal(status, 0);
      const messages = errorsOf(JSON.parse(stdout)).map(({ message }) => message);
      assert.equal(messages.length, 1, messages);
      assert.match(messages[0], /Outside\.sol" not found: File not found/);
    });
  });
}

test('expressions nested deeply fit the stack', async (t) => {
  const worker = startWorker(packageFolder('0.4.11'), t);
  await worker.next();
  const nested = '('.repeat(1000) + 'n' + ')'.repeat(1000);
  assertCompiles(await worker.compile(COUNTER.replace('+= n', `+= ${nested}`)));
});

test('megabytes of source fit the memory', async (t) => {
  const worker = startWorker(packageFolder('0.4.26'), t);
  await worker.next();
  assertCompiles(await worker.compile(COUNTER + ('// ' + 'x'.repeat(96) + '\n').repeat(40_000)));
});

test('the end of stdin ends it in the middle of a compilation', async () => {
  const worker = startWorker(packageFolder(NEWEST));
  await worker.next();
  worker.send(JSON.stringify({ id: 1, input: inputOf(COUNTER + ('// ' + 'x'.repeat(96) + '\n').repeat(160_000)) }));
  const { code, unread } = await worker.end();
  assert.equal(code, 0);
  assert.deepEqual(unread, []);
});

test('a package cannot print on stdout, and is loaded afresh when it throws', async (t) => {
  const folder = temporaryFolder(t);
  write(folder, 'soljson.js', `
    console.log('noise of loading');
    let compiled = 0;
    const texts = [''];
    const functions = {
      solidity_version: () => '0.8.0+commit.00000000.Emscripten.clang',
      solidity_compile: (address) => {
        console.log('noise'); process.stdout.write('noise'); require('fs').writeSync(1, 'noise');
        if (texts[address].includes('throw')) throw new Error('broken\\n  at length');
        return JSON.stringify({ compiled: ++compiled });
      },
    };
    process.on('uncaughtException', () => process.exit(9));
    module.exports = {
      _solidity_version: 1, _solidity_compile: 1, _solidity_reset() {},
      cwrap: (name) => functions[name], addFunction: () => 1,
      lengthBytesUTF8: (text) => text.length, _malloc: () => texts.push('') - 1, stringToUTF8: (text, address) => (texts[address] = text),
    };`);
  const worker = startWorker(folder, t);
  assert.deepEqual(await worker.next(), { ready: true, version: '0.8.0+commit.00000000' });
  assert.deepEqual(await worker.ask('{"id":"a","input":{}}'), { id: 'a', output: { compiled: 1 } });
  assert.deepEqual(await worker.ask('{"id":"b","input":{}}'), { id: 'b', output: { compiled: 2 } });
  assert.deepEqual(await worker.ask('{"id":"c","input":"throw"}'), { id: 'c', error: 'Error: broken' });
  assert.deepEqual(await worker.ask('{"id":"d","input":{}}'), { id: 'd', output: { compiled: 1 } });
});

test('a folder without a compiler ends it with the reason', (t) => {
  const { stdout, stderr, status } = run(temporaryFolder(t), '--version');
  assert.equal(stdout, '');
  assert.match(stderr, /soljson\.js/);
  assert.equal(status, 1);
});

function installReleases() {
  const missing = RELEASES.filter((release) => !fs.existsSync(path.join(packageFolder(release), 'soljson.js')));
  if (missing.length === 0) return;
  fs.mkdirSync(CACHE, { recursive: true });
  const packages = missing.map((release) => `solc-${release}@npm:solc@${release}`);
  execFileSync('npm', ['install', '--prefix', CACHE, '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

function packageFolder(release) {
  return path.join(CACHE, 'node_modules', `solc-${release}`);
}

function inputOf(source) {
  return {
    language: 'Solidity',
    sources: { 'Input.sol': { content: source } },
    settings: { outputSelection: { '*': { '': ['ast'], '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'evm.methodIdentifiers', 'storageLayout'] } } },
  };
}

function errorsOf(output) {
  return (output.errors ?? []).filter(({ severity }) => severity === 'error');
}

function assertCompiles({ output }) {
  assert.deepEqual(errorsOf(output), []);
  const { abi, evm } = output.contracts['Input.sol'].Counter;
  assert.deepEqual(abi.map(({ name }) => name), ['add']);
  assert.deepEqual(evm.methodIdentifiers, { 'add(uint256)': '1003e2d2' });
  assert.match(evm.bytecode.object, /^60[0-9a-f]+$/);
  assert.match(evm.deployedBytecode.sourceMap, /^\d+:\d+:\d/);
}

// Every line of stdout must be JSON: `next` fails on any other.
function startWorker(folder, t) {
  const child = spawn(process.execPath, [WORKER, folder], { stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = new Promise((resolve) => child.on('close', resolve));
  const lines = [];
  let wake = () => {};
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const pieces = (rest + text).split('\n');
    rest = pieces.pop();
    lines.push(...pieces);
    wake();
  });
  child.on('close', () => wake());

  const worker = {
    send: (line) => child.stdin.write(line + '\n'),
    async next() {
      while (lines.length === 0) {
        assert.equal(child.exitCode, null, 'the worker ended');
        await new Promise((resolve) => (wake = resolve));
      }
      return JSON.parse(lines.shift());
    },
    ask(line) {
      worker.send(line);
      return worker.next();
    },
    compile: (source) => worker.ask(JSON.stringify({ id: 1, input: inputOf(source) })),
    async end() {
      child.stdin.end();
      return { code: await exited, unread: lines };
    },
  };
  t?.after(() => worker.end());
  return worker;
}

function run(folder, ...options) {
  const settings = typeof options.at(-1) === 'object' ? options.pop() : {};
  return spawnSync(process.execPath, [WORKER, folder, ...options], { encoding: 'utf8', input: '', ...settings });
}

function temporaryFolder(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bellwether-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

function write(folder, name, text) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
