//! What is kept, for whom, and for how long.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use argrail_testkit::Home;

use super::sweep::sweep;
use super::{Keep, KeepError, KeepLimits, OutputId, Want};
use crate::output::Stream;

fn keep(home: &Home) -> Keep {
    Keep::new(home.state().join("output"))
}

/// Keeps a text as the standard output of one call.
fn kept(keep: &Keep, account: &str, text: &[u8]) -> OutputId {
    let draft = keep.draft(account);
    let mut file = draft.open(Stream::Stdout).unwrap();
    assert_eq!(file.write(text), text.len());
    file.close();
    draft.publish(text.len() as u64, 0).unwrap()
}

fn want(offset: u64, limit: usize) -> Want {
    Want {
        stream: Stream::Stdout,
        offset,
        limit,
    }
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn an_output_is_there_for_its_caller_alone() {
    let home = Home::new();
    let keep = keep(&home);
    let id = kept(&keep, "me", b"hello");
    let page = keep.read("me", id.as_str(), want(0, 100)).unwrap();
    assert_eq!((page.bytes.as_slice(), page.next()), (&b"hello"[..], None));
    let said = |account: &str, id: &str| keep.read(account, id, want(0, 100)).unwrap_err().to_string();
    for (account, id) in [
        ("you", id.as_str()),
        ("me", "0000000000"),
        ("me", "../output"),
        ("", id.as_str()),
    ] {
        assert_eq!(said(account, id), format!("no such output: '{id}'"));
    }
    let nothing = keep
        .read(
            "me",
            id.as_str(),
            Want {
                stream: Stream::Stderr,
                ..want(0, 100)
            },
        )
        .unwrap();
    assert!(nothing.bytes.is_empty());
}

#[test]
fn files_are_for_their_owner_and_links_are_not_followed() {
    let home = Home::new();
    let keep = keep(&home);
    let id = kept(&keep, "me", b"hello");
    let directory = home.state().join("output");
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let folder = directory.join(id.as_str());
    assert_eq!(
        [
            mode(&directory),
            mode(&folder),
            mode(&folder.join("stdout")),
            mode(&folder.join("about.json"))
        ],
        [0o700, 0o700, 0o600, 0o600]
    );
    let secret = home.work().join("secret");
    fs::write(&secret, "precious").unwrap();
    fs::remove_file(folder.join("stdout")).unwrap();
    symlink(&secret, folder.join("stdout")).unwrap();
    assert!(
        keep.read("me", id.as_str(), want(0, 100))
            .unwrap()
            .bytes
            .is_empty()
    );
    let other = OutputId::random().unwrap();
    symlink(&folder, directory.join(other.as_str())).unwrap();
    assert!(matches!(
        keep.read("me", other.as_str(), want(0, 100)),
        Err(KeepError::Missing { .. })
    ));
}

#[test]
fn pages_follow_each_other_and_cut_no_character() {
    let home = Home::new();
    let keep = keep(&home);
    let text = "aé→😀\n".repeat(50);
    let id = kept(&keep, "me", text.as_bytes());
    for limit in [1, 4, 5, 7, 64, 10_000] {
        let (mut whole, mut offset) = (String::new(), Some(0));
        while let Some(at) = offset {
            let page = keep.read("me", id.as_str(), want(at, limit)).unwrap();
            assert_eq!(page.offset, at);
            assert!(!page.bytes.is_empty() && page.bytes.len() <= limit.max(4));
            whole.push_str(str::from_utf8(&page.bytes).unwrap());
            offset = page.next();
        }
        assert_eq!(whole, text);
    }
    // Inside of a character: the page begins with it.
    let page = keep.read("me", id.as_str(), want(2, 4)).unwrap();
    assert_eq!((page.offset, page.bytes), (1, "é".as_bytes().to_vec()));
    assert!(matches!(
        keep.read("me", id.as_str(), want(100_000, 4)),
        Err(KeepError::Behind { .. })
    ));
}

#[test]
fn what_is_no_text_comes_as_it_is() {
    let home = Home::new();
    let keep = keep(&home);
    let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
    let id = kept(&keep, "me", &bytes);
    let (mut whole, mut offset) = (Vec::new(), Some(0));
    while let Some(at) = offset {
        let page = keep.read("me", id.as_str(), want(at, 97)).unwrap();
        whole.extend_from_slice(&page.bytes);
        offset = page.next();
    }
    assert_eq!(whole, bytes);
}

#[test]
fn old_ones_go_and_the_oldest_first() {
    let home = Home::new();
    let limits = KeepLimits {
        total: 25,
        ..KeepLimits::default()
    };
    let directory = home.state().join("output");
    let keep = Keep::with_limits(directory.clone(), limits);
    let roomy = Keep::new(directory.clone());
    let first = kept(&roomy, "me", b"0123456789");
    let second = kept(&roomy, "me", b"0123456789");
    // The file that says whose it is counts as well, so one is all that fits.
    sweep(&keep, SystemTime::now());
    assert!(names(&directory).len() < 2, "{:?}", names(&directory));
    let third = kept(&roomy, "me", b"0123456789");
    let there = |id: &OutputId, now| roomy.read_at("me", id.as_str(), want(0, 9), now).is_ok();
    let now = SystemTime::now();
    assert!(!there(&first, now) || !there(&second, now));
    assert!(there(&third, now));
    let later = now + Duration::from_secs(25 * 60 * 60);
    assert!(!there(&third, later), "too old, though it is still on the disk");
    sweep(&roomy, later);
    assert!(names(&directory).is_empty());
}

#[test]
fn a_draft_that_is_not_published_leaves_nothing() {
    let home = Home::new();
    let keep = keep(&home);
    let directory = home.state().join("output");
    let draft = keep.draft("me");
    assert!(!directory.exists());
    draft.open(Stream::Stdout).unwrap().close();
    let later = SystemTime::now() + Duration::from_secs(3600);
    sweep(&keep, later);
    assert_eq!(names(&directory).len(), 1, "its process lives");
    drop(draft);
    assert!(names(&directory).is_empty());
    fs::create_dir(directory.join(".draft-0123456789")).unwrap();
    sweep(&keep, SystemTime::now());
    assert_eq!(names(&directory).len(), 1, "perhaps it was just made");
    sweep(&keep, later);
    assert!(names(&directory).is_empty());
}

#[test]
fn one_output_has_its_limit() {
    let home = Home::new();
    let limits = KeepLimits {
        output: 10,
        ..KeepLimits::default()
    };
    let keep = Keep::with_limits(home.state().join("output"), limits);
    let draft = keep.draft("me");
    let mut file = draft.open(Stream::Stdout).unwrap();
    assert_eq!(
        [file.write(b"1234567"), file.write(b"1234567"), file.write(b"1")],
        [7, 3, 0]
    );
    file.close();
    let id = draft.publish(15, 0).unwrap();
    let page = keep.read("me", id.as_str(), want(0, 100)).unwrap();
    assert_eq!((page.bytes.len(), page.kept, page.total), (10, 10, 15));
}

#[test]
fn many_writers_at_once_lose_nothing() {
    let home = Home::new();
    let keep = keep(&home);
    let write = |number: usize| {
        let keep = keep.clone();
        std::thread::spawn(move || (number, kept(&keep, "me", number.to_string().as_bytes())))
    };
    let writers: Vec<_> = (0..16).map(write).collect();
    for writer in writers {
        let (number, id) = writer.join().unwrap();
        let page = keep.read("me", id.as_str(), want(0, 100)).unwrap();
        assert_eq!(page.bytes, number.to_string().as_bytes());
    }
}

#[test]
fn many_outputs_that_come_at_once_are_not_more_than_all_may_be() {
    const MIB: u64 = 1 << 20;
    let home = Home::new();
    let limits = KeepLimits {
        total: 20 * MIB,
        ..KeepLimits::default()
    };
    let keep = Keep::with_limits(home.state().join("output"), limits);
    let drafts: Vec<_> = (0..4).map(|_| keep.draft("me")).collect();
    let mut files: Vec<_> = drafts
        .iter()
        .map(|draft| draft.open(Stream::Stdout).unwrap())
        .collect();
    let piece = vec![b'x'; 1 << 20];
    let mut written = 0;
    for _ in 0..64 {
        for file in &mut files {
            written += file.write(&piece);
        }
    }
    // Each looks once in eight megabytes.
    assert!(written as u64 <= (20 + 4 * 8) * MIB, "{written}");
    assert!(written as u64 >= 20 * MIB, "{written}");
}
