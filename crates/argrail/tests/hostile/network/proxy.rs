//! Names, and the proxy that reaches them.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};

use super::{PATIENCE, port, read_some, talked};
use crate::errno;
use crate::outcome::{Outcome, word};

const PROXY: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 3128);
const NAMES: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 53);

/// Types of records that a question may ask for.
const ADDRESS: u16 = 1;
const TEXT: u16 = 16;

/// Asks for the address of each name, as a resolver does.
pub(super) fn name(args: &[String]) -> Result<Outcome, String> {
    word(args, 0, "name")?;
    Ok(Outcome::any(
        args.iter()
            .map(|name| (name, looked_up(name, ADDRESS, by_packet))),
    ))
}

/// The same over TCP.
pub(super) fn name_over_tcp(args: &[String]) -> Result<Outcome, String> {
    word(args, 0, "name")?;
    Ok(Outcome::any(
        args.iter()
            .map(|name| (name, looked_up(name, ADDRESS, by_stream))),
    ))
}

/// Sends a secret out in the names that it asks for, and would take an answer back in texts.
pub(super) fn tunnel(args: &[String]) -> Result<Outcome, String> {
    let domain = word(args, 0, "domain")?;
    let names = (0..100).map(|part| {
        let label = format!("{part:02}{}", "5ec2e7".repeat(10));
        format!("{label}.{label}.{label}.{domain}")
    });
    let ways = names.flat_map(|name| {
        let ways = [ADDRESS, TEXT].map(|kind| looked_up(&name, kind, by_packet));
        ways.map(|outcome| (domain, outcome))
    });
    let blocked = match Outcome::any(ways) {
        Outcome::Blocked(blocks) => blocks,
        escaped @ Outcome::Escaped(_) => return Ok(escaped),
    };
    Ok(Outcome::Blocked(format!(
        "{} answers, none with anything",
        blocked.split(", ").count()
    )))
}

fn looked_up(name: &str, kind: u16, ask: fn(&[u8]) -> io::Result<Vec<u8>>) -> Outcome {
    let mut question = vec![0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in name.split('.') {
        question.push(label.len() as u8);
        question.extend(label.bytes());
    }
    question.push(0);
    question.extend(kind.to_be_bytes());
    question.extend([0, 1]);
    let answer = match ask(&question) {
        Ok(answer) => answer,
        Err(error) => return Outcome::Blocked(errno::name(&error)),
    };
    match (
        answer.get(3).map(|flags| flags & 0xf),
        answer.get(6..8),
        answer.last_chunk::<4>(),
    ) {
        (Some(0), Some([0, 1]), Some(last)) => Outcome::Escaped(Ipv4Addr::from(*last).to_string()),
        (Some(3), ..) => Outcome::Blocked("NXDOMAIN".to_owned()),
        (Some(code), ..) => Outcome::Blocked(format!("code {code}, no record")),
        (None, ..) => Outcome::Blocked("no answer".to_owned()),
    }
}

fn by_packet(question: &[u8]) -> io::Result<Vec<u8>> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.connect(NAMES)?;
    socket.send(question)?;
    let mut answer = vec![0; 4096];
    let length = socket.recv(&mut answer)?;
    answer.truncate(length);
    Ok(answer)
}

fn by_stream(question: &[u8]) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(NAMES)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let length = u16::try_from(question.len()).map_err(io::Error::other)?;
    stream.write_all(&[&length.to_be_bytes(), question].concat())?;
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut answer = vec![0; usize::from(u16::from_be_bytes(length))];
    stream.read_exact(&mut answer)?;
    Ok(answer)
}

/// Has the proxy connect to each `HOST:PORT`, and says a word there.
pub(super) fn connect(args: &[String]) -> Result<Outcome, String> {
    word(args, 0, "host and port")?;
    Ok(Outcome::any(args.iter().map(|to| {
        let outcome = match tunnelled(to) {
            Ok(stream) => talked(Ok(stream)),
            Err(blocked) => Outcome::Blocked(blocked),
        };
        (to, outcome)
    })))
}

/// A connection through the proxy, or how it was refused.
fn tunnelled(to: &str) -> Result<TcpStream, String> {
    let request = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n");
    let (stream, head) = asked(request.as_bytes()).map_err(|error| errno::name(&error))?;
    if head.starts_with("HTTP/1.1 200") {
        Ok(stream)
    } else {
        Err(status(&head))
    }
}

fn asked(request: &[u8]) -> io::Result<(TcpStream, String)> {
    let mut stream = TcpStream::connect(PROXY)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(request)?;
    let head = read_some(&mut stream)?;
    Ok((stream, String::from_utf8_lossy(&head).into_owned()))
}

fn status(head: &str) -> String {
    head.split_whitespace().nth(1).unwrap_or("closed").to_owned()
}

/// Has the proxy fetch each URL in plain HTTP.
pub(super) fn get(args: &[String]) -> Result<Outcome, String> {
    word(args, 0, "URL")?;
    Ok(Outcome::any(args.iter().map(|url| {
        let host = url.split('/').nth(2).unwrap_or_default();
        let outcome = match asked(format!("GET {url} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()) {
            Ok((_, answer)) if answer.contains("outside") => Outcome::Escaped(answer),
            Ok((_, answer)) => Outcome::Blocked(status(&answer)),
            Err(error) => Outcome::Blocked(errno::name(&error)),
        };
        (url, outcome)
    })))
}

/// Says one text after the other on one connection, each after the answer to the one before: through a tunnel to
/// `HOST:PORT`, at the address of `HOST:PORT`, or to the proxy itself (`proxy`).
pub(super) fn requests(args: &[String]) -> Result<Outcome, String> {
    let (way, to) = (word(args, 0, "way")?, word(args, 1, "host and port")?);
    let stream = match way {
        "tunnel" => tunnelled(to).map_err(|blocked| format!("the name itself was refused: {blocked}"))?,
        "proxy" => TcpStream::connect(PROXY).map_err(|error| error.to_string())?,
        _ => {
            let (name, port) = to.split_once(':').ok_or("no port was given")?;
            let Outcome::Escaped(address) = looked_up(name, ADDRESS, by_packet) else {
                return Err("the name itself was refused".to_owned());
            };
            let address: IpAddr = address.parse().map_err(|_| "no address".to_owned())?;
            let port = port.parse().map_err(|_| "no port".to_owned())?;
            TcpStream::connect(SocketAddr::new(address, port)).map_err(|error| error.to_string())?
        }
    };
    let texts = args.get(2..).unwrap_or_default();
    for (number, text) in texts.iter().enumerate() {
        let mut stream = &stream;
        let answer = stream.set_read_timeout(Some(PATIENCE)).and_then(|()| {
            stream.write_all(text.as_bytes())?;
            let mut bytes = vec![0; 4096];
            let length = stream.read(&mut bytes)?;
            bytes.truncate(length);
            Ok(bytes)
        });
        match answer {
            Ok(answer) if answer.starts_with(b"HTTP/1.1 200") => {}
            Ok(answer) => {
                let answer = String::from_utf8_lossy(&answer).into_owned();
                return Ok(Outcome::Blocked(format!("{} after {number}", status(&answer))));
            }
            Err(error) => {
                return Ok(Outcome::Blocked(format!(
                    "{} after {number}",
                    errno::name(&error)
                )));
            }
        }
    }
    Ok(Outcome::Escaped(format!("{} answers", texts.len())))
}

/// Has the proxy connect by SOCKS to a host, which may be an address, and a port.
pub(super) fn socks(args: &[String]) -> Result<Outcome, String> {
    let (host, port) = (word(args, 0, "host")?, port(args, 1)?);
    let mut request = vec![5, 1, 0];
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => {
            request.push(1);
            request.extend(address.octets());
        }
        Ok(IpAddr::V6(address)) => {
            request.push(4);
            request.extend(address.octets());
        }
        Err(_) => {
            request.extend([3, host.len() as u8]);
            request.extend(host.bytes());
        }
    }
    request.extend(port.to_be_bytes());
    let answered = asked(&[5, 1, 0]).and_then(|(mut stream, _)| {
        stream.write_all(&request)?;
        let mut answer = [0; 10];
        stream.read_exact(&mut answer)?;
        Ok((stream, answer[1]))
    });
    Ok(match answered {
        Ok((stream, 0)) => talked(Ok(stream)),
        Ok((_, code)) => Outcome::Blocked(format!("SOCKS code {code}")),
        Err(error) => Outcome::Blocked(errno::name(&error)),
    })
}

/// Has the proxy connect to one name, and says hello to another there.
pub(super) fn hello(args: &[String]) -> Result<Outcome, String> {
    let (to, name) = (word(args, 0, "host and port")?, word(args, 1, "name")?);
    let stream = tunnelled(to).map_err(|blocked| format!("the name itself was refused: {blocked}"))?;
    Ok(greeted(stream, name))
}

/// Connects to the address of one name, and says hello to another there.
pub(super) fn hello_direct(args: &[String]) -> Result<Outcome, String> {
    let (to, port, name) = (
        word(args, 0, "name")?,
        port(args, 1)?,
        word(args, 2, "name for the hello")?,
    );
    let Outcome::Escaped(address) = looked_up(to, ADDRESS, by_packet) else {
        return Err("the name itself has no address".to_owned());
    };
    let address: Ipv4Addr = address
        .parse()
        .map_err(|_| format!("{address:?} is no address"))?;
    let stream = TcpStream::connect(SocketAddr::from((address, port))).map_err(|error| error.to_string())?;
    Ok(greeted(stream, name))
}

/// Says a TLS hello, and reads what the server has to say.
fn greeted(mut stream: TcpStream, name: &str) -> Outcome {
    let answer = stream
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| stream.write_all(&client_hello(name)))
        .and_then(|()| read_some(&mut stream));
    match answer {
        Ok(answer) if answer.is_empty() => Outcome::Blocked("closed".to_owned()),
        answer => Outcome::of(answer, |bytes| String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// The first message of TLS: one cipher, and the name of the server, or none for an empty one.
fn client_hello(name: &str) -> Vec<u8> {
    let sized = |bytes: &[u8]| [&(bytes.len() as u16).to_be_bytes(), bytes].concat();
    let extensions = if name.is_empty() {
        Vec::new()
    } else {
        let entry = [&[0], sized(name.as_bytes()).as_slice()].concat();
        [&[0, 0], sized(&sized(&entry)).as_slice()].concat()
    };
    let mut body = vec![3, 3];
    body.extend([7; 32]); // random
    body.push(0); // no session
    body.extend(sized(&[0x13, 0x01]));
    body.extend([1, 0]); // no compression
    body.extend(sized(&extensions));
    let message = [&[1, 0], sized(&body).as_slice()].concat();
    [&[22, 3, 1], sized(&message).as_slice()].concat()
}

/// Holds a pipe open, and connects to a host and port through the proxy for as long as that works.
pub(super) fn talk_on(args: &[String]) -> Result<Outcome, String> {
    let (pipe, to) = (word(args, 0, "pipe")?, word(args, 1, "host and port")?);
    let _pipe = File::options()
        .write(true)
        .open(pipe)
        .map_err(|error| format!("{pipe}: {error}"))?;
    loop {
        match tunnelled(to).map(|stream| talked(Ok(stream))) {
            Ok(Outcome::Escaped(_)) => {}
            Ok(Outcome::Blocked(how)) | Err(how) => return Ok(Outcome::Blocked(how)),
        }
    }
}
