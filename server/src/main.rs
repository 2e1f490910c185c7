//! The executable `bellwether`: all that it does is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    bellwether_server::run()
}
