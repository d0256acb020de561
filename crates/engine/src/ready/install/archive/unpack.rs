//! A downloaded file becomes a directory with the program in it.

use std::fs::{self, File, Permissions};
use std::io::{self, Cursor, Read, Seek};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::decoder::decoder;
use super::entry_name::EntryName;
use super::error::ArchiveError;
use super::format::{Format, HEAD, is_tar};
use super::meter::{Meter, most};
use super::unpacker::Unpacker;
use super::{tarball, zipped};

/// The mode of a file that is the program itself.
const PROGRAM: u32 = 0o755;

/// Unpacks `file` into `directory`, which is there and empty. `program` is where the program must be afterwards; a file
/// that is no archive is put there.
///
/// # Errors
/// When the archive is hostile, damaged, or does not hold the program. What was unpacked until then is there.
pub(in crate::ready::install) fn unpack(
    mut file: File,
    directory: &Path,
    program: &str,
) -> Result<(), ArchiveError> {
    let packed = file.metadata().map_err(ArchiveError::Disk)?.len();
    let format = Format::of(&head(&mut file).map_err(ArchiveError::Disk)?);
    file.rewind().map_err(ArchiveError::Disk)?;
    let name = EntryName::parse(program.as_bytes())?;
    let mut unpacker = Unpacker::new(directory);
    match format {
        Format::Zip => zipped::unpack(file, most(packed), &mut unpacker)?,
        Format::Bare => unpacker.file(&name, PROGRAM, &mut file)?,
        Format::Tar | Format::Gzip | Format::Xz | Format::Zstd => {
            let mut inside = decoder(file, format);
            let start = head(&mut inside).map_err(|error| ArchiveError::of_reading(&error))?;
            let archive = is_tar(&start);
            let whole: Box<dyn Read> = Box::new(Cursor::new(start).chain(inside));
            let mut stream = Meter::new(whole, most(packed));
            match archive {
                true => tarball::unpack(stream, &mut unpacker)?,
                // One compressed program, and no archive.
                false => unpacker.file(&name, PROGRAM, &mut stream)?,
            }
        }
    }
    unpacker.finish()?;
    let path = directory.join(name.path());
    match path.metadata().is_ok_and(|found| found.is_file()) {
        // Archives that were made elsewhere do not say that it can be started.
        true => fs::set_permissions(&path, Permissions::from_mode(PROGRAM)).map_err(ArchiveError::Disk),
        false => Err(ArchiveError::NoProgram { name: name.shown() }),
    }
}

/// Reads the first block, or less where there is less.
fn head(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    from.by_ref()
        .take(u64::try_from(HEAD).unwrap_or(u64::MAX))
        .read_to_end(&mut head)?;
    Ok(head)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::PathBuf;

    use argrail_testkit::Home;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use lzma_rust2::{XzOptions, XzWriter};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use tar::{Builder, EntryType, Header};
    use zip::write::SimpleFileOptions;

    use super::*;

    /// Unpacks bytes; says what came, or why nothing did.
    fn unpacked(bytes: &[u8], program: &str) -> (Home, Result<(), String>) {
        let home = Home::new();
        let path = home.root().join("download");
        fs::write(&path, bytes).unwrap();
        let out = home.root().join("out");
        fs::create_dir(&out).unwrap();
        let result = unpack(File::open(path).unwrap(), &out, program).map_err(|error| error.to_string());
        (home, result)
    }

    #[track_caller]
    fn refused(bytes: &[u8], reason: &str) {
        let (home, result) = unpacked(bytes, "bin/gh");
        let error = result.unwrap_err();
        assert!(error.contains(reason), "{error}");
        // Whatever it tried: nothing came to be outside.
        let mut names: Vec<_> = fs::read_dir(home.root())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.retain(|name| name != "download" && name != "out");
        let fresh = Home::new();
        let mut want: Vec<_> = fs::read_dir(fresh.root())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        want.sort();
        assert_eq!(names, want);
    }

    /// One entry, its name written as it is: the crate would refuse the wrong ones.
    fn entry(name: &str, kind: EntryType, target: &str, mode: u32, contents: &[u8]) -> Vec<u8> {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(u64::try_from(contents.len()).unwrap());
        let bytes = header.as_mut_bytes();
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        bytes[157..157 + target.len()].copy_from_slice(target.as_bytes());
        header.set_cksum();
        let mut whole = header.as_bytes().to_vec();
        whole.extend_from_slice(contents);
        whole.resize(whole.len().next_multiple_of(512), 0);
        whole
    }

    fn file(name: &str, contents: &[u8]) -> Vec<u8> {
        entry(name, EntryType::Regular, "", 0o755, contents)
    }

    fn tar_of(entries: &[Vec<u8>]) -> Vec<u8> {
        let mut whole = entries.concat();
        whole.resize(whole.len() + 1024, 0);
        whole
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn xz(bytes: &[u8]) -> Vec<u8> {
        let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }

    fn zip_of(entries: &[(&str, u32, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, mode, contents) in entries {
            let options = SimpleFileOptions::default().unix_permissions(*mode);
            writer.start_file(*name, options).unwrap();
            writer.write_all(contents).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    /// What was unpacked: paths, modes, contents or targets.
    fn listed(out: &Path) -> Vec<String> {
        let mut all = Vec::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(out.join(&folder)).unwrap() {
                let path = folder.join(entry.unwrap().file_name());
                let found = out.join(&path).symlink_metadata().unwrap();
                let shown = path.display();
                if found.is_dir() {
                    folders.push(path);
                } else if found.is_symlink() {
                    all.push(format!(
                        "{shown} -> {}",
                        fs::read_link(out.join(&path)).unwrap().display()
                    ));
                } else {
                    let text = fs::read_to_string(out.join(&path)).unwrap();
                    all.push(format!(
                        "{shown} {:o} {text}",
                        found.permissions().mode() & 0o7777
                    ));
                }
            }
        }
        all.sort();
        all
    }

    #[test]
    fn every_format_gives_the_same_tree() {
        let tar = tar_of(&[
            entry("./", EntryType::Directory, "", 0o777, b""),
            file("./bin/gh", b"program"),
            entry("doc/LICENSE", EntryType::Regular, "", 0o600, b"terms"),
            entry("bin/hub", EntryType::Symlink, "../bin/gh", 0o777, b""),
            entry("bin/twin", EntryType::Link, "bin/gh", 0o644, b""),
        ]);
        for bytes in [
            tar.clone(),
            gzip(&tar),
            xz(&tar),
            zstd(&tar),
            [zstd(&tar[..700]), zstd(&tar[700..])].concat(),
        ] {
            let (home, result) = unpacked(&bytes, "bin/gh");
            result.unwrap();
            let want = [
                "bin/gh 755 program",
                "bin/hub -> ../bin/gh",
                "bin/twin 755 program",
                "doc/LICENSE 644 terms",
            ];
            assert_eq!(listed(&home.root().join("out")), want);
        }
        let zip = zip_of(&[("bin/gh", 0o755, b"program"), ("doc/LICENSE", 0o644, b"terms")]);
        let (home, result) = unpacked(&zip, "bin/gh");
        result.unwrap();
        assert_eq!(
            listed(&home.root().join("out")),
            ["bin/gh 755 program", "doc/LICENSE 644 terms"]
        );
    }

    #[test]
    fn a_program_that_is_no_archive_is_put_in_its_place() {
        for bytes in [b"\x7fELF...".to_vec(), gzip(b"\x7fELF...")] {
            let (home, result) = unpacked(&bytes, "gh-linux/gh");
            result.unwrap();
            assert_eq!(
                fs::read(home.root().join("out/gh-linux/gh")).unwrap(),
                b"\x7fELF..."
            );
        }
    }

    #[test]
    fn long_names_are_read_as_both_families_write_them() {
        let name = format!("{}/gh", "long-name-of-a-folder".repeat(8));
        let mut builder = Builder::new(Vec::new());
        let mut header = Header::new_gnu();
        header.set_size(2);
        header.set_mode(0o755);
        builder.append_data(&mut header, &name, &b"it"[..]).unwrap();
        let (home, result) = unpacked(&builder.into_inner().unwrap(), &name);
        result.unwrap();
        assert_eq!(fs::read(home.root().join("out").join(name)).unwrap(), b"it");
    }

    #[test]
    fn what_leads_out_is_refused() {
        let link = |name, target| entry(name, EntryType::Symlink, target, 0o777, b"");
        for name in ["../gh", "/tmp/gh", "bin/../../gh"] {
            refused(&tar_of(&[file(name, b"x")]), "holds the name");
            refused(
                &gzip(&tar_of(&[file("bin/gh", b"x"), file(name, b"x")])),
                "holds the name",
            );
        }
        for target in ["../../gh", "/bin/sh", "x/../../.."] {
            refused(
                &tar_of(&[file("bin/gh", b"x"), link("bin/hub", target)]),
                "holds the link",
            );
        }
        // Through a link that stays inside, to what lies behind it.
        refused(&tar_of(&[link("lib", "bin"), file("lib/gh", b"x")]), "twice");
        refused(&tar_of(&[file("lib/gh", b"x"), link("lib", "bin")]), "twice");
        let hard = |target| entry("bin/gh", EntryType::Link, target, 0o755, b"");
        refused(&tar_of(&[hard("../download")]), "holds the name");
        refused(&tar_of(&[hard("nothing")]), "holds the link");
        refused(&tar_of(&[link("a", "b"), hard("a")]), "holds the link");
        refused(&zip_of(&[("../gh", 0o755, b"x")]), "holds the name");
        refused(&zip_of(&[("/gh", 0o755, b"x")]), "holds the name");
    }

    #[test]
    fn what_is_no_plain_file_is_refused() {
        for (kind, what) in [
            (EntryType::Char, "device"),
            (EntryType::Block, "device"),
            (EntryType::Fifo, "pipe"),
        ] {
            refused(&tar_of(&[entry("bin/gh", kind, "", 0o755, b"")]), what);
        }
        for mode in [0o4755, 0o2755] {
            let bytes = entry("bin/gh", EntryType::Regular, "", mode, b"x");
            refused(&tar_of(&[bytes]), "another user");
        }
        // The writer would leave the bit out.
        let mut zip = zip_of(&[("bin/gh", 0o755, b"x")]);
        let directory = zip.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
        zip[directory + 38..directory + 42].copy_from_slice(&(0o104_755_u32 << 16).to_le_bytes());
        refused(&zip, "another user");
        zip[directory + 38..directory + 42].copy_from_slice(&(0o020_755_u32 << 16).to_le_bytes());
        refused(&zip, "device");
        refused(&tar_of(&[file("bin/gh", b"x"), file("bin/gh", b"y")]), "twice");
        refused(&tar_of(&[file("bin", b"x"), file("bin/gh", b"y")]), "twice");
        refused(&tar_of(&[file("bin/other", b"x")]), "does not hold");
        refused(&zip_of(&[("bin/other", 0o755, b"x")]), "does not hold");
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        let tar = tar_of(&[file("bin/gh", &[7; 4000]), file("doc", b"x")]);
        for end in [600, 3000, 4600, 5200, 5700] {
            refused(&tar[..end], "damaged");
        }
        let packed = gzip(&tar);
        for packed in [packed.clone(), xz(&tar), zstd(&tar)] {
            for end in [20, packed.len() / 2, packed.len() - 1] {
                refused(&packed[..end], "damaged");
            }
        }
        let mut wrong = packed.clone();
        let at = wrong.len() - 6;
        wrong[at] ^= 1;
        refused(&wrong, "damaged");
        let zip = zip_of(&[("bin/gh", 0o755, &[7; 4000])]);
        refused(&zip[..zip.len() - 10], "damaged");
        let mut wrong = zip.clone();
        wrong[40] ^= 0xff;
        refused(&wrong, "damaged");
    }

    #[test]
    fn what_grows_without_measure_is_refused() {
        // A piece is packed once and repeated, which all of them can be.
        let zeros = vec![0; 1 << 20];
        let pieces = 70;
        let head = |size: usize| {
            let mut head = file("bin/gh", b"");
            let mut header = Header::from_byte_slice(&head).clone();
            header.set_size(u64::try_from(size).unwrap());
            header.set_cksum();
            head.copy_from_slice(header.as_bytes());
            head
        };
        let archive = [
            gzip(&head(pieces << 20)),
            gzip(&zeros).repeat(pieces),
            gzip(&[0; 1024]),
        ]
        .concat();
        refused(&archive, "too much");
        refused(&gzip(&zeros).repeat(pieces), "too much");
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let one = zip_of(&[("x", 0o644, &zeros)]);
        for piece in 0..pieces {
            let mut one = zip::ZipArchive::new(Cursor::new(&one)).unwrap();
            let entry = one.by_index_raw(0).unwrap();
            writer
                .raw_copy_file_rename(entry, format!("bin/{piece}"))
                .unwrap();
        }
        refused(&writer.finish().unwrap().into_inner(), "too much");
    }
}
