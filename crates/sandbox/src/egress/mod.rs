//! The network of a child, served by the host: names, proxies, and who may be reached.
//!
//! The child lives in an empty network namespace. What it finds there are listeners of ours: a name
//! server, a proxy, and some well-known ports. All of them end in the same three questions, asked in
//! this order: is the name listed, is its address one of the open internet and not our own, and does what the child
//! says to the server (the name in a TLS hello, the `Host` of every plain request) agree with the name that
//! it asked for.
//!
//! Names decide, ports do not. Nothing is decrypted, and a listed server that forwards to others can still do so.

mod address;
mod body;
mod connection_threads;
mod deadline_socket;
mod dial;
mod dns;
#[cfg(test)]
mod fixture;
mod gate;
mod host;
mod http;
mod ingress;
mod names;
mod own_addresses;
mod proxy;
mod relay;
#[cfg(feature = "replay")]
pub(crate) mod replay;
mod service;
mod socks;
mod stop;
mod tls;
mod transfer_buffer;
mod transparent;
mod unreached;

pub use address::is_global;
pub(crate) use ingress::IngressPort;
pub use own_addresses::is_public;
pub use relay::Traffic;
pub(crate) use service::{EgressLimits, EgressListener, EgressOptions, EgressService};
pub use unreached::{Absence, Unreached};
