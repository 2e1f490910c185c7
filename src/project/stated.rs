//! A [`PropertyConfig`] says how Echidna or Medusa call contracts with properties: their files `echidna.yaml` and `medusa.json` at the
//! project's root, as far as they change what is found.

use super::{document::DocumentNode, warning::ProjectWarning};
use alloy_primitives::Address;
use std::{fs, path::Path};

/// How contracts with properties are called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PropertyConfig {
    /// What the tool tests.
    pub mode: TestMode,
    /// Who deploys them.
    pub deployer: Option<Address>,
    /// Who calls them; everybody if it is empty.
    pub senders: Vec<Address>,
    /// Who asks the properties.
    pub property_sender: Option<Address>,
    /// How the names of properties that return a boolean begin, beside the usual ways.
    pub prefixes: Vec<String>,
    /// The functions that are called, or those that are not, as `Contract.function(types)`.
    pub functions: FunctionFilter,
    /// The seconds and the blocks that may pass before a call.
    pub max_delay: (Option<u64>, Option<u64>),
    /// The wei that a call sends at most.
    pub max_value: Option<u64>,
    /// The calls of a sequence.
    pub max_calls: Option<usize>,
    /// Whether contracts that a contract with properties creates are called by others than itself, too.
    pub all_contracts: bool,
}

/// What the tool tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum TestMode {
    /// Properties.
    #[default]
    Properties,
    /// How large numbers can become.
    Optimization,
    /// No functions of their own, but asserts.
    Assertions,
}

/// Which functions are called.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FunctionFilter {
    /// All but these.
    AllBut(Vec<String>),
    /// These and no others.
    Only(Vec<String>),
}

impl Default for FunctionFilter {
    fn default() -> Self {
        Self::AllBut(Vec::new())
    }
}

impl FunctionFilter {
    /// Whether a function of a contract is called.
    pub fn calls(&self, contract: &str, signature: &str) -> bool {
        let is_it = |listed: &String| {
            let (of, function) = listed.split_once('.').unwrap_or((contract, listed));
            of == contract && function == signature
        };
        match self {
            Self::AllBut(listed) => !listed.iter().any(is_it),
            Self::Only(listed) => listed.iter().any(is_it),
        }
    }
}

/// The files of both tools.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PropertyConfigs {
    /// `echidna.yaml`.
    pub echidna: Option<PropertyConfig>,
    /// `medusa.json`.
    pub medusa: Option<PropertyConfig>,
}

/// The names that Echidna's file has.
const ECHIDNA: [&str; 5] =
    ["echidna.yaml", "echidna.yml", "echidna.config.yaml", "echidna.config.yml", "echidna-config.yaml"];

/// Keys of Echidna that matter to its own runs only.
const NOT_APPLIED: [&str; 5] = ["testLimit", "shrinkLimit", "timeout", "corpusDir", "workers"];

impl PropertyConfigs {
    /// Reads the files at a root. What is wrong with one is a warning, and the file is passed over.
    pub(super) fn read(root: &Path) -> (Self, Vec<ProjectWarning>) {
        let mut warnings = Vec::new();
        let mut read = |name: &str, parse: fn(&str) -> Result<DocumentNode, (usize, String)>| {
            let file = root.join(name);
            let text = fs::read_to_string(&file).ok()?;
            match parse(&text) {
                Ok(node) => Some((file, node)),
                Err((line, message)) => {
                    warnings.push(warning(&file, Some(line), format!("cannot be read: {message}; it is ignored")));
                    None
                }
            }
        };
        let echidna = ECHIDNA.iter().find_map(|name| read(name, DocumentNode::from_yaml));
        let medusa = read("medusa.json", |text| {
            let json = serde_json::from_str(text).map_err(|error| (error.line(), error.to_string()))?;
            Ok(DocumentNode::from_json(&json))
        });
        let echidna = echidna.map(|(file, node)| {
            let not_applied = NOT_APPLIED.iter().filter_map(|key| node.get(key).map(|found| (found.line, *key)));
            let not_applied: Vec<(Option<usize>, &str)> = not_applied.collect();
            if let Some((line, _)) = not_applied.first() {
                let keys: Vec<String> = not_applied.iter().map(|(_, key)| format!("`{key}`")).collect();
                let said = format!("not used here: {}; Bellwether's own settings apply instead", keys.join(", "));
                warnings.push(warning(&file, *line, said));
            }
            of_echidna(&node)
        });
        (Self { echidna, medusa: medusa.map(|(_, node)| of_medusa(&node)) }, warnings)
    }

    /// The one for a contract whose functions have these names.
    pub fn of_contract<'a>(&self, mut functions: impl Iterator<Item = &'a String>) -> Option<&PropertyConfig> {
        if functions.any(|name| name.starts_with("echidna_")) {
            return self.echidna.as_ref().or(self.medusa.as_ref());
        }
        self.medusa.as_ref().or(self.echidna.as_ref())
    }
}

fn of_echidna(node: &DocumentNode) -> PropertyConfig {
    let functions = texts(node.get("filterFunctions"));
    let is_blacklist = node.get("filterBlacklist").and_then(DocumentNode::boolean).unwrap_or(true);
    let prefix = node.get("prefix").and_then(DocumentNode::text).map(str::to_owned);
    PropertyConfig {
        mode: match node.get("testMode").and_then(DocumentNode::text) {
            None | Some("property") => TestMode::Properties,
            Some("optimization") => TestMode::Optimization,
            Some(_) => TestMode::Assertions,
        },
        deployer: node.get("deployer").and_then(address),
        senders: addresses(node.get("sender")),
        property_sender: node.get("psender").and_then(address),
        prefixes: prefix.into_iter().collect(),
        functions: if is_blacklist { FunctionFilter::AllBut(functions) } else { FunctionFilter::Only(functions) },
        max_delay: (number(node.get("maxTimeDelay")), number(node.get("maxBlockDelay"))),
        max_value: number(node.get("maxValue")),
        max_calls: number(node.get("seqLen")).and_then(|calls| usize::try_from(calls).ok()),
        // Until Echidna 2.1 it was called `multi-abi`.
        all_contracts: ["allContracts", "multi-abi"].iter().any(|key| is_true(node.get(key))),
    }
}

fn of_medusa(node: &DocumentNode) -> PropertyConfig {
    let fuzzing = node.get("fuzzing");
    let of = |key: &str| fuzzing.and_then(|fuzzing| fuzzing.get(key));
    let testing = |key: &str| of("testing").and_then(|testing| testing.get(key));
    let only = texts(testing("targetFunctionSignatures"));
    let prefixes = testing("propertyTesting").and_then(|it| it.get("testPrefixes"));
    PropertyConfig {
        mode: TestMode::Properties,
        deployer: of("deployerAddress").and_then(address),
        senders: addresses(of("senderAddresses")),
        property_sender: None,
        prefixes: texts(prefixes),
        functions: match only.is_empty() {
            true => FunctionFilter::AllBut(texts(testing("excludeFunctionSignatures"))),
            false => FunctionFilter::Only(only),
        },
        max_delay: (number(of("blockTimestampDelayMax")), number(of("blockNumberDelayMax"))),
        max_value: None,
        max_calls: number(of("callSequenceLength")).and_then(|calls| usize::try_from(calls).ok()),
        all_contracts: is_true(testing("testAllContracts")),
    }
}

fn texts(node: Option<&DocumentNode>) -> Vec<String> {
    let texts = node.and_then(DocumentNode::texts).unwrap_or_default();
    texts.into_iter().map(str::to_owned).collect()
}

fn is_true(node: Option<&DocumentNode>) -> bool {
    node.and_then(DocumentNode::boolean).unwrap_or(false)
}

fn number(node: Option<&DocumentNode>) -> Option<u64> {
    u64::try_from(node?.integer()?).ok()
}

/// An address, of which leading zeros may be missing: `0x10000`.
fn address(node: &DocumentNode) -> Option<Address> {
    let digits = match node.text() {
        Some(text) => text.strip_prefix("0x")?.to_owned(),
        None => format!("{:x}", u64::try_from(node.integer()?).ok()?),
    };
    format!("{digits:0>40}").parse().ok()
}

fn addresses(node: Option<&DocumentNode>) -> Vec<Address> {
    let items = node.map(DocumentNode::items).unwrap_or_default();
    items.iter().filter_map(address).collect()
}

fn warning(file: &Path, line: Option<usize>, message: String) -> ProjectWarning {
    ProjectWarning { file: Some(file.to_owned()), line, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::address;

    const ECHIDNA: &str = "deployer: \"0x30000\"\nsender: [\"0x10000\", 0x20000]\npsender: \"0x10000\"\nseqLen: 50\nmaxTimeDelay: 3600\n\
                           filterBlacklist: true\nfilterFunctions: [\"FuseTest.blow()\"]\nallContracts: true\n";
    const MEDUSA: &str = r#"{ "fuzzing": { "senderAddresses": ["0x10000"], "blockNumberDelayMax": 100,
        "testing": { "testAllContracts": true, "targetFunctionSignatures": ["A.f(uint256)"], "propertyTesting": { "testPrefixes": ["fuzz_"] } } } }"#;

    #[test]
    fn both_files_say_the_same_things() {
        let echidna = of_echidna(&DocumentNode::from_yaml(ECHIDNA).unwrap());
        let expected = PropertyConfig {
            mode: TestMode::Properties,
            deployer: Some(address!("0000000000000000000000000000000000030000")),
            senders: vec![
                address!("0000000000000000000000000000000000010000"),
                address!("0000000000000000000000000000000000020000"),
            ],
            property_sender: Some(address!("0000000000000000000000000000000000010000")),
            prefixes: Vec::new(),
            functions: FunctionFilter::AllBut(vec!["FuseTest.blow()".to_owned()]),
            max_delay: (Some(3600), None),
            max_value: None,
            max_calls: Some(50),
            all_contracts: true,
        };
        assert_eq!(echidna, expected);
        let medusa = of_medusa(&DocumentNode::from_json(&serde_json::from_str(MEDUSA).unwrap()));
        let expected = PropertyConfig {
            senders: vec![address!("0000000000000000000000000000000000010000")],
            prefixes: vec!["fuzz_".to_owned()],
            functions: FunctionFilter::Only(vec!["A.f(uint256)".to_owned()]),
            max_delay: (None, Some(100)),
            all_contracts: true,
            ..PropertyConfig::default()
        };
        assert_eq!(medusa, expected);
    }

    #[test]
    fn functions_are_left_out_or_chosen() {
        let all_but = FunctionFilter::AllBut(vec!["A.f()".to_owned()]);
        assert_eq!([("A", "f()"), ("A", "g()"), ("B", "f()")].map(|(of, f)| all_but.calls(of, f)), [false, true, true]);
        let only = FunctionFilter::Only(vec!["A.f()".to_owned()]);
        assert_eq!([("A", "f()"), ("A", "g()"), ("B", "f()")].map(|(of, f)| only.calls(of, f)), [true, false, false]);
    }

    #[test]
    fn a_file_that_is_no_yaml_is_told_with_its_line() {
        let wrong = DocumentNode::from_yaml("a: 1\nb: [1,\n").unwrap_err();
        assert_eq!(wrong.0, 3);
    }
}
