//! A [`RecordName`] says which record an object or a message is, and [`OtherForms`] which records are of another version.

use super::unusable::Unusable;
use bellwether::corpus::{
    exchange::{Record, Topic},
    store::{FORM, Kind},
};

/// Digits of the longest form that is shown; chosen by hand.
const MAX_FORM: usize = 9;

/// Which record it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RecordName {
    pub(super) topic: Topic,
    pub(super) kind: Kind,
    /// The hash of its content.
    pub(super) id: String,
}

impl RecordName {
    /// The name of a record.
    pub(super) fn of(record: &Record) -> Self {
        let Record { topic, kind, id, .. } = record;
        Self { topic: topic.clone(), kind: *kind, id: id.clone() }
    }

    /// By the names of its contract, of the folder of its kind, and its own.
    pub(super) fn read(topic: &str, folder: &str, id: &str) -> Option<Self> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.folder() == folder)?;
        Some(Self { topic: Topic::named(topic)?, kind, id: Some(id).filter(|id| Record::is_id(id))?.to_owned() })
    }

    /// The names of its contract, of the folder of its kind, and its own.
    pub(super) fn parts(&self) -> [&str; 3] {
        [self.topic.name(), self.kind.folder(), &self.id]
    }
}

/// The first form of another version that was met.
#[derive(Debug, Default)]
pub(super) struct OtherForms {
    first: Option<String>,
    is_told: bool,
}

impl OtherForms {
    /// Notes a name that stands where that of a form does.
    pub(super) fn see(&mut self, name: &str) {
        let is_form = name.len() <= MAX_FORM && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        if is_form && name != FORM {
            self.first.get_or_insert_with(|| name.to_owned());
        }
    }

    /// What was met, if it was not told yet.
    pub(super) fn take(&mut self) -> Option<Unusable> {
        if self.is_told {
            return None;
        }
        let form = self.first.as_ref()?;
        self.is_told = true;
        Some(Unusable {
            what: format!("has records in form {form}, which another version of Bellwether wrote; they are left out"),
            remedy: "run the same version on all machines",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_known_by_its_parts() {
        let id = "0123456789abcdef0123456789abcdef";
        let name = RecordName::read("Vault-0", "findings", id).unwrap();
        assert_eq!((name.kind, name.parts()), (Kind::Finding, ["Vault-0", "findings", id]));
        for [topic, folder, id] in
            [["a.b", "corpus", id], ["Vault-0", "other", id], ["Vault-0", "corpus", "README"], ["", "", ""]]
        {
            assert_eq!(RecordName::read(topic, folder, id), None, "{topic} {folder} {id}");
        }
    }

    #[test]
    fn another_form_is_told_once() {
        let mut forms = OtherForms::default();
        for name in [FORM, "machines", "packages", "", "1x", "12345678901234567890"] {
            forms.see(name);
        }
        assert!(forms.take().is_none());
        forms.see("2");
        forms.see("3");
        assert!(forms.take().unwrap().what.starts_with("has records in form 2, "));
        assert!(forms.take().is_none());
    }
}
