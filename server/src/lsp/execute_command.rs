//! `workspace/executeCommand`: pause and go on. In manual mode going on is how fuzzing is asked for. The names are not those
//! of the VS Code extension's own commands: it registers ours too, and each name only once.

use super::state::State;
use serde_json::Value;
use tower_lsp_server::jsonrpc;

const PAUSE: &str = "bellwether.pause";
const RESUME: &str = "bellwether.resume";

/// The commands that clients may send.
pub(super) const COMMANDS: [&str; 2] = [PAUSE, RESUME];

impl State {
    /// Does what a command says.
    pub(super) fn execute(&mut self, command: &str) -> jsonrpc::Result<Option<Value>> {
        match command {
            PAUSE => self.paused = true,
            RESUME => {
                self.paused = false;
                self.projects.values_mut().for_each(|project| project.ask_to_fuzz());
            }
            _ => {
                return Err(jsonrpc::Error::invalid_params(format!(
                    "unknown command {command:?}; there are {}",
                    COMMANDS.join(", ")
                )));
            }
        }
        Ok(None)
    }
}
