// What @openzeppelin/upgrades-core says of pairs of sources, one line of JSON for each: the kinds of its operations, none if the
// upgrade is safe. Reads `[[before, after], ...]` from standard input; the packages are in the folder that is the only argument.

const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");

const from = createRequire(`${process.argv[2]}/package.json`);
const core = from("@openzeppelin/upgrades-core");
const solc = from("solc");

const CONTRACT = "Vault";

function compile(input) {
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const errors = (output.errors ?? []).filter((error) => error.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  return output;
}

function layoutOf(source) {
  const selection = { "*": { "*": ["abi", "evm", "storageLayout"], "": ["ast"] } };
  const input = { language: "Solidity", sources: { "A.sol": { content: source } }, settings: { outputSelection: selection } };
  const output = compile(input);
  const version = solc.version().split("+")[0];
  const namespaced = compile(core.makeNamespacedInput(input, output, version));
  const decode = core.solcInputOutputDecoder(input, output);
  const data = core.validate(output, decode, version, input, namespaced);
  return core.getStorageLayout({ version: "3.4", log: [data] }, data[`A.sol:${CONTRACT}`].version);
}

for (const [before, after] of JSON.parse(readFileSync(0, "utf8"))) {
  let kinds;
  try {
    const report = core.getStorageUpgradeReport(layoutOf(before), layoutOf(after), {});
    kinds = report.pass ? [] : report.ops.map((operation) => operation.kind);
  } catch (error) {
    kinds = [`error: ${error.message}`];
  }
  console.log(JSON.stringify(kinds));
}
