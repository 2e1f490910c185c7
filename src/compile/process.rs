//! A [`Process`] is a program that we started, in a process group of its own (on Windows, a job), so that its children end with
//! it. No call waits longer than its limit, also not for a process that is stopped, and no process outlives
//! [`Processes::stop`].

use process_wrap::std::{ChildWrapper, CommandWrap};
use std::{
    io::{Read, Write},
    process::{ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        mpsc::{RecvTimeoutError, channel},
    },
    time::Duration,
};

/// All running processes.
#[derive(Debug, Clone, Default)]
pub(super) struct Processes {
    running: Arc<Mutex<Running>>,
}

#[derive(Debug, Default)]
struct Running {
    children: Vec<Weak<Mutex<Child>>>,
    stopped: bool,
}

/// A started process, and its exit status once it was waited for: after that, another process may have its number.
#[derive(Debug)]
struct Child {
    wrapped: Box<dyn ChildWrapper>,
    ended: Option<ExitStatus>,
}

/// A process; when this is dropped, it ends with all that it started.
#[derive(Debug)]
pub(super) struct Process {
    child: Arc<Mutex<Child>>,
}

/// The reason why a process gave no output.
#[derive(Debug)]
pub(super) enum RunError {
    /// It, or a thread to read from it, could not be started.
    Start(std::io::Error),
    /// It did not end in time, and was killed.
    Hung,
}

impl Processes {
    /// Starts a process with pipes to its input and from its output.
    ///
    /// # Errors
    ///
    /// If the system does not start it, or everything was stopped.
    pub(super) fn start(&self, mut command: Command) -> std::io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut wrap = CommandWrap::from(command);
        #[cfg(unix)]
        wrap.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        wrap.wrap(process_wrap::std::JobObject);
        // The lock is held while it starts, so that a stop misses none.
        let mut running = self.running();
        if running.stopped {
            return Err(std::io::Error::other("everything is being stopped"));
        }
        let child = Arc::new(Mutex::new(Child { wrapped: wrap.spawn()?, ended: None }));
        running.children.retain(|child| child.strong_count() > 0);
        running.children.push(Arc::downgrade(&child));
        Ok(Process { child })
    }

    /// Gives a process its input, and reads what it says until it ends, for at most `limit`.
    ///
    /// # Errors
    ///
    /// If it cannot be started or does not end in time. How it ended is in the output.
    pub(super) fn run(&self, mut command: Command, input: Vec<u8>, limit: Duration) -> Result<Output, RunError> {
        command.stderr(Stdio::piped());
        let process = self.start(command).map_err(RunError::Start)?;
        let (stdin, stdout) = process.pipes();
        let stderr = lock(&process.child).wrapped.stderr().take();
        // A process that reads nothing, or fills one pipe while we read the other, must not hold us up.
        spawn("stdin", move || {
            // One that ended before it read everything has said why.
            let _ = stdin.map(|mut pipe| pipe.write_all(&input));
        })?;
        let (said, hear) = channel();
        spawn("stdout", move || said.send(read_all(stdout)))?;
        let (complained, hear_complaints) = channel();
        spawn("stderr", move || complained.send(read_all(stderr)))?;
        let stdout = match hear.recv_timeout(limit) {
            Ok(stdout) => stdout,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                return Err(RunError::Hung);
            }
        };
        // Nobody but what it left running can still write to it.
        let status = process.end().map_err(RunError::Start)?;
        Ok(Output { status, stdout, stderr: hear_complaints.recv_timeout(limit).unwrap_or_default() })
    }

    /// Ends all processes, and starts no more.
    pub(super) fn stop(&self) {
        let children = {
            let mut running = self.running();
            running.stopped = true;
            std::mem::take(&mut running.children)
        };
        for child in children.iter().filter_map(Weak::upgrade) {
            if let Err(error) = end(&child) {
                tracing::debug!(%error, "a process cannot be ended");
            }
        }
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        lock(&self.running)
    }
}

impl Process {
    /// The pipes to its input and from its output; once.
    pub(super) fn pipes(&self) -> (Option<ChildStdin>, Option<ChildStdout>) {
        let mut child = lock(&self.child);
        (child.wrapped.stdin().take(), child.wrapped.stdout().take())
    }

    /// Ends it, if it has not ended, with all that it started; and tells how it ended.
    pub(super) fn end(&self) -> std::io::Result<ExitStatus> {
        end(&self.child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            tracing::debug!(%error, "a process cannot be ended");
        }
    }
}

fn end(child: &Mutex<Child>) -> std::io::Result<ExitStatus> {
    let mut child = lock(child);
    if let Some(status) = child.ended {
        return Ok(status);
    }
    // One that has ended cannot be killed, which is as well; what it started can.
    let _ = child.wrapped.start_kill();
    let status = child.wrapped.wait()?;
    child.ended = Some(status);
    Ok(status)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn spawn<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> Result<(), RunError> {
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map(drop).map_err(RunError::Start)
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Output before an error counts.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    bytes
}

/// How a process ended, in words.
pub(super) fn how_it_ended(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("ended with code {code}"),
        None => "was killed".to_owned(),
    }
}
