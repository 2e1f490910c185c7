//! `workspace/executeCommand`: pause and go on, forget, show targets, and what belongs to code actions. In manual mode going on is
//! how fuzzing is asked for. The names are not those of the VS Code extension's own commands: it registers ours too, and each name
//! only once.

use super::{capabilities::Capabilities, outbox::Outgoing, state::State};
use serde_json::Value;
use tower_lsp_server::{
    jsonrpc,
    ls_types::{ExecuteCommandParams, MessageType},
};

const PAUSE: &str = "bellwether.pause";
const RESUME: &str = "bellwether.resume";
const CLEAR: &str = "bellwether.clear";
const SHOW_TARGETS: &str = "bellwether.showTargets";

/// Has the client write the regression test of the finding whose id is the argument.
pub(super) const WRITE_TEST: &str = "bellwether.writeRegressionTest";

/// Has the client open the file that is the first argument at the position that is the second.
pub(super) const SHOW_TEST: &str = "bellwether.showRegressionTest";

/// The commands that a client may send.
pub(super) fn offered(client: Capabilities) -> impl Iterator<Item = &'static str> {
    let write = client.actions_are_commands().then_some(WRITE_TEST);
    let show = client.show_document.then_some(SHOW_TEST);
    [PAUSE, RESUME, CLEAR, SHOW_TARGETS].into_iter().chain(write).chain(show)
}

impl State {
    /// Does what a command says.
    pub(super) fn execute(&mut self, params: &ExecuteCommandParams) -> jsonrpc::Result<Option<Value>> {
        match params.command.as_str() {
            PAUSE => self.paused = true,
            RESUME => {
                self.paused = false;
                self.power.forget();
                self.projects.values_mut().for_each(|project| project.ask_to_fuzz());
            }
            CLEAR => {
                self.projects.values_mut().for_each(|project| project.forget());
                self.rebuild_all("findings and corpus are forgotten");
            }
            SHOW_TARGETS => self.toggle_targets(),
            WRITE_TEST => self.write_test(&params.arguments).map_err(jsonrpc::Error::invalid_params)?,
            SHOW_TEST => self.show_test(&params.arguments).map_err(jsonrpc::Error::invalid_params)?,
            command => {
                let offered: Vec<_> = offered(*self.maker().capabilities).collect();
                return Err(jsonrpc::Error::invalid_params(format!(
                    "unknown command {command:?}; there are {}",
                    offered.join(", ")
                )));
            }
        }
        Ok(None)
    }

    /// Shows targets, or none any more. Where nothing is to be seen in any file, it is said why.
    fn toggle_targets(&mut self) {
        let shows = !self.projects.values().any(|project| project.shown_targets().is_some());
        self.show_targets(shows);
        let words = match self.target_counts() {
            _ if !shows => return,
            Some(counts) if counts.open + counts.unreachable > 0 => return,
            Some(counts) => format!("Bellwether: all {} targets are reached.", counts.reached),
            None => "Bellwether: there are no targets.".to_owned(),
        };
        self.outbox.send(Outgoing::Show(MessageType::INFO, words));
    }
}
