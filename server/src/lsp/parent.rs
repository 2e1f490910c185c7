//! Watches the parent, the process that started the server or that the client names in `initialize`. Once it has ended, nobody
//! is left to serve, even if another process still holds our standard input open.

use tokio::sync::oneshot::Sender;

/// Notifies `ended` when the process ends. A process that cannot be seen is not watched: a client in another container names a
/// number that means nothing here.
pub(super) fn watch(process: u32, ended: Sender<()>) {
    // Looked up at once: later the number may be another process's.
    let Some(seen) = WatchedProcess::find(process) else { return };
    let watching = move || {
        if seen.wait_for_end() {
            // Nobody listens any more when the server ends.
            let _ = ended.send(());
        }
    };
    if let Err(error) = std::thread::Builder::new().name("parent".to_owned()).spawn(watching) {
        tracing::warn!("cannot start the thread that watches the client's process: {error}");
    }
}

/// A process that existed when the server started.
enum WatchedProcess {
    /// A handle that is notified of its end.
    #[cfg(target_os = "linux")]
    Handle(rustix::fd::OwnedFd),
    /// Its number, which is polled.
    #[cfg(unix)]
    Number(rustix::process::Pid),
}

impl WatchedProcess {
    #[cfg(target_os = "linux")]
    fn find(process: u32) -> Option<Self> {
        use rustix::{
            io::Errno,
            process::{PidfdFlags, pidfd_open},
        };
        let pid = pid(process)?;
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(handle) => Some(Self::Handle(handle)),
            Err(Errno::NOSYS | Errno::PERM) => (!is_gone(pid)).then_some(Self::Number(pid)),
            Err(error) => {
                tracing::info!("the client's process {process} cannot be seen: {error}");
                None
            }
        }
    }

    #[cfg(all(unix, not(target_os = "linux")))]
    fn find(process: u32) -> Option<Self> {
        pid(process).filter(|pid| !is_gone(*pid)).map(Self::Number)
    }

    /// The end of the input has to serve there.
    #[cfg(not(unix))]
    fn find(_: u32) -> Option<Self> {
        None
    }

    /// Waits until the process ends; false if that cannot be told.
    fn wait_for_end(self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Self::Handle(handle) => {
                use rustix::{
                    event::{PollFd, PollFlags, poll},
                    io::Errno,
                };
                loop {
                    match poll(&mut [PollFd::new(&handle, PollFlags::IN)], None) {
                        Err(Errno::INTR) => {}
                        Ok(_) => return true,
                        Err(error) => {
                            tracing::info!("the client's process cannot be watched: {error}");
                            return false;
                        }
                    }
                }
            }
            #[cfg(unix)]
            Self::Number(pid) => {
                while !is_gone(pid) {
                    std::thread::sleep(std::time::Duration::from_secs(1));
                }
                true
            }
        }
    }
}

#[cfg(unix)]
fn pid(process: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(process).ok()?)
}

#[cfg(unix)]
fn is_gone(pid: rustix::process::Pid) -> bool {
    rustix::process::test_kill_process(pid) == Err(rustix::io::Errno::SRCH)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn the_end_of_a_process_is_told_and_a_number_without_one_is_not() {
        let mut process = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let (ended, mut told) = tokio::sync::oneshot::channel();
        watch(process.id(), ended);
        assert!(told.try_recv().is_err());
        process.kill().unwrap();
        process.wait().unwrap();
        told.blocking_recv().unwrap();
        assert!(WatchedProcess::find(process.id()).is_none(), "it is gone already");
        assert!(WatchedProcess::find(u32::MAX).is_none());
    }
}
