//! [`Products`] separates the contracts that a project is about from those that only support it: tests, mocks, harnesses,
//! examples and scripts, by the names of their folders, files and contracts. Support is fuzzed too, but last. Only names inside
//! of the project count, whatever the folders above it are called.

use super::exclude::Globs;

/// Words that make a folder one of support.
const FOLDERS: [&str; 28] = [
    "test",
    "tests",
    "testing",
    "tester",
    "testers",
    "mock",
    "mocks",
    "mocked",
    "stub",
    "stubs",
    "fake",
    "fakes",
    "spec",
    "specs",
    "certora",
    "harness",
    "harnesses",
    "example",
    "examples",
    "sample",
    "samples",
    "script",
    "scripts",
    "echidna",
    "medusa",
    "halmos",
    "fuzz",
    "fuzzing",
];

/// Words that make a contract one of support where its name begins or ends with them.
const NAMES: [&str; 11] =
    ["test", "tests", "tester", "mock", "mocks", "mocked", "harness", "echidna", "example", "stub", "fake"];

/// The rules by which a contract is a product.
#[derive(Debug, Clone)]
pub struct Products {
    include: Globs,
}

impl Products {
    /// Files that `include` matches are products, whatever their names.
    pub(super) fn new(include: &[String]) -> Self {
        Self { include: Globs::new(include) }
    }

    /// The name that makes a contract support: of the folder, the file, or the contract. `None` if it is a product. `file` is
    /// its path from the project's root, with forward slashes.
    pub fn support<'a>(&self, file: &'a str, contract: &'a str) -> Option<&'a str> {
        // An absolute path leads out of the project, where names mean nothing.
        if file.starts_with('/') || self.include.matches(file) {
            return None;
        }
        for (end, _) in file.match_indices('/') {
            let folder = &file[..end];
            let name = folder.rsplit('/').next().unwrap_or(folder);
            if words(name).iter().any(|word| FOLDERS.contains(&word.as_str())) {
                return Some(folder);
            }
        }
        let name = file.rsplit('/').next().unwrap_or(file);
        if name.ends_with(".t.sol") || name.ends_with(".s.sol") {
            return Some(file);
        }
        let words = words(contract);
        let is_support = |word: Option<&String>| word.is_some_and(|word| NAMES.contains(&word.as_str()));
        (is_support(words.first()) || is_support(words.last())).then_some(contract)
    }
}

/// The words of a name, in lower case: `TestContracts`, `test-contracts` and `test_contracts` have two.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut open, mut before) = (false, ' ');
    for letter in name.chars() {
        let begins = letter.is_uppercase() && !before.is_uppercase();
        if !letter.is_alphabetic() {
            open = false;
        } else if open && !begins {
            if let Some(word) = words.last_mut() {
                word.extend(letter.to_lowercase());
            }
        } else {
            words.push(letter.to_lowercase().collect());
            open = true;
        }
        before = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn support_is_known_by_folders_files_and_names() {
        let products = Products::new(&[]);
        for (file, contract, support) in [
            ("contracts/Vault.sol", "Vault", None),
            ("contracts/test/Vault.sol", "Vault", Some("contracts/test")),
            ("contracts/TestContracts/A.sol", "A", Some("contracts/TestContracts")),
            ("contracts/test-helpers/deep/A.sol", "A", Some("contracts/test-helpers")),
            ("mocks/A.sol", "A", Some("mocks")),
            ("certora/specs/A.sol", "A", Some("certora")),
            ("src/echidna_fuzz/A.sol", "A", Some("src/echidna_fuzz")),
            ("src/examples2/A.sol", "A", Some("src/examples2")),
            ("src/Vault.t.sol", "Vault", Some("src/Vault.t.sol")),
            ("src/Deploy.s.sol", "Deploy", Some("src/Deploy.s.sol")),
            ("src/A.sol", "MockToken", Some("MockToken")),
            ("src/A.sol", "TokenMock", Some("TokenMock")),
            ("src/A.sol", "TestHelper", Some("TestHelper")),
            ("src/A.sol", "ERC20Mock", Some("ERC20Mock")),
            ("src/A.sol", "FooHarness", Some("FooHarness")),
            // Words that only look like these.
            ("src/latest/Contest.sol", "Contest", None),
            ("src/attestation/A.sol", "Attester", None),
            ("src/specification/A.sol", "Inspector", None),
            ("src/A.sol", "LatestTestament", None),
            ("src/A.sol", "Protest", None),
            // Outside of the project.
            ("/home/somebody/tests/lib/A.sol", "A", None),
        ] {
            assert_eq!(products.support(file, contract), support, "{file} {contract}");
        }
    }

    #[test]
    fn what_is_included_is_a_product() {
        let products = Products::new(&["examples/token".to_owned(), "MockToken.sol".to_owned()]);
        assert_eq!(products.support("examples/token/Token.sol", "Token"), None);
        assert_eq!(products.support("src/mocks/MockToken.sol", "MockToken"), None);
        assert_eq!(products.support("examples/vault/Vault.sol", "Vault"), Some("examples"));
    }
}
