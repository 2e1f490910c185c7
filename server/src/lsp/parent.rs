//! The parent is the process that started the server, or whatever else the client names in `initialize`: where that is gone, nobody is
//! left to serve, even if somebody still holds our standard input open.

use tokio::sync::oneshot::Sender;

/// Says when the process ends. A process that cannot be seen is not waited for: a client in another container than ours names a number
/// that means nothing here.
pub(super) fn watch(process: u32, ended: Sender<()>) {
    let watching = move || {
        if wait_for_end(process) {
            // Nobody listens any more when the server ends.
            let _ = ended.send(());
        }
    };
    if let Err(error) = std::thread::Builder::new().name("parent".to_owned()).spawn(watching) {
        tracing::warn!("no thread to watch the client's process: {error}");
    }
}

/// Waits until the process ends; at once false if that cannot be told.
#[cfg(target_os = "linux")]
fn wait_for_end(process: u32) -> bool {
    use rustix::{
        event::{PollFd, PollFlags, poll},
        io::Errno,
        process::{PidfdFlags, pidfd_open},
    };
    let Some(pid) = pid(process) else { return false };
    let handle = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(handle) => handle,
        Err(Errno::NOSYS | Errno::PERM) => return poll_for_end(pid),
        Err(error) => {
            tracing::info!("the client's process {process} cannot be seen: {error}");
            return false;
        }
    };
    loop {
        match poll(&mut [PollFd::new(&handle, PollFlags::IN)], None) {
            Err(Errno::INTR) => {}
            Ok(_) => return true,
            Err(error) => {
                tracing::info!("the client's process {process} cannot be watched: {error}");
                return false;
            }
        }
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
fn wait_for_end(process: u32) -> bool {
    pid(process).is_some_and(poll_for_end)
}

/// The end of the input has to serve there.
#[cfg(not(unix))]
fn wait_for_end(_: u32) -> bool {
    false
}

#[cfg(unix)]
fn pid(process: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(process).ok()?)
}

/// Looks again and again, where the system has no better way.
#[cfg(unix)]
fn poll_for_end(pid: rustix::process::Pid) -> bool {
    use rustix::{io::Errno, process::test_kill_process};
    let is_gone = || test_kill_process(pid) == Err(Errno::SRCH);
    if is_gone() {
        return false;
    }
    while !is_gone() {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    true
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
        assert!(!wait_for_end(process.id()), "it is gone already");
        assert!(!wait_for_end(u32::MAX));
    }
}
