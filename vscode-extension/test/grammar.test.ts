// The colours: pieces of Solidity, read by the tokenizer that VS Code has. Carets below a line say what stands above them: the scope that a
// theme gives a colour to, without the language at its end.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry, type IGrammar } from "vscode-textmate";
import manifest from "../package.json";

const [contributed] = manifest.contributes.grammars;

async function load(): Promise<IGrammar> {
  assert.ok(contributed);
  const { scopeName, path: file } = contributed;
  const registry = new Registry({
    onigLib: loadWASM(readFileSync("node_modules/vscode-oniguruma/release/onig.wasm")).then(() => ({ createOnigScanner, createOnigString })),
    loadGrammar: (name) => Promise.resolve(name === scopeName ? parseRawGrammar(readFileSync(file, "utf8"), file) : null),
  });
  const grammar = await registry.loadGrammar(scopeName);
  assert.ok(grammar, `${file} is the grammar ${scopeName}`);
  return grammar;
}
const grammar = load();

function coloured(name: string, text: string): void {
  test(name, async () => {
    const { tokenizeLine } = bound(await grammar);
    let state = INITIAL;
    let line = "";
    let tokens: ReturnType<typeof tokenizeLine>["tokens"] = [];
    let said = 0;
    for (const row of text.split("\n")) {
      const expected = /^( *)(\^+) ([\w.-]+)$/.exec(row);
      if (expected === null) {
        line = row;
        ({ tokens, ruleStack: state } = tokenizeLine(row, state));
        continue;
      }
      const [, before, carets, scope] = expected as unknown as [string, string, string, string];
      for (let column = before.length; column < before.length + carets.length; column++) {
        const innermost = tokens.find(({ startIndex, endIndex }) => startIndex <= column && column < endIndex)?.scopes.at(-1);
        assert.ok(innermost === scope || innermost?.startsWith(`${scope}.`), `${String(innermost)} in column ${column}, not ${scope}:\n${line}\n${row}`);
      }
      said += 1;
    }
    assert.notEqual(said, 0);
  });
}

/** How deep in nested rules a text ends; 1 is outside of all of them. What is illegal is told with its line. */
async function depthAtEnd(text: string, file: string): Promise<number> {
  const { tokenizeLine } = bound(await grammar);
  let state = INITIAL;
  text.split(/\r?\n/).forEach((line, index) => {
    const { tokens, ruleStack } = tokenizeLine(line, state);
    const illegal = tokens.find(({ scopes }) => scopes.some((scope) => scope.startsWith("invalid")));
    assert.equal(illegal, undefined, `${file}:${index + 1}: ${line}`);
    state = ruleStack;
  });
  return state.depth;
}

function bound(it: IGrammar): Pick<IGrammar, "tokenizeLine"> {
  return { tokenizeLine: it.tokenizeLine.bind(it) };
}

coloured(
  "comments, with the tags of NatSpec",
  `// @notice is a tag in NatSpec only
^^^^^^^^^^^^^^^ comment.line.double-slash
//// four slashes
^^^^^^^^^^^^^^^^^ comment.line.double-slash
/// @notice Pays out.
    ^^^^^^^ keyword.other.natspec
            ^^^^^^^^^ comment.line.documentation
/// Ask owner@dev.example, not @dev
              ^^^^ comment.line.documentation
                               ^^^^ comment.line.documentation
/** @dev Begins here
    ^^^^ keyword.other.natspec
 * @param to who is paid
   ^^^^^^ keyword.other.natspec
          ^^ variable.other.natspec
             ^^^^^^^^^^^ comment.block.documentation
 * @custom:security-contact a@b.example
   ^^^^^^^^^^^^^^^^^^^^^^^^ keyword.other.natspec
 */ uint x; /**/ int y; /*** stars @dev ***/
    ^^^^ support.type.primitive
            ^^^^ comment.block.solidity
                 ^^^ support.type.primitive
                                   ^^^^ comment.block.solidity`,
);

coloured(
  "strings end with their line, and know their escapes",
  `string a = "it's \\"so\\" \\x41\\u00e9 // no comment";
           ^^^^^ string.quoted
                 ^^ constant.character.escape
                        ^^^^^^^^^^ constant.character.escape
                                   ^^^^^^^^^^^^^ string.quoted
string b = 'a\\q';
             ^^ invalid.illegal.escape
string c = unicode"Grüße 👋"; bytes d = hex"00ff_7g";
           ^^^^^^^ storage.type.string
                   ^^^^^ string.quoted
                              ^^^^^ support.type.primitive
                                        ^^^ storage.type.string
                                            ^^^^^^ string.quoted.hex
                                                  ^ invalid.illegal.hex
string e = "left open
           ^^^^^^^^^^ string.quoted
uint256 f;
^^^^^^^ support.type.primitive`,
);

coloured(
  "numbers with their units",
  `x = 1_000.5e-3 ether + 0xFF_aa - 7 days * .5 gwei / 2**96;
    ^^^^^^^^^^ constant.numeric.decimal
               ^^^^^ keyword.other.unit
                       ^^^^^^^ constant.numeric.hex
                                 ^ constant.numeric.decimal
                                   ^^^^ keyword.other.unit
                                          ^^ constant.numeric.decimal
                                                    ^ constant.numeric.decimal
                                                     ^^ keyword.operator.arithmetic
                                                       ^^ constant.numeric.decimal
y1 = days[2];
^^ variable.other
     ^^^^ variable.other`,
);

coloured(
  "pragmas, imports and using",
  `pragma solidity >=0.8.20 <0.9.0;
^^^^^^ keyword.control.directive
       ^^^^^^^^ entity.name.tag.pragma
                ^^ keyword.operator.version
                  ^^^^^^ constant.numeric.version
import {Math as M, IERC20} from "./lib/Math.sol";
^^^^^^ keyword.control.import
        ^^^^ entity.name.type
             ^^ keyword.control.import
                           ^^^^ keyword.control.import
                                ^^^^^^^^^^^^^^^^ string.quoted
address from = as_; transfer(from, to);
        ^^^^ variable.other
                    ^^^^^^^^ entity.name.function
                             ^^^^ variable.other
using {add as +} for Price global;
^^^^^ keyword.other.using
           ^^ keyword.other.using
                     ^^^^^ entity.name.type
                           ^^^^^^ keyword.other.using`,
);

coloured(
  "contracts and what they inherit",
  `abstract contract Vault is Owned(msg.sender, 1 ether), access.Pausable {
^^^^^^^^ storage.modifier.abstract
         ^^^^^^^^ storage.type.contract
                  ^^^^^ entity.name.type.contract
                        ^^ storage.modifier.is
                           ^^^^^ entity.other.inherited-class
                                 ^^^ variable.language
                                             ^ constant.numeric.decimal
                                                              ^^^^^^^^ entity.other.inherited-class
    type Price is uint128;
    ^^^^ storage.type.alias
         ^^^^^ entity.name.type.alias
               ^^ storage.modifier.is
                  ^^^^^^^ support.type.primitive
    enum State { Open, Closed }
    ^^^^ storage.type.enum
         ^^^^^ entity.name.type.enum
                 ^^^^ variable.other.enummember
                       ^^^^^^ variable.other.enummember
    mapping(address owner => mapping(uint256 => State)) private states;
    ^^^^^^^ storage.type.mapping
            ^^^^^^^ support.type.primitive
                          ^^ storage.type.arrow
                                                ^^^^^ entity.name.type
                                                        ^^^^^^^ storage.modifier.visibility
                                                                ^^^^^^ variable.other`,
);

coloured(
  "functions, modifiers, events and errors",
  `event Paid(address indexed to, uint256 amount) anonymous;
^^^^^ storage.type.event
      ^^^^ entity.name.type.event
                   ^^^^^^^ storage.modifier
error Refused(uint256 code);
^^^^^ storage.type.error
      ^^^^^^^ entity.name.type.error
string error = "a name in older code";
       ^^^^^ variable.other
modifier onlyOwner() { _; }
^^^^^^^^ storage.type.modifier
         ^^^^^^^^^ entity.name.function.modifier
                       ^ variable.language
receive() external payable {}
^^^^^^^ storage.type.function
constructor() Owned(_owner) payable {}
^^^^^^^^^^^ storage.type.function
              ^^^^^ entity.name.type
                    ^^^^^^ variable.other
function pay(address payable to) public virtual override returns (bool ok) {
^^^^^^^^ storage.type.function
         ^^^ entity.name.function
             ^^^^^^^^^^^^^^^ support.type.primitive
                                 ^^^^^^ storage.modifier.visibility
                                                         ^^^^^^^ storage.type.function`,
);

coloured(
  "statements",
  `if (balances[msg.sender] < amount) revert Refused(block.number);
^^ keyword.control
    ^^^^^^^^ variable.other
             ^^^ variable.language
                 ^^^^^^ variable.other.property
                         ^ keyword.operator.comparison
                                   ^^^^^^ keyword.control
                                          ^^^^^^^ entity.name.type
require(to.send(MAX_FEE) && !frozen, "no");
^^^^^^^ support.function
           ^^^^ entity.name.function
                ^^^^^^^ variable.other.constant
                         ^^ keyword.operator.logical
(bool ok,) = to.call{value: 1 wei, gas: 5000}("");
 ^^^^ support.type.primitive
                ^^^^ entity.name.function
try this.pay(payable(to)) { emit Paid(to, 1); } catch { x <<= 2; x = a ? b : ~c; }
^^^ keyword.control
    ^^^^ variable.language
                            ^^^^ keyword.control
                                                ^^^^^ keyword.control
                                                          ^^^ keyword.operator.assignment
                                                                       ^ keyword.operator.ternary
uint7 memory_ = stringy.delete_; uint248[] memory all = new uint248[](3);
^^^^^ variable.other
      ^^^^^^^ variable.other
                ^^^^^^^ variable.other
                                 ^^^^^^^ support.type.primitive
                                           ^^^^^^ storage.modifier
                                                        ^^^ keyword.operator.new`,
);

coloured(
  "assembly, and Solidity again after it",
  `assembly ("memory-safe") {
^^^^^^^^ keyword.control.assembly
          ^^^^^^^^^^^^^ string.quoted
    // { not a block
    ^^^^^^^^^^^^^^^^ comment.line.double-slash
    let free := mload(0x40)
    ^^^ storage.type.let.yul
        ^^^^ variable.other.yul
             ^^ keyword.operator.yul
                ^^^^^ support.function.yul
                      ^^^^ constant.numeric.hex
    function twice(a) -> b { b := add(a, a) }
             ^^^^^ entity.name.function.yul
                      ^^ keyword.operator.yul
    for { } lt(i, 3) { i := twice(i) } { if eq(i, total.slot) { break } }
    ^^^ keyword.control.yul
            ^^ support.function.yul
                            ^^^^^ entity.name.function.yul
                                                       ^^^^^ variable.other.property.yul
                                                                ^^^^^ keyword.control.yul
}
return add(a, b);
^^^^^^ keyword.control
       ^^^ entity.name.function`,
);

test("nothing of the fixtures is illegal, and each file ends outside of all blocks, strings and comments", async () => {
  const fixtures = "../fixtures";
  const files = readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sol"));
  assert.ok(files.length > 100, `${files.length} files`);
  for (const file of files) {
    assert.equal(await depthAtEnd(readFileSync(path.join(fixtures, file), "utf8"), file), 1, file);
  }
});
