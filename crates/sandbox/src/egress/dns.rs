//! The child's name server: a query in, an answer out, and never a query to anybody else.
//!
//! Only the header and the one question are read, by hand: `simple-dns` would refuse every type that it
//! does not know, and everything after the question is the child's own affair (an EDNS record, which a
//! server may ignore). The answers are written by `simple-dns`.
//!
//! A name that is not listed does not exist (NXDOMAIN): resolvers report that at once, while a refusal
//! makes them try again and again.

use std::io;
use std::net::Ipv4Addr;
use std::time::Duration;

use simple_dns::rdata::{A, RData};
use simple_dns::{
    CLASS, Label, Name, OPCODE, Packet, PacketFlag, QCLASS, QTYPE, Question, RCODE, ResourceRecord, TYPE,
};

use super::deadline_socket::DeadlineSocket;
use super::host::TargetHost;

/// How long a query may be.
pub(super) const MAX_QUERY_BYTES: usize = 4096;

/// How many queries one TCP connection may ask, and how long it may take for each.
const MAX_QUERIES_PER_CONNECTION: usize = 64;
const QUERY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an answer may be kept, in seconds.
const TTL_SECONDS: u32 = 60;

/// What is known about a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DnsAnswer {
    /// The name stands for this address.
    Address(Ipv4Addr),
    /// It exists, but not with a record of this type.
    Empty,
    /// No such name exists here.
    Unknown,
    /// There is no address left to give it.
    Full,
}

/// The kind of record that a query asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordKind {
    /// An IPv4 address.
    Address,
    /// Any other record.
    Other,
}

/// A query that was read as far as it is answered.
struct DnsQuery<'a> {
    id: u16,
    recursion: bool,
    labels: Vec<&'a [u8]>,
    kind: u16,
    class: u16,
}

/// Answers one query; `look_up` says what is known. `None` when nothing should be sent back.
///
/// `look_up` gets `None` for a name that is no host name.
pub(super) fn answer(
    query: &[u8],
    look_up: impl FnOnce(Option<&str>, RecordKind) -> DnsAnswer,
) -> Option<Vec<u8>> {
    let (&[id_high, id_low, flags, ..], Some(header)) = (query.first_chunk::<4>()?, query.get(4..12)) else {
        return None;
    };
    let id = u16::from_be_bytes([id_high, id_low]);
    if flags & 0x80 != 0 {
        return None; // An answer to an answer would go on for ever.
    }
    if flags & 0x78 != 0 {
        return write(bare(id, RCODE::NotImplemented));
    }
    let one_question = matches!(header, [0, 1, 0, 0, 0, 0, ..]);
    let Some((labels, kind, class)) =
        question(query).filter(|_| one_question && query.len() <= MAX_QUERY_BYTES)
    else {
        return write(bare(id, RCODE::FormatError));
    };
    let query = DnsQuery {
        id,
        recursion: flags & 1 != 0,
        labels,
        kind,
        class,
    };
    if ![u16::from(QCLASS::CLASS(CLASS::IN)), u16::from(QCLASS::ANY)].contains(&class) {
        return write(bare(id, RCODE::NotImplemented));
    }
    let wanted = match QTYPE::try_from(kind) {
        Ok(QTYPE::TYPE(TYPE::A) | QTYPE::ANY) => RecordKind::Address,
        Ok(_) | Err(_) => RecordKind::Other,
    };
    let answer = look_up(host_name(&query.labels).as_deref(), wanted);
    write(reply(&query, answer))
}

/// Answers the queries of one TCP connection, each with its length in front (RFC 7766).
pub(super) fn serve(
    mut wire: DeadlineSocket<'_>,
    mut answer: impl FnMut(&[u8]) -> Option<Vec<u8>>,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    for _ in 0..MAX_QUERIES_PER_CONNECTION {
        wire.extend(QUERY_TIMEOUT);
        let length = loop {
            match bytes.first_chunk::<2>() {
                Some(length) => break usize::from(u16::from_be_bytes(*length)),
                None => wire.read_more(&mut bytes, 2 + MAX_QUERY_BYTES)?,
            }
        };
        if length > MAX_QUERY_BYTES {
            break;
        }
        while bytes.len() < 2 + length {
            wire.read_more(&mut bytes, 2 + MAX_QUERY_BYTES)?;
        }
        let rest = bytes.split_off(2 + length);
        let Some(reply) = bytes.get(2..).and_then(&mut answer) else {
            break;
        };
        let Ok(length) = u16::try_from(reply.len()) else {
            break;
        };
        wire.write_all(&[&length.to_be_bytes()[..], &reply].concat())?;
        bytes = rest;
    }
    wire.finish();
    Ok(())
}

/// Reads the first question: labels, type, class. There is nothing before it that a pointer could point to.
fn question(query: &[u8]) -> Option<(Vec<&[u8]>, u16, u16)> {
    let mut rest = query.get(12..)?;
    let mut labels = Vec::new();
    let mut length = 1;
    loop {
        let (&count, after) = rest.split_first()?;
        if count == 0 {
            rest = after;
            break;
        }
        length += 1 + usize::from(count);
        if count > 63 || length > 255 {
            return None;
        }
        let (label, after) = after.split_at_checked(count.into())?;
        labels.push(label);
        rest = after;
    }
    let &[a, b, c, d] = rest.first_chunk()?;
    Some((labels, u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])))
}

/// Returns the name in lower case, unless a label holds what no host name does: a dot, for one.
fn host_name(labels: &[&[u8]]) -> Option<String> {
    let labels: Option<Vec<&str>> = labels.iter().map(|label| str::from_utf8(label).ok()).collect();
    let labels = labels.filter(|labels| labels.iter().all(|label| !label.contains('.')))?;
    match TargetHost::parse(&labels.join("."))? {
        TargetHost::Name(name) => Some(name),
        TargetHost::Address(_) => None,
    }
}

fn reply<'a>(query: &DnsQuery<'a>, answer: DnsAnswer) -> Packet<'a> {
    let (code, address) = match answer {
        DnsAnswer::Address(address) => (RCODE::NoError, Some(address)),
        DnsAnswer::Empty => (RCODE::NoError, None),
        DnsAnswer::Unknown => (RCODE::NameError, None),
        DnsAnswer::Full => (RCODE::ServerFailure, None),
    };
    let mut packet = bare(query.id, code);
    if query.recursion {
        packet.set_flags(PacketFlag::RECURSION_DESIRED);
    }
    // The question goes back letter by letter: some resolvers mix cases and compare.
    let labels: Vec<Label<'a>> = query
        .labels
        .iter()
        .map(|label| Label::new_unchecked(*label))
        .collect();
    let name = Name::new_with_labels(&labels);
    let class = if query.class == 255 {
        QCLASS::ANY
    } else {
        QCLASS::CLASS(CLASS::IN)
    };
    let kind = QTYPE::try_from(query.kind).unwrap_or(QTYPE::TYPE(TYPE::Unknown(query.kind)));
    packet
        .questions
        .push(Question::new(name.clone(), kind, class, false));
    if let Some(address) = address {
        let data = RData::A(A::from(address));
        packet
            .answers
            .push(ResourceRecord::new(name, CLASS::IN, TTL_SECONDS, data));
    }
    packet
}

fn bare<'a>(id: u16, code: RCODE) -> Packet<'a> {
    let mut packet = Packet::new_reply(id);
    *packet.opcode_mut() = OPCODE::StandardQuery;
    *packet.rcode_mut() = code;
    // Without this, an empty answer looks like a referral, and resolvers ask the next server.
    packet.set_flags(PacketFlag::RECURSION_AVAILABLE);
    packet
}

fn write(packet: Packet<'_>) -> Option<Vec<u8>> {
    packet.build_bytes_vec_compressed().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ADDRESS: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 1);

    fn query(name: &str, kind: u16) -> Vec<u8> {
        let mut bytes = b"\xab\xcd\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00".to_vec();
        for label in name.split('.') {
            bytes.push(u8::try_from(label.len()).unwrap());
            bytes.extend_from_slice(label.as_bytes());
        }
        bytes.push(0);
        bytes.extend(kind.to_be_bytes());
        bytes.extend([0, 1]);
        bytes
    }

    fn known(name: Option<&str>, wanted: RecordKind) -> DnsAnswer {
        match (name, wanted) {
            (Some("a.test"), RecordKind::Address) => DnsAnswer::Address(ADDRESS),
            (Some("a.test"), RecordKind::Other) => DnsAnswer::Empty,
            (Some("full.test"), _) => DnsAnswer::Full,
            (Some(_) | None, _) => DnsAnswer::Unknown,
        }
    }

    fn check(query: &[u8], code: RCODE, addresses: usize) {
        let bytes = answer(query, known).unwrap();
        let reply = Packet::parse(&bytes).unwrap();
        assert_eq!((reply.id(), reply.rcode()), (0xabcd, code), "for {query:?}");
        assert_eq!(reply.answers.len(), addresses, "for {query:?}");
        assert!(reply.has_flags(PacketFlag::RESPONSE | PacketFlag::RECURSION_AVAILABLE));
    }

    #[test]
    fn listed_names_have_one_address_and_nothing_else() {
        check(&query("a.test", 1), RCODE::NoError, 1);
        for other in [28, 65, 64, 16, 15, 12, 99, 999, 252] {
            // The answer to a type that `simple-dns` does not know it cannot read back either.
            let bytes = answer(&query("a.test", other), known).unwrap();
            assert_eq!(&bytes[2..8], [0x81, 0x80, 0, 1, 0, 0], "for type {other}");
        }
        check(&query("a.test", 255), RCODE::NoError, 1);
        check(&query("b.test", 1), RCODE::NameError, 0);
        check(&query("b.test", 28), RCODE::NameError, 0);
        check(&query("full.test", 1), RCODE::ServerFailure, 0);
    }

    #[test]
    fn the_question_comes_back_letter_by_letter() {
        let asked = query("A.tEsT", 1);
        let bytes = answer(&asked, known).unwrap();
        assert_eq!(bytes[12..asked.len()], asked[12..]);
        let reply = Packet::parse(&bytes).unwrap();
        let record = reply.answers.first().unwrap();
        assert_eq!((record.ttl, &record.rdata), (60, &RData::A(A::from(ADDRESS))));
    }

    #[test]
    fn an_edns_record_is_tolerated() {
        let mut asked = query("a.test", 1);
        asked[11] = 1;
        asked.extend([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]);
        check(&asked, RCODE::NoError, 1);
    }

    #[test]
    fn a_dot_inside_a_label_is_no_separator() {
        let mut asked =
            b"\xab\xcd\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x06a.test\x00\x00\x01\x00\x01".to_vec();
        check(&asked, RCODE::NameError, 0);
        asked[14] = 0;
        check(&asked, RCODE::NameError, 0);
    }

    #[test]
    fn what_is_no_query_is_refused_or_dropped() {
        assert_eq!(answer(b"", known), None);
        assert_eq!(answer(&[0; 11], known), None);
        let change = |at: usize, to: u8| {
            let mut asked = query("a.test", 1);
            asked[at] = to;
            asked
        };
        assert_eq!(answer(&change(2, 0x81), known), None); // an answer
        check(&change(2, 0x29), RCODE::NotImplemented, 0); // an update
        check(&change(5, 2), RCODE::FormatError, 0); // two questions
        check(&change(5, 0), RCODE::FormatError, 0);
        check(&change(7, 1), RCODE::FormatError, 0); // an answer section
        check(&change(12, 0xc0), RCODE::FormatError, 0); // a pointer, to itself
        check(&change(12, 64), RCODE::FormatError, 0);
        check(&change(23, 3), RCODE::NotImplemented, 0); // another class
        let mut long = query("a.test", 1);
        long.resize(MAX_QUERY_BYTES + 1, 0);
        check(&long, RCODE::FormatError, 0);
        check(
            &query(&"a.".repeat(126).replace("a.", "abc."), 1),
            RCODE::FormatError,
            0,
        );
    }

    proptest! {
        #[test]
        fn no_packet_panics(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            answer(&bytes, known);
            answer(&[&query("a.test", 1)[..12], &bytes].concat(), known);
        }
    }
}
