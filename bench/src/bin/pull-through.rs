//! Reads a number of bytes from a host by way of the proxy: `pull-through HOST PORT BYTES`.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::process::ExitCode;

fn main() -> ExitCode {
    match pull() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "pull-through: {error}");
            ExitCode::FAILURE
        }
    }
}

fn pull() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [host, port, bytes] = words.as_slice() else {
        return Err(io::Error::other("HOST PORT BYTES"));
    };
    let mut stream = TcpStream::connect(("127.0.0.1", 3128))?;
    write!(
        stream,
        "CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n"
    )?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.extend(byte);
    }
    let mut buffer = vec![0; 256 * 1024];
    let mut seen = 0_u64;
    loop {
        match stream.read(&mut buffer)? {
            0 => break,
            length => seen += length as u64,
        }
    }
    if seen.to_string() == *bytes {
        Ok(())
    } else {
        Err(io::Error::other(format!("{seen} bytes came")))
    }
}
