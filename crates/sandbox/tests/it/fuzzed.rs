//! What `fuzz/` checks of any text or bytes, also run by stable tests on its seeds.

mod caller_memory;
mod dns_query;
mod pattern;
mod program_head;
mod proxy_request;
mod request_stream;
mod socks_message;
mod tls_hello;

pub(crate) use caller_memory::caller_memory;
pub(crate) use dns_query::dns_query;
pub(crate) use pattern::pattern;
pub(crate) use program_head::program_head;
pub(crate) use proxy_request::proxy_request;
pub(crate) use request_stream::request_stream;
pub(crate) use socks_message::socks_message;
pub(crate) use tls_hello::tls_hello;
