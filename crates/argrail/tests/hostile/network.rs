//! The network: 37 to 53 of the suite.
//!
//! The server of these attacks waits for a word and answers with [`ANSWER`]. Who reads that answer got out.

mod proxy;
mod socket;
mod unix;

use std::fs::File;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::Duration;

use crate::outcome::{Attack, Outcome, word};

/// The attacks of this file and those below it.
pub(crate) const ATTACKS: &[Attack] = &[
    Attack {
        name: "tcp",
        act: tcp,
    },
    Attack {
        name: "tcp-aloud",
        act: tcp_aloud,
    },
    Attack {
        name: "tcp-odd",
        act: socket::odd_tcp,
    },
    Attack {
        name: "udp",
        act: udp,
    },
    Attack {
        name: "sockets",
        act: socket::families,
    },
    Attack {
        name: "route",
        act: socket::route,
    },
    Attack {
        name: "io-uring",
        act: socket::io_uring,
    },
    Attack {
        name: "bind",
        act: bind,
    },
    Attack {
        name: "listen",
        act: listen,
    },
    Attack {
        name: "name",
        act: proxy::name,
    },
    Attack {
        name: "name-tcp",
        act: proxy::name_over_tcp,
    },
    Attack {
        name: "tunnel",
        act: proxy::tunnel,
    },
    Attack {
        name: "connect",
        act: proxy::connect,
    },
    Attack {
        name: "get",
        act: proxy::get,
    },
    Attack {
        name: "socks",
        act: proxy::socks,
    },
    Attack {
        name: "requests",
        act: proxy::requests,
    },
    Attack {
        name: "hello",
        act: proxy::hello,
    },
    Attack {
        name: "hello-direct",
        act: proxy::hello_direct,
    },
    Attack {
        name: "talk-on",
        act: proxy::talk_on,
    },
    Attack {
        name: "unix",
        act: unix::stream,
    },
    Attack {
        name: "unix-abstract",
        act: unix::abstract_stream,
    },
    Attack {
        name: "unix-pair",
        act: unix::pair,
    },
    Attack {
        name: "unix-pair-abstract",
        act: unix::abstract_pair,
    },
];

/// What the client says first.
const WORD: &[u8] = b"hi\n";

/// What the server answers.
const ANSWER: &[u8] = b"outside\n";

/// How long a packet may take that should never come. On the loopback interface it comes at once or never.
const PATIENCE: Duration = Duration::from_secs(3);

/// Connects to an address, and complains as programs do when it cannot.
fn tcp_aloud(args: &[String]) -> Result<Outcome, String> {
    let address = word(args, 0, "address and port")?;
    let stream = TcpStream::connect(address);
    if let Err(error) = &stream {
        // Who cannot complain either has still been stopped.
        let _ = writeln!(std::io::stderr(), "cannot connect to {address}: {error}");
    }
    Ok(talked(stream))
}

/// Connects to each address as it stands, and reads an answer.
fn tcp(args: &[String]) -> Result<Outcome, String> {
    let ways = addresses(args)?.into_iter().map(|address| {
        let stream = TcpStream::connect_timeout(&address, PATIENCE);
        (address, talked(stream))
    });
    Ok(Outcome::any(ways))
}

/// Sends a packet to each address, and reads an answer.
fn udp(args: &[String]) -> Result<Outcome, String> {
    let ways = addresses(args)?.into_iter().map(|address| {
        let local = if address.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let answer = UdpSocket::bind(local).and_then(|socket| {
            socket.set_read_timeout(Some(PATIENCE))?;
            socket.connect(address)?;
            socket.send(WORD)?;
            let mut answer = [0; 64];
            socket.recv(&mut answer)
        });
        (
            address,
            Outcome::of(answer, |length| format!("answered with {length} bytes")),
        )
    });
    Ok(Outcome::any(ways))
}

/// Takes a port of its own.
fn bind(args: &[String]) -> Result<Outcome, String> {
    let ways = addresses(args)?.into_iter().map(|address| {
        (
            address,
            Outcome::of(TcpListener::bind(address), |_| "bound".to_owned()),
        )
    });
    Ok(Outcome::any(ways))
}

/// Listens on a port that the kernel chooses, for which nothing is bound, or on the one given; tells it through a pipe,
/// and waits until a caller comes or the input ends.
fn listen(args: &[String]) -> Result<Outcome, String> {
    let pipe = word(args, 0, "pipe")?;
    let listener = match args.get(1..).filter(|rest| !rest.is_empty()) {
        Some(rest) => TcpListener::bind(addresses(rest)?.as_slice()),
        None => socket::listen_unbound(),
    };
    let listener = match listener {
        Ok(listener) => listener,
        Err(error) => return Ok(Outcome::Blocked(crate::errno::name(&error))),
    };
    let local = listener.local_addr().map_err(|error| error.to_string())?;
    let told = File::options()
        .write(true)
        .open(pipe)
        .and_then(|mut pipe| writeln!(pipe, "{}", local.port()));
    told.map_err(|error| format!("{pipe}: {error}"))?;
    let (tell, told) = std::sync::mpsc::channel();
    let caller = tell.clone();
    std::thread::spawn(move || {
        if let Ok((mut stream, peer)) = listener.accept() {
            let _ = stream.write_all(ANSWER);
            let _ = caller.send(Outcome::Escaped(format!("{peer} came in")));
        }
    });
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = tell.send(Outcome::Blocked("nobody came".to_owned()));
    });
    told.recv().map_err(|error| error.to_string())
}

/// Says a word to whoever is there. A connection that is closed without an answer leads nowhere.
fn talked(stream: std::io::Result<TcpStream>) -> Outcome {
    let answer = stream.and_then(|mut stream| {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(WORD)?;
        read_some(&mut stream)
    });
    match answer {
        Ok(answer) if answer.is_empty() => Outcome::Blocked("closed".to_owned()),
        answer => Outcome::of(answer, |bytes| String::from_utf8_lossy(&bytes).into_owned()),
    }
}

fn read_some(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4096];
    let length = stream.read(&mut bytes)?;
    bytes.truncate(length);
    Ok(bytes)
}

fn addresses(args: &[String]) -> Result<Vec<SocketAddr>, String> {
    word(args, 0, "address")?;
    args.iter()
        .map(|text| {
            text.parse()
                .map_err(|_| format!("{text:?} is no address and port"))
        })
        .collect()
}

fn port(args: &[String], index: usize) -> Result<u16, String> {
    word(args, index, "port")?
        .parse()
        .map_err(|_| "the port is no number".to_owned())
}
