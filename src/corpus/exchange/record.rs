//! A [`Record`] is one sequence or one finding as it is shared: readable text, whose hash is its name. It holds calls, and the names that
//! are needed to make them again; nothing of the sources.

use crate::{
    corpus::store::{
        Kind,
        folder::{folder_name, is_ours, name_of},
        record::{Decoded, entry, read_entry, shared_finding},
    },
    finding::Finding,
    harness::Key,
    input::{CallTable, Sequence},
};
use serde_json::Value;

/// Bytes of the largest record that is sent or received; chosen by hand. Of the 3,302 records of this repository's fixtures the largest has
/// 11 kB.
pub const MAX_RECORD: usize = 256 << 10;
/// Characters of the longest name of a topic: a contract's name is cut before, and a hash follows.
const MAX_TOPIC: usize = 64;

/// What a record is about: one contract in one of its worlds, by the name of its folder in a corpus store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Topic(String);

impl Topic {
    /// Of a contract.
    pub fn of(key: &Key) -> Self {
        Self(folder_name(key))
    }

    /// By its name, if it can be one.
    pub fn named(name: &str) -> Option<Self> {
        let is_one = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-');
        (!name.is_empty() && name.len() <= MAX_TOPIC && name.bytes().all(is_one)).then(|| Self(name.to_owned()))
    }

    /// Its name: letters, digits, `_`, `$` and `-`.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// Why a record is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is too large.
    #[error("has {0} bytes, more than {MAX_RECORD}")]
    TooLarge(u64),
    /// Its name is not the hash of its content.
    #[error("is not named by the hash of its content")]
    WrongName,
    /// It is no text.
    #[error("is not UTF-8")]
    NoText,
    /// It is no sequence for this contract.
    #[error("{0}")]
    Malformed(String),
    /// Nothing that it calls exists.
    #[error("calls no function of the contract")]
    Foreign,
    /// No fuzzer would make these calls.
    #[error("{0}")]
    NotOurs(&'static str),
}

/// One sequence or finding as it is shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The contract.
    pub topic: Topic,
    /// Whether it is a sequence or a finding.
    pub kind: Kind,
    /// The hash of its content, 32 hex digits.
    pub id: String,
    /// Its content.
    pub text: String,
}

/// What a record says.
#[derive(Debug, PartialEq)]
pub(crate) struct Shared {
    /// The sequence, adapted to the contract's current interface.
    pub(crate) sequence: Sequence,
    /// The id of the finding that it shows, and whether that is shrunk; none if it is no finding.
    pub(crate) finding: Option<(String, bool)>,
}

impl Record {
    /// A sequence that is worth running; none if it is too large to be shared.
    pub(crate) fn of_entry(key: &Key, calls: &CallTable, sequence: &Sequence) -> Option<Self> {
        Self::new(Topic::of(key), Kind::Entry, entry(key, calls, sequence))
    }

    /// A finding; none if it is too large to be shared.
    pub(crate) fn of_finding(key: &Key, finding: &Finding) -> Option<Self> {
        Self::new(Topic::of(key), Kind::Finding, shared_finding(finding))
    }

    /// A record with this content; none if it is too large to be shared.
    pub fn new(topic: Topic, kind: Kind, text: String) -> Option<Self> {
        (text.len() <= MAX_RECORD).then(|| Self { topic, kind, id: name_of(&text), text })
    }

    /// A record that somebody sent.
    ///
    /// # Errors
    ///
    /// If it cannot be one.
    pub fn received(topic: &Topic, kind: Kind, id: &str, content: Vec<u8>) -> Result<Self, Refusal> {
        if content.len() > MAX_RECORD {
            return Err(Refusal::TooLarge(content.len() as u64));
        }
        let text = String::from_utf8(content).map_err(|_| Refusal::NoText)?;
        if !Self::is_id(id) || name_of(&text) != id {
            return Err(Refusal::WrongName);
        }
        Ok(Self { topic: topic.clone(), kind, id: id.to_owned(), text })
    }

    /// Whether a record may have this id.
    pub fn is_id(id: &str) -> bool {
        is_ours(id)
    }

    /// What it says to a contract with these calls.
    pub(crate) fn read(&self, calls: &CallTable) -> Result<Shared, Refusal> {
        let sequence = match read_entry(&self.text, calls).map_err(Refusal::Malformed)? {
            Decoded::Whole(sequence) | Decoded::Adapted(sequence) => sequence,
            Decoded::Foreign => return Err(Refusal::Foreign),
        };
        let finding = match self.kind {
            Kind::Entry => None,
            Kind::Finding => Some(finding_of(&self.text).ok_or(Refusal::Malformed("no `id`".to_owned()))?),
        };
        Ok(Shared { sequence, finding })
    }
}

/// The id of a saved finding, and whether it is shrunk.
fn finding_of(text: &str) -> Option<(String, bool)> {
    let json: Value = serde_json::from_str(text).ok()?;
    let shrunk = json.get("shrunk").and_then(Value::as_bool).unwrap_or(true);
    Some((json.get("id")?.as_str().filter(|id| id.len() <= MAX_TOPIC)?.to_owned(), shrunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_topic_leads_nowhere_else() {
        let key = Key { file: "src/Vault.sol".to_owned(), name: "Vault".to_owned(), suite: None };
        let topic = Topic::of(&key);
        assert_eq!(Topic::named(topic.name()), Some(topic));
        for bad in ["", "..", "a/b", "a.b", "a*", "a>", "a b", &"a".repeat(65)] {
            assert_eq!(Topic::named(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_received_is_named_by_its_content_and_has_a_bound() {
        let topic = Topic::named("Vault-0").unwrap();
        let receive = |id: &str, content: &[u8]| Record::received(&topic, Kind::Entry, id, content.to_vec());
        let id = name_of("{}");
        assert_eq!(receive(&id, b"{}").unwrap().text, "{}");
        assert_eq!(receive(&id, b"{ }"), Err(Refusal::WrongName));
        assert_eq!(receive("../../x", b"{}"), Err(Refusal::WrongName));
        assert_eq!(receive(&id, &[0xff, 0xfe]), Err(Refusal::NoText));
        assert_eq!(receive(&id, &vec![b' '; MAX_RECORD + 1]), Err(Refusal::TooLarge(MAX_RECORD as u64 + 1)));
    }
}
