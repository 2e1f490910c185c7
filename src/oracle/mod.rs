//! An [`Oracle`] reads what a transaction showed and says what is wrong, and where. It sees facts only: how they came
//! about, and what is done with the verdict, is not its business. One file for each.

mod arbitrary_write;
mod assertion;
mod checked_arithmetic;
mod compiler_check;
mod place;

use crate::{
    code::Programs,
    compile::{Build, NodeKind, SourceId, Span},
    evm::Observation,
    project::{self, Config, Level, OracleMeta},
};
use place::Places;
use std::sync::Arc;

/// What is wrong, in a form that does not depend on how it was reached: two of them are the same defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Violation {
    /// Whose verdict.
    pub oracle: &'static str,
    /// In which source.
    pub source: SourceId,
    /// The expression that fails.
    pub span: Span,
    /// How it fails.
    pub cause: Cause,
}

/// How an expression fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// `Panic(code)`.
    Panic(u64),
    /// INVALID, which solc emitted before 0.8, at an expression of this kind.
    Invalid(Option<NodeKind>),
    /// An `AssertionFailed` event.
    Event,
    /// A word in a slot of the caller's choice.
    Write,
}

impl Cause {
    /// In a few words, as they follow "this ... ".
    pub fn describe(self) -> &'static str {
        match self {
            Self::Panic(0x01) | Self::Event | Self::Invalid(Some(NodeKind::Assert)) => "assertion can fail",
            Self::Panic(0x11) => "arithmetic can overflow",
            Self::Panic(0x12) | Self::Invalid(Some(NodeKind::Division)) => "division by zero",
            Self::Panic(0x21) | Self::Invalid(Some(NodeKind::Conversion)) => "value can be out of the enum's range",
            Self::Panic(0x31) | Self::Invalid(Some(NodeKind::Pop)) => "pop on an empty array",
            Self::Panic(0x32) | Self::Invalid(Some(NodeKind::Index)) => "index can be out of bounds",
            Self::Panic(0x51) | Self::Invalid(Some(NodeKind::Call)) => "call of an uninitialised function pointer",
            Self::Write => "write can reach any storage slot",
            Self::Panic(_) | Self::Invalid(_) => "check can fail",
        }
    }
}

/// What an oracle gets to see of one transaction.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The build that ran.
    pub build: &'a Build,
    /// Its code.
    pub programs: &'a Programs,
    /// What was observed.
    pub observation: &'a Observation,
}

/// A judge of transactions.
pub trait Oracle: Send + Sync + std::fmt::Debug {
    /// What people see of it: name, title, default level.
    fn meta(&self) -> &'static OracleMeta;
    /// Whether a failure of this cause is its business.
    fn judges(&self, cause: Cause) -> bool;
}

/// The oracle whose goals the fuzzer looks for by itself.
pub const ARBITRARY_WRITE: &str = project::ARBITRARY_WRITE.name;

/// All oracles, in the order in which they are asked.
pub fn all() -> [&'static dyn Oracle; 4] {
    [
        &assertion::Assertion,
        &compiler_check::CompilerCheck,
        &checked_arithmetic::CheckedArithmetic,
        &arbitrary_write::ArbitraryWrite,
    ]
}

/// The oracle of this name.
pub fn find(name: &str) -> Option<&'static dyn Oracle> {
    all().into_iter().find(|oracle| oracle.meta().name == name)
}

/// The oracles that are switched on, with the places they already looked up.
#[derive(Debug)]
pub struct Bench {
    build: Arc<Build>,
    programs: Arc<Programs>,
    oracles: Vec<&'static dyn Oracle>,
    places: Places,
}

impl Bench {
    /// The oracles that `config` does not switch off.
    pub fn new(build: Arc<Build>, programs: Arc<Programs>, config: &Config) -> Self {
        let oracles = all().into_iter().filter(|oracle| config.level(oracle.meta().name) != Level::Off).collect();
        Self { build, programs, oracles, places: Places::default() }
    }

    /// All oracles.
    pub fn complete(build: Arc<Build>, programs: Arc<Programs>) -> Self {
        Self { build, programs, oracles: all().into(), places: Places::default() }
    }

    /// What is wrong with the transaction that showed this. Costs nothing where nothing failed.
    pub fn judge(&mut self, observation: &Observation) -> Vec<Violation> {
        if observation.failures.is_empty() {
            return Vec::new();
        }
        let scene = Scene { build: &self.build, programs: &self.programs, observation };
        let mut violations = Vec::new();
        for failure in &observation.failures {
            let Some((place, cause)) = self.places.find(&scene, failure) else { continue };
            if let Some(oracle) = self.oracles.iter().find(|oracle| oracle.judges(cause)) {
                let violation = Violation { oracle: oracle.meta().name, source: place.source, span: place.span, cause };
                if !violations.contains(&violation) {
                    violations.push(violation);
                }
            }
        }
        violations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::ORACLES;

    #[test]
    fn what_is_listed_for_people_is_what_judges() {
        let mut judging: Vec<&str> = all().iter().map(|oracle| oracle.meta().name).collect();
        judging.sort_unstable();
        let mut listed: Vec<&str> = OracleMeta::names().collect();
        listed.sort_unstable();
        assert_eq!(judging, listed);
        assert!(ORACLES.iter().all(|oracle| find(oracle.name).is_some_and(|found| found.meta() == oracle)));
    }
}
