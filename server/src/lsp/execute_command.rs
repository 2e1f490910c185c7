//! `workspace/executeCommand`: pause, go on, forget, and what code actions are for clients that know only commands. In manual mode going
//! on is how fuzzing is asked for. The names are not those of the VS Code extension's own commands: it registers ours too, and
//! each name only once.

use super::{capabilities::Capabilities, state::State};
use serde_json::Value;
use tower_lsp_server::{jsonrpc, ls_types::ExecuteCommandParams};

const PAUSE: &str = "bellwether.pause";
const RESUME: &str = "bellwether.resume";
const CLEAR: &str = "bellwether.clear";

/// Has the client write the regression test of the finding whose id is the argument.
pub(super) const WRITE_TEST: &str = "bellwether.writeRegressionTest";

/// The commands that a client may send.
pub(super) fn offered(client: Capabilities) -> impl Iterator<Item = &'static str> {
    [PAUSE, RESUME, CLEAR].into_iter().chain(client.actions_are_commands().then_some(WRITE_TEST))
}

impl State {
    /// Does what a command says.
    pub(super) fn execute(&mut self, params: &ExecuteCommandParams) -> jsonrpc::Result<Option<Value>> {
        match params.command.as_str() {
            PAUSE => self.paused = true,
            RESUME => {
                self.paused = false;
                self.projects.values_mut().for_each(|project| project.ask_to_fuzz());
            }
            CLEAR => {
                self.projects.values_mut().for_each(|project| project.forget());
                self.rebuild_all("findings and corpus are forgotten");
            }
            WRITE_TEST => self.write_test(&params.arguments).map_err(jsonrpc::Error::invalid_params)?,
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
}
