//! The calls that a person wants in a setup, in `[world.CONTRACT]` of `bellwether.toml`. One that fails is an error.

use super::{action::Action, actors::ACTORS, draft::Draft, ground::WorldError};
use crate::{
    evm::{Snapshot, Status},
    input::Transaction,
    project::WorldConfig,
};

impl Draft<'_> {
    /// The calls that a person wants in the setup. They are made if everything is deployed, and then have to succeed.
    pub(super) fn configured_calls(
        &mut self,
        config: &WorldConfig,
        state: Option<Snapshot>,
    ) -> Result<Vec<Transaction>, WorldError> {
        let (mut calls, mut state) = (Vec::new(), state);
        for written in &config.calls {
            let table = self.generator.calls.clone();
            let account = |name: &str| {
                let actor = ACTORS.iter().find(|actor| actor.name == name).map(|actor| actor.address);
                actor.or_else(|| table.named(name).map(|id| table.instance(id).address))
            };
            let error = |problem: String| WorldError::configured(config, written, problem);
            let call = Transaction::from_text(&written.text, &table, ACTORS[0].address, &account);
            let call = call.map_err(|problem| error(format!("`{}`: {problem}", written.text)))?;
            if let Some(before) = &state {
                let (outcome, after) = self.act(Action::Call(&call), before);
                if outcome.status != Status::Success {
                    let ended = outcome.told_in_words(|selector| self.build.error_name(selector).map(str::to_owned));
                    return Err(error(format!("`{}` ends with {}", written.text, ended)));
                }
                state = Some(after);
            }
            calls.push(call);
        }
        Ok(calls)
    }
}
