//! A [`Proxy`] stands in front of a server, which it takes away and gives back: the server itself loses nothing.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A port that leads to a server, or nowhere.
pub(crate) struct Proxy {
    port: u16,
    is_away: Arc<AtomicBool>,
}

impl Proxy {
    /// One in front of the server at this port, which is there.
    pub(crate) fn before(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, is_away) = (listener.local_addr().unwrap().port(), Arc::new(AtomicBool::new(false)));
        let away = is_away.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // Who connects while the server is away is sent away.
                let Some(server) = connect(server, &away) else { continue };
                for (from, to) in [(&client, &server), (&server, &client)] {
                    let (from, to, away) = (from.try_clone().unwrap(), to.try_clone().unwrap(), away.clone());
                    std::thread::spawn(move || carry(from, to, &away));
                }
            }
        });
        Self { port, is_away }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Takes the server away, also from those that are connected, or gives it back.
    pub(crate) fn set_away(&self, is_away: bool) {
        self.is_away.store(is_away, Ordering::SeqCst);
    }
}

fn connect(server: u16, is_away: &AtomicBool) -> Option<TcpStream> {
    if is_away.load(Ordering::SeqCst) { None } else { TcpStream::connect(("127.0.0.1", server)).ok() }
}

/// Carries bytes until either side ends, or the server is away.
fn carry(mut from: TcpStream, mut to: TcpStream, is_away: &AtomicBool) {
    let mut bytes = [0; 1 << 14];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if is_away.load(Ordering::SeqCst) || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    for side in [from, to] {
        let _ = side.shutdown(Shutdown::Both);
    }
}
