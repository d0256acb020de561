//! What the host reads of what children write, as functions of bytes: for tests and the fuzzer.
//!
//! Nothing here is read from anywhere or done to anybody, and nothing is part of the crate's interface.

pub use crate::child::replay::{MEMORY_AT, caller_path, socket_address};
pub use crate::compile::replay::{ProgramHead, program_head};
pub use crate::egress::replay::{
    DnsQuestion, Forwarded, Proxied, Relayed, Seen, dns_answer, proxy_request, request_stream,
    socks_greeting, socks_request, tls_hello,
};
