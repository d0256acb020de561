//! Two sockets become one connection: bytes both ways at once, until both sides have said their last
//! word.
//!
//! One thread does it all, with sockets that never block. What the server says flows at once; what the
//! client says flows once it has passed the gate. When one side ends, the other is told
//! so and may go on (half-close). There is no time-out: idle connections live until [`StopSignal`]. What the
//! child has said by then is still passed on: programs answer and end.

use std::io;
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use rustix::net::sockopt;

use super::gate::{self, ClientTurn, GateVerdict, RequestGate, ServerVerdict};
use super::stop::StopSignal;
use super::transfer_buffer::{ReadOutcome, TransferBuffer};

/// How often a connection that was stopped is looked at for what the child has said already. Each time is a buffer's worth.
const MAX_LAST_LOOKS: usize = 16;

/// How much went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Traffic {
    /// Bytes that the child sent.
    pub sent: u64,
    /// Bytes that the child received.
    pub received: u64,
    /// Connections that were made.
    pub connections: u64,
}

impl std::ops::AddAssign for Traffic {
    fn add_assign(&mut self, more: Self) {
        self.sent += more.sent;
        self.received += more.received;
        self.connections += more.connections;
    }
}

/// The traffic so far, counted from many threads.
#[derive(Debug, Default)]
pub(super) struct TrafficMeter {
    sent: AtomicU64,
    received: AtomicU64,
    connections: AtomicU64,
}

impl TrafficMeter {
    /// Counts one connection.
    pub(super) fn count_connection(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the sums.
    pub(super) fn read(&self) -> Traffic {
        Traffic {
            sent: self.sent.load(Ordering::Relaxed),
            received: self.received.load(Ordering::Relaxed),
            connections: self.connections.load(Ordering::Relaxed),
        }
    }
}

/// How a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ConnectionEnd {
    /// Both sides were done, one broke off, or everything was stopped.
    Over,
    /// The client's words were not meant for this server.
    Refused(String),
}

/// What one side says first.
#[derive(Debug)]
pub(super) struct FirstBytes {
    /// Bytes that came already.
    bytes: Vec<u8>,
    /// How many of them have passed the gate.
    passed: usize,
    /// Who looks at what is said, if anybody.
    gate: Option<RequestGate>,
}

impl FirstBytes {
    /// Nothing so far, and nobody looks.
    pub(super) fn nothing() -> Self {
        Self {
            bytes: Vec::new(),
            passed: 0,
            gate: None,
        }
    }

    /// Bytes that are looked at, and all after them.
    pub(super) fn looked_at(bytes: Vec<u8>, gate: RequestGate) -> Self {
        Self {
            bytes,
            passed: 0,
            gate: Some(gate),
        }
    }

    /// Words of our own, then bytes that are looked at.
    pub(super) fn after(own: Vec<u8>, bytes: &[u8], gate: RequestGate) -> Self {
        let passed = own.len();
        Self {
            bytes: [&own, bytes].concat(),
            passed,
            gate: Some(gate),
        }
    }
}

/// How much of what a server says first is kept for the gate.
const MAX_HEARD_BYTES: usize = gate::MAX_HEAD_BYTES;

/// Relays until the end. `child` is the side that is counted as sending, `other` the one it talks to.
///
/// Both sockets must be non-blocking.
pub(super) fn relay(
    child: &TcpStream,
    other: &TcpStream,
    first: FirstBytes,
    stop: &StopSignal,
    meter: &TrafficMeter,
) -> ConnectionEnd {
    let mut up = RelayDirection::new(child, other, first, &meter.sent);
    let mut down = RelayDirection::new(other, child, FirstBytes::nothing(), &meter.received);
    down.heard = up.gate.is_some().then(Vec::new);
    if let Some(reason) = up.pump() {
        return ConnectionEnd::Refused(reason);
    }
    while !(up.done && down.done) {
        let mut fds = Vec::with_capacity(2);
        let child_wants = wants(child, &up, &down, &mut fds);
        let other_wants = wants(other, &down, &up, &mut fds);
        let Ok(ready) = stop.wait_all(&fds, None) else {
            return up
                .last_words()
                .map_or(ConnectionEnd::Over, ConnectionEnd::Refused);
        };
        let mut ready = ready.iter();
        let mut is_ready = |wants: Option<PollFlags>| {
            let flags = wants.and_then(|_| ready.next());
            flags.is_some_and(|flags| !flags.is_empty())
        };
        let (child_ready, other_ready) = (is_ready(child_wants), is_ready(other_wants));
        // A socket that nobody wants anything of and that still has news is broken: nothing can be sent
        // to it.
        down.done |= child_ready && child_wants == Some(PollFlags::empty());
        up.done |= other_ready && other_wants == Some(PollFlags::empty());
        if child_ready || other_ready {
            down.pump();
            if let Some(reason) = up.hear(&mut down).or_else(|| up.pump()) {
                return ConnectionEnd::Refused(reason);
            }
        }
    }
    ConnectionEnd::Over
}

/// Adds a socket to those that are waited for, and returns what for; `None` when it is of no more interest.
fn wants<'a>(
    socket: &'a TcpStream,
    from: &RelayDirection<'_>,
    to: &RelayDirection<'_>,
    fds: &mut Vec<PollFd<'a>>,
) -> Option<PollFlags> {
    let mut events = PollFlags::empty();
    events.set(PollFlags::IN, from.wants_in());
    events.set(PollFlags::OUT, to.wants_out());
    // One that was told the end reports a hang-up for ever, so it is waited for only while it has a use.
    let watched = !(events.is_empty() && to.done);
    watched.then(|| fds.push(PollFd::from_borrowed_fd(socket.as_fd(), events)));
    watched.then_some(events)
}

/// One way, from one socket to another.
struct RelayDirection<'a> {
    from: &'a TcpStream,
    to: &'a TcpStream,
    flow: TransferBuffer,
    gate: Option<RequestGate>,
    /// How much of what is held has passed the gate.
    passed: usize,
    /// What came first, as long as the gate of the other direction may want to know.
    heard: Option<Vec<u8>>,
    /// Nothing more comes.
    ended: bool,
    /// And that was not meant to be so.
    broken: bool,
    /// Nothing more goes, and the receiver knows.
    done: bool,
    count: &'a AtomicU64,
}

impl<'a> RelayDirection<'a> {
    fn new(from: &'a TcpStream, to: &'a TcpStream, first: FirstBytes, count: &'a AtomicU64) -> Self {
        Self {
            from,
            to,
            flow: TransferBuffer::new(first.bytes),
            gate: first.gate,
            passed: first.passed,
            heard: None,
            ended: false,
            broken: false,
            done: false,
            count,
        }
    }

    fn wants_in(&self) -> bool {
        let room = match self.gate {
            Some(_) => self.flow.has_room(),
            None => self.flow.buffered_bytes() == 0,
        };
        !self.done && !self.ended && room
    }

    fn wants_out(&self) -> bool {
        !self.done && self.may_go() > 0
    }

    /// How much of what is held may go on.
    fn may_go(&self) -> usize {
        match self.gate {
            Some(_) => self.passed,
            None => self.flow.buffered_bytes(),
        }
    }

    /// Moves what can be moved now. Returns why not, when the gate refuses.
    fn pump(&mut self) -> Option<String> {
        if self.done {
            return None;
        }
        if self.wants_in() {
            let held = self.flow.buffered_bytes();
            match self.flow.fill(self.from) {
                Ok(ReadOutcome::Some | ReadOutcome::Later) => self.keep_heard(held),
                Ok(ReadOutcome::Ended) => self.ended = true,
                Err(_) => (self.ended, self.broken) = (true, true),
            }
        }
        if let Some(reason) = self.look() {
            return Some(reason);
        }
        match self.flow.drain(self.to, self.may_go()) {
            Ok(count) => {
                self.count.fetch_add(count, Ordering::Relaxed);
                self.passed = self
                    .passed
                    .saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
                if self.ended && self.flow.buffered_bytes() == 0 {
                    self.tell_the_end();
                    self.done = true;
                }
            }
            // The receiver is gone. What it said before may still be on its way in the other direction.
            Err(_) => self.done = true,
        }
        None
    }

    /// Lets the gate look at what has not passed it, one thing after the other. Returns why it refuses.
    fn look(&mut self) -> Option<String> {
        while let Some(gate) = &mut self.gate {
            let more = if self.ended {
                ClientTurn::Ended
            } else {
                ClientTurn::MayCome
            };
            let rest = self.flow.peek().get(self.passed..).unwrap_or_default();
            match gate.look(rest, more) {
                GateVerdict::NeedMore | GateVerdict::Pass(0) => return None,
                GateVerdict::Pass(count) => self.passed += count,
                GateVerdict::Open => self.gate = None,
                GateVerdict::Drop => {
                    self.flow.truncate(self.passed);
                    return None;
                }
                GateVerdict::Refuse(reason) => return Some(reason),
            }
        }
        None
    }

    /// Keeps what came first.
    fn keep_heard(&mut self, held: usize) {
        if let Some(heard) = &mut self.heard {
            let new = self.flow.peek().get(held..).unwrap_or_default();
            let room = MAX_HEARD_BYTES.saturating_sub(heard.len());
            heard.extend_from_slice(new.get(..room.min(new.len())).unwrap_or_default());
        }
    }

    /// Tells the gate what the other side said. Returns why it refuses.
    fn hear(&mut self, other: &mut RelayDirection<'_>) -> Option<String> {
        let heard = other.heard.as_deref()?;
        let enough = match &mut self.gate {
            Some(gate) => gate.hear(heard),
            None => ServerVerdict::Enough,
        };
        match enough {
            ServerVerdict::NeedMore => None,
            ServerVerdict::Enough => {
                other.heard = None;
                None
            }
            ServerVerdict::Refuse(reason) => Some(reason),
        }
    }

    /// Moves what has come already, and waits for nobody. Returns why not, when the gate refuses.
    fn last_words(&mut self) -> Option<String> {
        (0..MAX_LAST_LOOKS).find_map(|_| self.pump())
    }

    /// A sender that broke off must not look like one that was done: half a file would look whole.
    fn tell_the_end(&self) {
        let _ = if self.broken {
            sockopt::set_socket_linger(self.to, Some(Duration::ZERO)).map_err(io::Error::from)
        } else {
            self.to.shutdown(Shutdown::Write)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{ask, pair, read_all, read_exactly};
    use super::*;
    use std::io::{Read, Write};
    use std::sync::Arc;
    use std::thread::JoinHandle;

    struct Relayed {
        client: TcpStream,
        server: TcpStream,
        stop: Arc<StopSignal>,
        meter: Arc<TrafficMeter>,
        end: JoinHandle<ConnectionEnd>,
    }

    fn relayed(gate: Option<RequestGate>) -> Relayed {
        let ((client, near), (far, server)) = (pair(), pair());
        let (stop, meter) = (
            Arc::new(StopSignal::new().unwrap()),
            Arc::<TrafficMeter>::default(),
        );
        let (thread_stop, thread_meter) = (Arc::clone(&stop), Arc::clone(&meter));
        let end = std::thread::spawn(move || {
            near.set_nonblocking(true).unwrap();
            far.set_nonblocking(true).unwrap();
            let first = match gate {
                Some(gate) => FirstBytes::looked_at(Vec::new(), gate),
                None => FirstBytes::nothing(),
            };
            relay(&near, &far, first, &thread_stop, &thread_meter)
        });
        Relayed {
            client,
            server,
            stop,
            meter,
            end,
        }
    }

    fn gate(port: u16) -> Option<RequestGate> {
        Some(RequestGate::new("a.test".into(), port))
    }

    #[test]
    fn a_server_may_speak_first() {
        let mut both = relayed(gate(22));
        both.server.write_all(b"SSH-2.0-server\r\n").unwrap();
        assert_eq!(read_exactly(&mut both.client, 16), b"SSH-2.0-server\r\n");
        both.client.write_all(b"SSH-2.0-client\r\n").unwrap();
        assert_eq!(read_exactly(&mut both.server, 16), b"SSH-2.0-client\r\n");
        drop((both.client, both.server));
        assert_eq!(both.end.join().unwrap(), ConnectionEnd::Over);
    }

    #[test]
    fn one_side_may_end_before_the_other() {
        for client_first in [true, false] {
            let Relayed {
                client,
                server,
                end,
                stop: _stop,
                ..
            } = relayed(gate(22));
            let (mut first, mut second) = if client_first {
                (client, server)
            } else {
                (server, client)
            };
            first.write_all(b"last words").unwrap();
            first.shutdown(Shutdown::Write).unwrap();
            assert_eq!(read_all(&mut second), b"last words");
            second.write_all(b"an answer").unwrap();
            second.shutdown(Shutdown::Write).unwrap();
            assert_eq!(read_all(&mut first), b"an answer");
            assert_eq!(end.join().unwrap(), ConnectionEnd::Over);
        }
    }

    #[test]
    fn what_goes_in_comes_out_both_ways() {
        const SIZE: usize = 64 << 20;
        let Relayed {
            client,
            server,
            meter,
            end,
            stop: _stop,
        } = relayed(gate(22));
        let pattern = |seed: u8| {
            (0..SIZE)
                .map(move |at| (at / 4099) as u8 ^ (at as u8) ^ seed)
                .collect::<Vec<u8>>()
        };
        let talk = move |mut stream: TcpStream, own: u8, other: u8| {
            let mut reader = stream.try_clone().unwrap();
            let read = std::thread::spawn(move || assert!(read_all(&mut reader) == pattern(other)));
            stream.write_all(&pattern(own)).unwrap();
            stream.shutdown(Shutdown::Write).unwrap();
            read
        };
        let client = std::thread::spawn(move || talk(client, 1, 2));
        talk(server, 2, 1).join().unwrap();
        client.join().unwrap().join().unwrap();
        assert_eq!(end.join().unwrap(), ConnectionEnd::Over);
        let size = u64::try_from(SIZE).unwrap();
        assert_eq!(
            meter.read(),
            Traffic {
                sent: size,
                received: size,
                connections: 0
            }
        );
    }

    #[test]
    fn a_refusal_closes_both_sides() {
        let mut both = relayed(gate(80));
        assert_eq!(
            ask(&mut both.client, b"GET / HTTP/1.1\r\nHost: b.test\r\n\r\n"),
            ""
        );
        assert_eq!(read_all(&mut both.server), b"");
        assert_eq!(
            both.end.join().unwrap(),
            ConnectionEnd::Refused("http host b.test ≠ a.test".into())
        );
    }

    #[test]
    fn requests_pass_one_after_the_other_however_long() {
        let both = relayed(gate(80));
        let request = |length: usize| {
            let head = format!("POST /{length} HTTP/1.1\r\nHost: a.test\r\nContent-Length: {length}\r\n\r\n");
            [head.into_bytes(), vec![b'x'; length]].concat()
        };
        // Heads and bodies end everywhere in the buffer, and more than once behind its end.
        let all: Vec<u8> = (0..400).flat_map(|number| request(number * 37 % 5_000)).collect();
        assert!(all.len() > 8 << 16);
        let (mut client, mut server, sent) = (both.client, both.server, all.clone());
        let said = std::thread::spawn(move || {
            client.write_all(&sent).unwrap();
            client.shutdown(Shutdown::Write).unwrap();
            read_all(&mut client)
        });
        assert!(read_all(&mut server) == all);
        server.write_all(b"answers").unwrap();
        drop(server);
        assert_eq!(said.join().unwrap(), b"answers");
        assert_eq!(both.end.join().unwrap(), ConnectionEnd::Over);
        assert_eq!(both.meter.read().sent, all.len() as u64);
    }

    #[test]
    fn a_second_request_for_another_host_ends_the_connection() {
        let mut both = relayed(gate(8080));
        let own = b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n";
        both.client.write_all(own).unwrap();
        assert_eq!(read_exactly(&mut both.server, own.len()), own);
        both.server.write_all(b"HTTP/1.1 204 None\r\n\r\n").unwrap();
        read_exactly(&mut both.client, 21);
        let other = b"GET / HTTP/1.1\r\nHost: b.test\r\n\r\n";
        assert_eq!(ask(&mut both.client, other), "");
        assert_eq!(read_all(&mut both.server), b"");
        let reason = "http host b.test ≠ a.test".to_owned();
        assert_eq!(both.end.join().unwrap(), ConnectionEnd::Refused(reason));
    }

    #[test]
    fn a_web_socket_opens_with_the_servers_word() {
        for (answer, opens) in [("101 Switching Protocols", true), ("200 OK", false)] {
            let mut both = relayed(gate(80));
            let request = b"GET / HTTP/1.1\r\nHost: a.test\r\nUpgrade: websocket\r\n\r\n";
            let frame = b"\x81\x02hi";
            both.client.write_all(&[&request[..], frame].concat()).unwrap();
            assert_eq!(read_exactly(&mut both.server, request.len()), request);
            let answer = format!("HTTP/1.1 {answer}\r\n\r\n");
            for part in answer.as_bytes().chunks(7) {
                both.server.write_all(part).unwrap();
            }
            if opens {
                assert_eq!(read_exactly(&mut both.client, answer.len()), answer.as_bytes());
                assert_eq!(read_exactly(&mut both.server, frame.len()), frame);
                both.server.write_all(frame).unwrap();
                assert_eq!(read_exactly(&mut both.client, frame.len()), frame);
                drop((both.client, both.server));
                assert_eq!(both.end.join().unwrap(), ConnectionEnd::Over);
            } else {
                assert_eq!(read_all(&mut both.server), b"");
                assert!(matches!(both.end.join().unwrap(), ConnectionEnd::Refused(_)));
            }
        }
    }

    #[test]
    fn a_side_that_breaks_off_is_not_one_that_ends() {
        for client_breaks in [true, false] {
            let Relayed {
                client,
                server,
                end,
                stop: _stop,
                ..
            } = relayed(None);
            let (mut broken, mut other) = if client_breaks {
                (client, server)
            } else {
                (server, client)
            };
            broken.write_all(b"half").unwrap();
            assert_eq!(read_exactly(&mut other, 4), b"half");
            sockopt::set_socket_linger(&broken, Some(Duration::ZERO)).unwrap();
            drop(broken);
            assert_eq!(end.join().unwrap(), ConnectionEnd::Over);
            assert_eq!(
                other.read(&mut [0]).unwrap_err().kind(),
                io::ErrorKind::ConnectionReset
            );
        }
    }

    #[test]
    fn a_side_that_breaks_off_after_its_end_is_noticed() {
        for client_breaks in [true, false] {
            let Relayed {
                client,
                server,
                end,
                stop: _stop,
                ..
            } = relayed(None);
            let (broken, mut other) = if client_breaks {
                (client, server)
            } else {
                (server, client)
            };
            broken.shutdown(Shutdown::Write).unwrap();
            assert_eq!(read_all(&mut other), b"");
            sockopt::set_socket_linger(&broken, Some(Duration::ZERO)).unwrap();
            drop(broken);
            assert_eq!(end.join().unwrap(), ConnectionEnd::Over); // though the other side says nothing and stays
        }
    }

    #[test]
    fn what_was_said_before_the_end_still_arrives() {
        let ((mut client, near), (far, mut server)) = (pair(), pair());
        let count = AtomicU64::new(0);
        let first = FirstBytes::nothing();
        client.write_all(b"last words").unwrap();
        near.peek(&mut [0]).unwrap(); // They have come.
        near.set_nonblocking(true).unwrap();
        far.set_nonblocking(true).unwrap();
        assert_eq!(RelayDirection::new(&near, &far, first, &count).last_words(), None);
        drop(far);
        assert_eq!(read_all(&mut server), b"last words");
    }

    #[test]
    fn stopping_ends_a_relay_whose_peers_are_stuck() {
        let both = relayed(None);
        let mut writer = both.client.try_clone().unwrap();
        writer.set_nonblocking(true).unwrap();
        // Nobody reads at the other end, so this comes to a halt with everything full.
        while writer.write(&[0; 1 << 16]).is_ok() {}
        both.stop.signal();
        assert_eq!(both.end.join().unwrap(), ConnectionEnd::Over);
    }
}
