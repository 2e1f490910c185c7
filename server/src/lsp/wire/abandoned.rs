//! Detects that standard input is abandoned: that no process can write to it any more. That is known before the input is read
//! to its end, so that a server with a full backlog, which does not read, notices it too.

/// Ends when standard input is abandoned; never where that cannot be detected, as on Windows.
pub(in crate::lsp) async fn abandoned() {
    #[cfg(unix)]
    {
        let (ended, told) = tokio::sync::oneshot::channel::<()>();
        let watching = move || {
            if is_abandoned_at_last() {
                // Nobody listens any more when the server ends.
                let _ = ended.send(());
            }
        };
        match std::thread::Builder::new().name("input".to_owned()).spawn(watching) {
            Ok(_) if told.await.is_ok() => return,
            Ok(_) => {}
            Err(error) => tracing::warn!("cannot start the thread that watches standard input: {error}"),
        }
    }
    std::future::pending::<()>().await;
}

/// Waits until it is abandoned; false if that cannot be detected.
#[cfg(unix)]
fn is_abandoned_at_last() -> bool {
    use rustix::{
        event::{PollFd, PollFlags, poll},
        io::Errno,
    };
    // Whoever has a socket for a pipe, as Node.js does, may close one direction only.
    #[cfg(target_os = "linux")]
    let events = PollFlags::RDHUP;
    #[cfg(not(target_os = "linux"))]
    let events = PollFlags::empty();
    let input = std::io::stdin();
    loop {
        match poll(&mut [PollFd::new(&input, events)], None) {
            Err(Errno::INTR) => {}
            Ok(_) => return true,
            Err(error) => {
                tracing::info!("standard input cannot be watched: {error}");
                return false;
            }
        }
    }
}
