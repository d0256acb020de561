//! What is outside a sandbox and should not be reached from inside: servers, and pipes that tell who still lives.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use rustix::fs::{CWD, FileType, Mode, mknodat};

/// How long to wait for what must come. It comes at once, or the test has found something.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a server answers to the first words of a client.
const ANSWER: &[u8] = b"outside\n";

/// What a test says to its own server, to know that nobody came before.
const OURS: &[u8] = b"it is only us";

/// A server on this machine that tells what it heard first from each client.
pub(crate) struct Server {
    address: SocketAddr,
    heard: Receiver<Vec<u8>>,
}

impl Server {
    /// Serves TCP on a loopback address; port 0 is a free one.
    pub(crate) fn tcp(address: &str) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, heard) = mpsc::channel();
        // Ends with the tests: one that waits for clients is in nobody's way.
        thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                let mut words = vec![0; 4096];
                let length = stream.read(&mut words).unwrap_or_default();
                words.truncate(length);
                let _ = stream.write_all(ANSWER);
                if tell.send(words).is_err() {
                    return;
                }
            }
        });
        Self { address, heard }
    }

    /// Answers packets on a loopback address.
    pub(super) fn udp(address: &str) -> Self {
        let socket = UdpSocket::bind(address).unwrap();
        let address = socket.local_addr().unwrap();
        let (tell, heard) = mpsc::channel();
        thread::spawn(move || {
            let mut words = [0; 4096];
            while let Ok((length, from)) = socket.recv_from(&mut words) {
                let _ = socket.send_to(ANSWER, from);
                if tell
                    .send(words.get(..length).unwrap_or_default().to_vec())
                    .is_err()
                {
                    return;
                }
            }
        });
        Self { address, heard }
    }

    /// Where it is.
    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }

    /// Its port.
    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    /// Waits for one client, and returns its first words.
    pub(crate) fn client(&self) -> Vec<u8> {
        self.heard.recv_timeout(PATIENCE).unwrap()
    }

    /// Sees that no client came since the last that was asked for.
    #[track_caller]
    pub(crate) fn nobody_came(&self) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(OURS).unwrap();
        let words = self.client();
        assert_eq!(
            words,
            OURS,
            "somebody reached the server: {:?}",
            String::from_utf8_lossy(&words)
        );
    }

    /// Sees that no client said anything since the last that was asked for, whoever came.
    #[track_caller]
    pub(super) fn nobody_spoke(&self) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(OURS).unwrap();
        let words = std::iter::repeat_with(|| self.client()).find(|words| !words.is_empty());
        assert_eq!(words.as_deref(), Some(OURS), "somebody spoke to the server");
    }

    /// Forgets the clients that came so far.
    pub(super) fn forget(&self) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(OURS).unwrap();
        while self.client() != OURS {}
    }
}

/// A web server on this machine that answers every request of a connection, and tells all that it heard there.
pub(super) struct WebServer {
    address: SocketAddr,
    heard: Receiver<Vec<u8>>,
}

impl WebServer {
    /// Serves on a port of this address.
    pub(super) fn new(address: &str) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let (tell, heard) = mpsc::channel();
        thread::spawn(move || {
            while let Ok((stream, _)) = listener.accept() {
                if tell.send(answer_all(&stream)).is_err() {
                    return;
                }
            }
        });
        Self { address, heard }
    }

    /// Its address, without the port.
    pub(super) fn address(&self) -> String {
        self.address.ip().to_string()
    }

    /// Waits for the end of one connection, and returns all that was said on it.
    pub(super) fn connection(&self) -> String {
        let heard = self.heard.recv_timeout(PATIENCE).unwrap();
        String::from_utf8_lossy(&heard).into_owned()
    }
}

/// Answers each head, as servers do that forgive a lot, and returns all of it.
fn answer_all(mut stream: &TcpStream) -> Vec<u8> {
    let (mut heard, mut answered) = (Vec::new(), 0);
    let mut bytes = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut bytes) {
        heard.extend_from_slice(bytes.get(..length).unwrap_or_default());
        let heads = heard.windows(4).filter(|end| end == b"\r\n\r\n").count();
        for _ in answered..heads {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\noutside\n");
        }
        answered = heads;
    }
    heard
}

/// Returns a loopback address that no other server of these tests has, so that a fixed port on it is free.
pub(super) fn own_address() -> String {
    static NEXT: AtomicU8 = AtomicU8::new(1);
    let [high, low] = (std::process::id() as u16).to_be_bytes();
    format!(
        "127.{}.{low}.{}",
        128 | high >> 1,
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

/// Returns a port that nobody has, from below those that the system hands out: one of these would be the next test's.
pub(super) fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id() % 9_000;
    let mut tries = std::iter::repeat_with(|| {
        let number = first + NEXT.fetch_add(1, Ordering::Relaxed);
        20_000 + u16::try_from(number % 10_000).unwrap()
    });
    tries
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .unwrap()
}

/// A pipe with a name, which a hostile child holds open for as long as anything of it lives.
pub(super) struct Pipe {
    path: PathBuf,
    lines: Receiver<String>,
}

impl Pipe {
    /// Makes the pipe, in a directory that is there.
    pub(super) fn new(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().to_owned();
        mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        let (tell, lines) = mpsc::channel();
        let opened = path.clone();
        thread::spawn(move || {
            // Waits for the first writer.
            let pipe = File::open(opened).unwrap();
            for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        Self { path, lines }
    }

    /// Waits until nobody holds it any more, if anybody ever did, and returns all lines that came.
    #[track_caller]
    pub(super) fn all_lines(&self) -> Vec<String> {
        // The reader waits for a first writer, which may never have come.
        drop(File::options().read(true).write(true).open(&self.path).unwrap());
        let mut all = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => all.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => return all,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("something of it still lives"),
            }
        }
    }

    /// Waits for a line.
    pub(super) fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits until nobody holds it any more.
    #[track_caller]
    pub(super) fn let_go(&self) {
        let left = self.lines.recv_timeout(PATIENCE);
        assert_eq!(
            left,
            Err(mpsc::RecvTimeoutError::Disconnected),
            "something of it still lives"
        );
    }
}

/// Returns the processes of this machine that have a text in their arguments.
pub(super) fn processes_with(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(line) = std::fs::read(entry.path().join("cmdline")) else {
            continue;
        };
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(text) {
            found.push(format!("{}: {line}", entry.file_name().display()));
        }
    }
    found
}
