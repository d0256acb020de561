//! The addresses that stand for names inside the child: 198.18.0.0/15, which is nobody's.
//!
//! A program that ignores proxies asks for an address and connects to it. It gets one of these, the
//! same each time it asks for the same name, and the address says later which name was meant.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::{Mutex, PoisonError};

/// Where the addresses begin.
const FIRST_ADDRESS: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 0);

/// Last octets in use: 1 to 254, since some programs take 0 and 255 for networks and broadcasts.
const LAST_OCTETS: u32 = 254;

/// The names that were asked for, each with its address.
#[derive(Debug)]
pub(super) struct NameAddresses {
    most: usize,
    table: Mutex<NameTable>,
}

#[derive(Debug, Default)]
struct NameTable {
    by_name: HashMap<String, Ipv4Addr>,
    by_address: HashMap<Ipv4Addr, String>,
}

impl NameAddresses {
    /// Makes an empty table for at most `most` names.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            table: Mutex::default(),
        }
    }

    /// Returns the address of a name, or `None` when there are too many names.
    pub(super) fn address(&self, name: &str) -> Option<Ipv4Addr> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(address) = table.by_name.get(name) {
            return Some(*address);
        }
        let count = table.by_name.len();
        let address = nth(u32::try_from(count).ok().filter(|_| count < self.most)?)?;
        table.by_name.insert(name.to_owned(), address);
        table.by_address.insert(address, name.to_owned());
        Some(address)
    }

    /// Returns the name that an address stands for.
    pub(super) fn name(&self, address: Ipv4Addr) -> Option<String> {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.by_address.get(&address).cloned()
    }
}

/// Returns the address with this number, while the range lasts.
fn nth(number: u32) -> Option<Ipv4Addr> {
    let offset = (number / LAST_OCTETS) << 8 | (number % LAST_OCTETS + 1);
    (offset >> 17 == 0).then(|| Ipv4Addr::from_bits(FIRST_ADDRESS.to_bits() | offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_stays_with_its_name() {
        let names = NameAddresses::new(4096);
        let first = names.address("a.test").unwrap();
        assert_eq!(first, Ipv4Addr::new(198, 18, 0, 1));
        assert_eq!(names.address("b.test"), Some(Ipv4Addr::new(198, 18, 0, 2)));
        assert_eq!(names.address("a.test"), Some(first));
        assert_eq!(names.name(first).as_deref(), Some("a.test"));
        assert_eq!(names.name(Ipv4Addr::new(198, 18, 0, 3)), None);
        assert_eq!(names.name(Ipv4Addr::new(198, 18, 0, 0)), None);
    }

    #[test]
    fn the_table_is_bounded_and_no_address_is_an_edge() {
        let names = NameAddresses::new(4096);
        for number in 0..4096 {
            let name = format!("n{number}.test");
            let address = names.address(&name).unwrap();
            assert!(!matches!(address.octets(), [.., 0 | 255]), "{address}");
            assert!(matches!(address.octets(), [198, 18 | 19, ..]), "{address}");
            assert_eq!(names.name(address), Some(name));
        }
        assert_eq!(names.address("one.more.test"), None);
        assert!(names.address("n7.test").is_some());
        assert_eq!(nth(512 * LAST_OCTETS - 1), Some(Ipv4Addr::new(198, 19, 255, 254)));
        assert_eq!(nth(512 * LAST_OCTETS), None);
    }
}
