//! The smallest program there is: it ends with a number that nothing else ends with. No library, no interpreter.

/// The exit code of the program.
pub(super) const RAN_EXIT_CODE: i32 = 42;

#[cfg(target_arch = "x86_64")]
const MACHINE: u16 = 62;
#[cfg(target_arch = "aarch64")]
const MACHINE: u16 = 183;

/// `exit(42)`: mov edi, 42; mov eax, 60; syscall.
#[cfg(target_arch = "x86_64")]
const CODE: [u8; 12] = [0xbf, 0x2a, 0, 0, 0, 0xb8, 0x3c, 0, 0, 0, 0x0f, 0x05];
/// `exit(42)`: mov x0, 42; mov x8, 93; svc 0.
#[cfg(target_arch = "aarch64")]
const CODE: [u8; 12] = [0x40, 0x05, 0x80, 0xd2, 0xa8, 0x0b, 0x80, 0xd2, 0x01, 0, 0, 0xd4];

const HEADER: u16 = 64;
const SEGMENT: u16 = 56;
const ADDRESS: u64 = 0x40_0000;

/// Returns the bytes of an ELF file that is this program.
pub(super) fn bytes() -> Vec<u8> {
    let start = u64::from(HEADER + SEGMENT);
    let length = start + CODE.len() as u64;
    let mut file = Vec::new();
    file.extend(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    file.extend(2_u16.to_le_bytes()); // a program
    file.extend(MACHINE.to_le_bytes());
    file.extend(1_u32.to_le_bytes());
    file.extend((ADDRESS + start).to_le_bytes());
    file.extend(u64::from(HEADER).to_le_bytes());
    file.extend([0; 12]); // no sections, no flags
    for number in [HEADER, SEGMENT, 1, 0, 0, 0] {
        file.extend(number.to_le_bytes());
    }
    file.extend(1_u32.to_le_bytes()); // a part to load
    file.extend(5_u32.to_le_bytes()); // to read and to run
    for number in [0, ADDRESS, ADDRESS, length, length, 0x1000] {
        file.extend(number.to_le_bytes());
    }
    file.extend(CODE);
    file
}
