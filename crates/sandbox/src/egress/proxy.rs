//! The proxy: one port for HTTP and SOCKS 5, told apart by the first byte.

use std::io;
use std::net::TcpStream;

use super::gate::{self, Gate};
use super::http::{self, Status};
use super::service::{Cause, Egress};
use super::socks::{self, Greeting, Reply};
use super::wire::Wire;

/// Serves one client.
pub(super) fn serve(egress: &Egress, stream: &TcpStream) -> io::Result<()> {
    let wire = egress.wire(stream);
    let mut bytes = Vec::new();
    wire.read_more(&mut bytes, gate::LONGEST)?;
    match bytes.first() {
        Some(5) => serve_socks(egress, stream, wire, bytes),
        Some(_) | None => serve_http(egress, stream, wire, bytes),
    }
}

fn serve_http(egress: &Egress, stream: &TcpStream, wire: Wire<'_>, mut bytes: Vec<u8>) -> io::Result<()> {
    let (host, port, head, length) = loop {
        match http::parse(&bytes) {
            http::Request::NeedMore => wire.read_more(&mut bytes, gate::LONGEST)?,
            http::Request::Connect { host, port, length } => break (host, port, None, length),
            http::Request::Forward {
                host,
                port,
                head,
                length,
            } => break (host, port, Some(head), length),
            http::Request::Refuse(status, text) => return refuse(wire, status, text),
        }
    };
    let (server, name) = match egress.open(host, port) {
        Ok(opened) => opened,
        Err(unreached) => return refuse(wire, status(&unreached.cause), &unreached.to_string()),
    };
    let rest = bytes.split_off(length);
    match head {
        None => {
            wire.write_all(http::CONNECTED)?;
            egress.connect(stream, &server, rest, Some(Gate { name, port }));
        }
        // Its first words are our own.
        Some(head) => egress.connect(stream, &server, [head, rest].concat(), None),
    }
    Ok(())
}

fn refuse(wire: Wire<'_>, status: Status, text: &str) -> io::Result<()> {
    wire.write_all(&http::answer(status, text))?;
    wire.finish();
    Ok(())
}

fn status(cause: &Cause) -> Status {
    match cause {
        Cause::NotListed | Cause::Literal | Cause::Address(..) => Status::Forbidden,
        Cause::Unresolved | Cause::Unreachable(_) => Status::BadGateway,
    }
}

fn serve_socks(egress: &Egress, stream: &TcpStream, wire: Wire<'_>, mut bytes: Vec<u8>) -> io::Result<()> {
    let length = loop {
        match socks::greeting(&bytes) {
            Greeting::NeedMore => wire.read_more(&mut bytes, socks::LONGEST)?,
            Greeting::Open(length) => break length,
            Greeting::Closed => return finish(wire, socks::NO_METHOD),
        }
    };
    bytes = bytes.split_off(length);
    wire.write_all(socks::NO_AUTHENTICATION)?;
    let (host, port, length) = loop {
        match socks::request(&bytes) {
            socks::Request::NeedMore => wire.read_more(&mut bytes, socks::LONGEST)?,
            socks::Request::Connect { host, port, length } => break (host, port, length),
            socks::Request::Refuse(reply, what) => {
                egress.deny(&format!("SOCKS: {what}"));
                return finish(wire, &reply.message());
            }
        }
    };
    let (server, name) = match egress.open(host, port) {
        Ok(opened) => opened,
        Err(unreached) => return finish(wire, &reply(&unreached.cause).message()),
    };
    wire.write_all(&Reply::Succeeded.message())?;
    egress.connect(
        stream,
        &server,
        bytes.split_off(length),
        Some(Gate { name, port }),
    );
    Ok(())
}

fn finish(wire: Wire<'_>, message: &[u8]) -> io::Result<()> {
    wire.write_all(message)?;
    wire.finish();
    Ok(())
}

fn reply(cause: &Cause) -> Reply {
    match cause {
        Cause::NotListed | Cause::Literal | Cause::Address(..) => Reply::NotAllowed,
        Cause::Unresolved => Reply::HostUnreachable,
        Cause::Unreachable(_) => Reply::Refused,
    }
}
