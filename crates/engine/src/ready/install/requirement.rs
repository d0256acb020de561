//! AIP-29 `requires`: whether this machine is one that the bundle is for.

use argrail_spec::cli_md::Requires;

use super::machine::Machine;
use super::skip::Skip;

/// Returns what the machine lacks. What it does not tell is not held against it, except what it is.
pub(super) fn missing(requires: Option<&Requires>, machine: &Machine) -> Option<Skip> {
    let requires = requires?;
    if let Some(systems) = &requires.os
        && !machine.os.is_some_and(|os| systems.contains(&os))
    {
        return Some(Skip::Os(systems.clone()));
    }
    if let Some(processors) = &requires.arch
        && !machine.arch.is_some_and(|arch| processors.contains(&arch))
    {
        return Some(Skip::Arch(processors.clone()));
    }
    if let (Some(wanted), Some(free)) = (requires.min_disk_mb, machine.free_disk_mb)
        && free < wanted
    {
        return Some(Skip::Disk { wanted, free });
    }
    if let (Some(wanted), Some(there)) = (requires.min_memory_mb, machine.memory_mb)
        && there < wanted
    {
        return Some(Skip::Memory { wanted, there });
    }
    None
}

#[cfg(test)]
mod tests {
    use argrail_spec::cli_md::{Arch, Os};

    use super::super::machine::Rights;
    use super::*;

    fn machine() -> Machine {
        Machine {
            os: Some(Os::Linux),
            arch: Some(Arch::X64),
            family: None,
            rights: Rights::User,
            free_disk_mb: Some(100),
            memory_mb: Some(1000),
            root: "/".into(),
        }
    }

    #[test]
    fn a_machine_fits_or_lacks_something() {
        let check = |requires: Requires, want: Option<Skip>| {
            assert_eq!(missing(Some(&requires), &machine()), want, "{requires:?}");
        };
        let any = Requires::default;
        assert_eq!(missing(None, &machine()), None);
        check(any(), None);
        let os = |list: &[Os]| Requires {
            os: Some(list.to_vec()),
            ..any()
        };
        check(os(&[Os::Darwin, Os::Linux]), None);
        check(os(&[Os::Darwin]), Some(Skip::Os(vec![Os::Darwin])));
        check(os(&[]), Some(Skip::Os(vec![])));
        let arch = Requires {
            arch: Some(vec![Arch::Arm64]),
            ..any()
        };
        check(arch, Some(Skip::Arch(vec![Arch::Arm64])));
        let disk = |mb| Requires {
            min_disk_mb: Some(mb),
            ..any()
        };
        check(disk(100), None);
        check(
            disk(101),
            Some(Skip::Disk {
                wanted: 101,
                free: 100,
            }),
        );
        let memory = |mb| Requires {
            min_memory_mb: Some(mb),
            ..any()
        };
        check(memory(1000), None);
        check(
            memory(1001),
            Some(Skip::Memory {
                wanted: 1001,
                there: 1000,
            }),
        );
        let silent = Machine {
            free_disk_mb: None,
            os: None,
            ..machine()
        };
        assert_eq!(missing(Some(&disk(1 << 40)), &silent), None);
        assert!(missing(Some(&os(&[Os::Linux])), &silent).is_some());
    }
}
