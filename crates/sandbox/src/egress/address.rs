//! Which addresses are the open internet.
//!
//! A listed name may resolve to anything, and whoever owns the name decides to what: the machine
//! itself, its neighbours, a cloud's metadata service. Only addresses that belong to the open internet
//! are dialled. An address that carries another one inside is judged by both.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Ranges of IPv4 that are not the open internet: network, prefix length, what it is.
const CLOSED_IPV4: &[(Ipv4Addr, u32, &str)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8, "this network"),
    (Ipv4Addr::new(10, 0, 0, 0), 8, "private"),
    (Ipv4Addr::new(100, 64, 0, 0), 10, "shared by a provider"),
    (Ipv4Addr::new(127, 0, 0, 0), 8, "loopback"),
    (Ipv4Addr::new(168, 63, 129, 16), 32, "cloud metadata"),
    (Ipv4Addr::new(169, 254, 0, 0), 16, "link-local, cloud metadata"),
    (Ipv4Addr::new(172, 16, 0, 0), 12, "private"),
    (Ipv4Addr::new(192, 0, 0, 0), 24, "protocol assignments"),
    (Ipv4Addr::new(192, 0, 2, 0), 24, "documentation"),
    (Ipv4Addr::new(192, 88, 99, 0), 24, "6to4 relay"),
    (Ipv4Addr::new(192, 168, 0, 0), 16, "private"),
    (Ipv4Addr::new(198, 18, 0, 0), 15, "benchmarking"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "documentation"),
    (Ipv4Addr::new(203, 0, 113, 0), 24, "documentation"),
    (Ipv4Addr::new(224, 0, 0, 0), 4, "multicast"),
    (Ipv4Addr::BROADCAST, 32, "broadcast"),
    (Ipv4Addr::new(240, 0, 0, 0), 4, "reserved"),
];

/// The same of IPv6; what is outside 2000::/3 and not named here is refused too.
const CLOSED_IPV6: &[(Ipv6Addr, u32, &str)] = &[
    (Ipv6Addr::UNSPECIFIED, 128, "unspecified"),
    (Ipv6Addr::LOCALHOST, 128, "loopback"),
    (net6(0x64, 0xff9b, 1), 48, "local translation"),
    (net6(0x100, 0, 0), 64, "discard only"),
    (net6(0x2001, 0, 0), 23, "protocol assignments"),
    (net6(0x2001, 0xdb8, 0), 32, "documentation"),
    (net6(0x3fff, 0, 0), 20, "documentation"),
    (net6(0x5f00, 0, 0), 16, "segment routing"),
    (net6(0xfc00, 0, 0), 7, "private"),
    (net6(0xfe80, 0, 0), 10, "link-local"),
    (net6(0xfec0, 0, 0), 10, "site-local"),
    (net6(0xff00, 0, 0), 8, "multicast"),
];

const fn net6(a: u16, b: u16, c: u16) -> Ipv6Addr {
    Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0)
}

/// Returns the address to dial when `address` is one of the open internet.
///
/// # Errors
/// What it is instead: loopback, private, link-local, a cloud's metadata.
pub fn is_global(address: IpAddr) -> Result<IpAddr, &'static str> {
    match address {
        IpAddr::V4(v4) => global_v4(v4).map(IpAddr::V4),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => global_v4(v4).map(IpAddr::V4),
            None => global_v6(v6).map(IpAddr::V6),
        },
    }
}

/// Returns the address to dial when `address` is the machine itself: 127.0.0.0/8, or ::1.
pub(super) fn loopback(address: IpAddr) -> Option<IpAddr> {
    let address = address.to_canonical();
    address.is_loopback().then_some(address)
}

fn global_v4(address: Ipv4Addr) -> Result<Ipv4Addr, &'static str> {
    let inside = |(network, length, _): &&(Ipv4Addr, u32, &str)| {
        let mask = u32::MAX << (32 - length);
        address.to_bits() & mask == network.to_bits()
    };
    match CLOSED_IPV4.iter().find(inside) {
        Some((_, _, what)) => Err(what),
        None => Ok(address),
    }
}

fn global_v6(address: Ipv6Addr) -> Result<Ipv6Addr, &'static str> {
    let inside = |(network, length, _): &&(Ipv6Addr, u32, &str)| {
        let mask = u128::MAX << (128 - length);
        address.to_bits() & mask == network.to_bits()
    };
    if let Some((_, _, what)) = CLOSED_IPV6.iter().find(inside) {
        return Err(what);
    }
    if let Some(v4) = embedded_ipv4(address) {
        global_v4(v4)?;
    }
    let [a, b, c, d, e, f, ..] = address.segments();
    // A network of IPv6 alone reaches the IPv4 internet through this prefix, so it stays open.
    let translated = [a, b, c, d, e, f] == [0x64, 0xff9b, 0, 0, 0, 0];
    if a & 0xe000 == 0x2000 || translated {
        Ok(address)
    } else {
        Err("not a global address")
    }
}

/// Returns the IPv4 address inside: IPv4-compatible, translated (NAT64), 6to4, ISATAP.
///
/// Teredo carries one too, but its whole prefix is refused.
pub(super) fn embedded_ipv4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let last = || Some(Ipv4Addr::from_bits(low_bits(address)));
    match address.segments() {
        [0 | 0x64, 0 | 0xff9b, 0, 0, 0, 0, _, _] => last(),
        [0x2002, high, low, ..] => Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))),
        [_, _, _, _, 0 | 0x200, 0x5efe, _, _] => last(),
        _ => None,
    }
}

fn low_bits(address: Ipv6Addr) -> u32 {
    let [.., high, low] = address.segments();
    u32::from(high) << 16 | u32::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expected` is the address to dial, or a word of the reason.
    fn check(address: &str, expected: Result<&str, &str>) {
        match (is_global(address.parse().unwrap()), expected) {
            (Ok(dial), Ok(expected)) => assert_eq!(dial.to_string(), expected, "for {address}"),
            (Err(reason), Err(word)) => assert!(reason.contains(word), "for {address}: {reason}"),
            (given, expected) => panic!("for {address}: expected {expected:?}, got {given:?}"),
        }
    }

    #[test]
    fn each_range_of_v4_ends_where_it_ends() {
        // First and last inside, then the neighbours on both sides where they are open.
        for (first, last, before, after) in [
            ("0.0.0.0", "0.255.255.255", "", "1.0.0.0"),
            ("10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
            ("100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
            ("127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
            ("168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"),
            ("169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
            ("172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
            ("192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"),
            ("192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"),
            ("192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"),
            ("192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
            ("198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
            ("198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"),
            ("203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"),
            ("224.0.0.0", "239.255.255.255", "223.255.255.255", ""),
            ("240.0.0.0", "255.255.255.254", "", ""),
            ("255.255.255.255", "255.255.255.255", "", ""),
        ] {
            check(first, Err(""));
            check(last, Err(""));
            for open in [before, after].into_iter().filter(|open| !open.is_empty()) {
                check(open, Ok(open));
                check(&format!("::ffff:{open}"), Ok(open)); // dialled as what it is
            }
            check(&format!("::ffff:{first}"), Err(""));
            check(&format!("::{last}"), Err(""));
        }
        check("169.254.169.254", Err("metadata"));
        check("255.255.255.255", Err("broadcast"));
    }

    #[test]
    fn each_range_of_v6_ends_where_it_ends() {
        for inside in [
            "::",
            "::1",
            "::2",
            "64:ff9b:1::",
            "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
            "64:ff9b:2::",
            "100::",
            "100::ffff:ffff:ffff:ffff",
            "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001::",
            "2001:0:53aa:64c:0:7fff:b8a1:4d3e", // Teredo
            "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db8::",
            "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
            "3fff::",
            "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
            "4000::",
            "5f00::1",
            "fc00::",
            "fd00:ec2::254", // a cloud's metadata service
            "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fe00::",
            "fe80::1",
            "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fec0::",
            "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "ff00::",
            "ff02::1",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ] {
            check(inside, Err(""));
        }
        for open in [
            "2000::",
            "2001:200::",
            "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db9::",
            "2606:4700::6810:84e5",
            "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "3fff:1000::",
        ] {
            check(open, Ok(open));
        }
    }

    #[test]
    fn an_address_inside_an_address_is_judged_too() {
        check("64:ff9b::808:808", Ok("64:ff9b::808:808"));
        check("64:ff9b::7f00:1", Err("loopback"));
        check("64:ff9b::a9fe:a9fe", Err("metadata"));
        check("2002:808:808::1", Ok("2002:808:808::1"));
        check("2002:7f00:1::1", Err("loopback"));
        check("2002:a00:1::", Err("private"));
        check("2606:4700::5efe:c0a8:1", Err("private")); // ISATAP
        check("2606:4700::200:5efe:c0a8:1", Err("private"));
        check("2606:4700::5efe:808:808", Ok("2606:4700::5efe:808:808"));
        check("::ffff:127.0.0.1", Err("loopback"));
        check("::127.0.0.1", Err("loopback"));
        check("::8.8.8.8", Err("not a global"));
    }

    #[test]
    fn loopback_is_the_machine_and_nothing_else() {
        let check = |address: &str, expected: Option<&str>| {
            let found = loopback(address.parse().unwrap()).map(|found| found.to_string());
            assert_eq!(found.as_deref(), expected, "for {address}");
        };
        check("127.0.0.1", Some("127.0.0.1"));
        check("127.255.255.255", Some("127.255.255.255"));
        check("::ffff:127.0.0.2", Some("127.0.0.2"));
        check("::1", Some("::1"));
        for other in [
            "::127.0.0.1",
            "128.0.0.1",
            "0.0.0.0",
            "10.0.0.1",
            "169.254.169.254",
            "::",
            "64:ff9b::7f00:1",
        ] {
            check(other, None);
        }
    }
}
