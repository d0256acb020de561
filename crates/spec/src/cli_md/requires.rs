//! AIP-29 `requires`: the machines on which a bundle works.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::fields::Complaints;
use crate::manifest::Field;

const SYSTEMS: [(&str, Os); 3] = [
    ("darwin", Os::Darwin),
    ("linux", Os::Linux),
    ("windows", Os::Windows),
];
const ARCHES: [(&str, Arch); 4] = [
    ("x64", Arch::X64),
    ("arm64", Arch::Arm64),
    ("x86", Arch::X86),
    ("arm", Arch::Arm),
];

/// What a machine must be and have.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Requires {
    /// Operating systems; absent is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<Vec<Os>>,
    /// Processors; absent is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arch: Option<Vec<Arch>>,
    /// Mebibytes of disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_disk_mb: Option<u64>,
    /// Mebibytes of memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_memory_mb: Option<u64>,
}

/// An operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Os {
    /// macOS.
    Darwin,
    /// Linux.
    Linux,
    /// Windows.
    Windows,
}

/// A processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arch {
    /// 64-bit x86.
    X64,
    /// 64-bit ARM.
    Arm64,
    /// 32-bit x86.
    X86,
    /// 32-bit ARM.
    Arm,
}

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Requires> {
    let mut object = field.open(out)?;
    let os = object
        .take("os")
        .and_then(|field| field.list(out, |item, out| item.choice(&SYSTEMS, out)));
    let arch = object
        .take("arch")
        .and_then(|field| field.list(out, |item, out| item.choice(&ARCHES, out)));
    let mut size = |key| {
        let size = object.take(key).and_then(|field| field.whole(0..=u64::MAX, out));
        size.map(|size| size.value)
    };
    let (min_disk_mb, min_memory_mb) = (size("min_disk_mb"), size("min_memory_mb"));
    object.shut(out);
    Some(Requires {
        os,
        arch,
        min_disk_mb,
        min_memory_mb,
    })
}
