//! `arbitrary-jump`: a caller makes the code jump to where the compiler never meant it to go on (SWC-127), through a variable of a function
//! type. It is proven by having each user do it, and by other words, which lead somewhere else.

use super::{
    attack,
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::{StrangerPower, Strangers, Trial},
    violation::Violation,
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    code::Programs,
    compile::{Build, Source},
    evm::{FailureKind, Instruments},
    project::Level,
    world::is_deployer,
};

const META: OracleMeta = oracle_meta! {
    id: "arbitrary-jump",
    title: "Anyone chooses where the code goes on",
    swc: "127",
    level: Level::Error,
    description: "Anyone can make the contract jump to a place that the compiler never meant it to jump to",
};

#[derive(Debug)]
pub(super) struct ArbitraryJump;

impl Oracle for ArbitraryJump {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { instruments: Instruments { jumps: true, ..Instruments::default() }, ..Needs::default() }
    }

    fn needs_on(&self, build: &Build, _: &Programs) -> Needs {
        match build.sources.iter().any(|source| has_function_type(source)) {
            true => self.needs(),
            false => Needs::default(),
        }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        // A variable that was never set leads to 0 in code of old compilers: that is nobody's choice. Where the code goes on after a wild
        // jump, others may follow from it.
        let mut jumps = 0;
        let is_sought = |kind| match kind {
            FailureKind::WildJump { to } => {
                jumps += 1;
                jumps == 1 && !to.is_zero()
            }
            _ => false,
        };
        attack::tell_of_others(execution, violations, is_sought, "call can go on anywhere in the code");
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let Strangers { power, attack } = trial.strangers(violation);
        if power == StrangerPower::None {
            return None;
        }
        if trial.moves_jump(violation) && !trial.is_led_by_deployer(&attack, violation) {
            let because = "Every user can make the call, and another word in it leads somewhere else in the code.";
            return Some(Weight::always(because));
        }
        // Whoever has a role may have overwritten it.
        let is_by_users = attack.iter().all(|transaction| !is_deployer(transaction.sender));
        let because = "Every user can make the contract call a function where no function is: what the variable holds was \
                       overwritten.";
        is_by_users.then(|| Weight::at_most(Level::Warning, Grounds::Always(because)).shown_by(attack))
    }

    fn evidence(&self, _: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let jump = replay.failures.iter().find(|failure| matches!(failure.kind, FailureKind::WildJump { .. }));
        let jump = jump.ok_or("the call does not jump there any more")?;
        if jump.depth == 0 { Ok(Evidence::Burns) } else { Err("a contract around it may hide that it fails") }
    }
}

/// Whether a source may have a variable of a function type. A fallback function of old looks the same.
fn has_function_type(source: &Source) -> bool {
    let mut words = source.text.match_indices("function");
    words.any(|(at, word)| source.text[at + word.len()..].trim_start().starts_with('('))
}
