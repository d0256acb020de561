//! Secrets in texts, whole and in pieces.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use proptest::prelude::*;

use super::{Ending, REDACTED, Redactor, Secrets};

fn pieces<'p>(secrets: &Secrets, parts: impl IntoIterator<Item = &'p [u8]>, ending: Ending) -> String {
    let (mut redactor, mut out) = (Redactor::new(secrets), Vec::new());
    parts.into_iter().for_each(|part| redactor.push(part, &mut out));
    redactor.finish(ending, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Whole and in pieces of every small size, the result is the same.
fn check_with(secrets: &Secrets, given: &str, want: &str) {
    for size in [1, 2, 3, 5, 7, 11, 16, 64, usize::MAX] {
        let size = size.min(given.len().max(1));
        let found = pieces(secrets, given.as_bytes().chunks(size), Ending::Whole);
        assert_eq!(found, want, "in pieces of {size}");
    }
}

fn check(given: &str, want: &str) {
    check_with(&Secrets::none(), given, want);
}

/// `count` characters that are no word. Written so that no file of ours holds anything like a key.
fn noise(count: usize) -> String {
    "a1B2c3D4e5F6g7H8".chars().cycle().take(count).collect()
}

#[test]
fn keys_of_services_are_covered() {
    let n = noise;
    for key in [
        format!("ghp_{}", n(36)),
        format!("gho_{}", n(36)),
        format!("github_pat_{}_{}", n(22), n(59)),
        format!("glpat-{}", n(20)),
        format!("AKIA{}", n(16).to_uppercase()),
        format!("AIza{}", n(35)),
        format!("xoxb-{}-{}", "1".repeat(12), n(24)),
        format!("sk-{}", n(48)),
        format!("sk-proj-{}", n(300)),
        format!("sk-ant-api03-{}", n(90)),
        format!("eyJ{}.eyJ{}.{}", n(30), n(60), n(43)),
    ] {
        check(&format!("key={key}\n"), "key=[redacted]\n");
        check(&format!("{key} and {key}"), "[redacted] and [redacted]");
        check(
            &format!("{{\"a\":\"line\\n{key}\"}}"),
            "{\"a\":\"line\\n[redacted]\"}",
        );
        check(&format!("?k=%20{key}&x=1"), "?k=%20[redacted]&x=1");
        check(&format!("\\u0026{key}"), "\\u0026[redacted]");
        check(&key, REDACTED);
    }
}

#[test]
fn headers_fields_and_urls_keep_their_names() {
    let token = noise(20);
    let t = token.as_str();
    check(
        &format!("> Authorization: Bearer {t}\r\n"),
        "> Authorization: Bearer [redacted]\r\n",
    );
    check("authorization: basic dTpw\n", "authorization: basic [redacted]\n");
    check(&format!("Authorization: {t}\n"), "Authorization: [redacted]\n");
    check(
        &format!(r#"{{"Authorization": "token {t}", "a": 1}}"#),
        r#"{"Authorization": "token [redacted]", "a": 1}"#,
    );
    check(
        &format!("-H 'authorization: Bearer {t}' x"),
        "-H 'authorization: Bearer [redacted]' x",
    );
    check(&format!("Bearer {t}, then"), "Bearer [redacted], then");
    check(
        &format!("aws_secret_access_key = {t}/{t}\n"),
        "aws_secret_access_key = [redacted]\n",
    );
    check(
        &format!("\"SecretAccessKey\": \"{t}\","),
        "\"SecretAccessKey\": \"[redacted]\",",
    );
    check("postgres://me:hunter2@db/x", "postgres://[redacted]@db/x");
    check("https://:p@h", "https://[redacted]@h");
    check(
        &format!("https://u:{}@h", "x".repeat(3000)),
        "https://[redacted]@h",
    );
}

#[test]
fn private_keys_are_covered_with_all_their_lines() {
    let body = format!("{}\n{}\n{}==", noise(64), noise(64), noise(20));
    for name in ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "] {
        let key = format!("-----BEGIN {name}PRIVATE KEY-----\n{body}\n-----END {name}PRIVATE KEY-----");
        check(&format!("a\n{key}\nb"), "a\n[redacted]\nb");
        let json = key.replace('\n', "\\n");
        check(
            &format!("{{\"k\":\"{json}\",\"n\":1}}"),
            "{\"k\":\"[redacted]\",\"n\":1}",
        );
    }
    let public = format!("-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n");
    check(&public, &public);
}

#[test]
fn other_text_is_left_alone() {
    for text in [
        "",
        "sk-learn-estimator-doc-link-wrapper",
        "disk-1234567890123456789012345",
        "Bearer authentication is required",
        "Authorization: see the documentation\n",
        "Authorization required",
        "https://example.org:8080/path?a=b@c",
        "ssh://git@host/x",
        "http://[::1]:8080/",
        "eyJhIjoxfQ",
        "eyJhbGciOi.too.short",
        "MAKIA1234567890123456XYZ",
        "ghp_short",
        "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n",
        "commit 0123456789abcdef0123456789abcdef01234567",
        "[redacted]",
    ] {
        check(text, text);
    }
}

#[test]
fn known_values_are_covered_in_all_their_forms() {
    let secrets = Secrets::new(["hunter2!", "s3cret/with+signs", "short"]);
    check_with(&secrets, "a hunter2! b short", "a [redacted] b short");
    check_with(&secrets, "hunter2!hunter2!", REDACTED);
    check_with(&secrets, "k=s3cret%2Fwith%2Bsigns;", "k=[redacted];");
    let coded = BASE64_STANDARD.encode("s3cret/with+signs");
    let found = pieces(&secrets, [coded.as_bytes()], Ending::Whole);
    assert!(
        found.starts_with(REDACTED) && found.len() <= REDACTED.len() + 2,
        "{found}"
    );
    assert_eq!(
        format!("{secrets:?} {:?}", Redactor::new(&secrets)).find("hunter2"),
        None
    );
}

#[test]
fn no_half_of_a_secret_stays_where_two_meet() {
    let secrets = Secrets::new(["abcdef", "defghi", "tail-!secret"]);
    check_with(&secrets, "x abcdefghi y", "x [redacted] y");
    // A key by its look begins before the known value, and ends inside it.
    let key = format!("ghp_{}tail-!secret", noise(30));
    check_with(&secrets, &format!("x {key} y"), "x [redacted] y");
    let key = format!("ghp_{}abcdef{}", noise(30), noise(10));
    check_with(&secrets, &format!("x {key} y"), "x [redacted] y");
}

#[test]
fn what_was_cut_off_shows_no_beginning_of_a_secret() {
    let secrets = Secrets::new(["correct-horse-battery"]);
    let cut = |text: &str| pieces(&secrets, [text.as_bytes()], Ending::Cut);
    assert_eq!(cut("the pass is correct-horse-b"), "the pass is [redacted]");
    assert_eq!(cut("token ghp_abcd"), "token [redacted]");
    assert_eq!(cut("all is well"), "all is well");
    let whole = pieces(
        &secrets,
        ["the pass is correct-horse-b".as_bytes()],
        Ending::Whole,
    );
    assert_eq!(whole, "the pass is correct-horse-b");
}

#[test]
fn a_key_of_any_length_needs_no_memory() {
    let mut redactor = Redactor::new(&Secrets::none());
    let mut out = Vec::new();
    redactor.push(b"ghp_", &mut out);
    for _ in 0..1000 {
        redactor.push(noise(10_000).as_bytes(), &mut out);
        assert!(redactor.held() < 64 * 1024 && out.len() <= REDACTED.len());
    }
    redactor.push(b" end", &mut out);
    redactor.finish(Ending::Whole, &mut out);
    assert_eq!(out, b"[redacted] end");
}

/// Text without anything that looks like a secret.
fn prose() -> impl Strategy<Value = String> {
    "[ghijkmqz \n]{0,60}"
}

proptest! {
    #[test]
    fn a_secret_never_appears_however_the_text_is_cut(
        before in prose(),
        secret in "[A-Z0-9!/+=\" ]{6,40}",
        after in prose(),
        cuts in prop::collection::vec(1_usize..9, 1..8),
    ) {
        prop_assume!(secret.trim().len() >= 6);
        let secret = secret.trim();
        let secrets = Secrets::new([secret]);
        let text = format!("{before}{secret}{after}");
        let mut sizes = cuts.iter().cycle();
        let (mut redactor, mut out) = (Redactor::new(&secrets), Vec::new());
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (piece, left) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
            redactor.push(piece, &mut out);
            rest = left;
        }
        redactor.finish(Ending::Whole, &mut out);
        prop_assert_eq!(String::from_utf8(out).unwrap(), format!("{before}{REDACTED}{after}"));
    }

    #[test]
    fn text_without_secrets_is_unchanged(bytes in prop::collection::vec(any::<u8>(), 0..300), size in 1_usize..50) {
        // No beginning of a key is possible without these.
        let bytes: Vec<u8> = bytes.into_iter().filter(|byte| !b"_-:/ .AB%aeny".contains(byte)).collect();
        let secrets = Secrets::new(["correct-horse-battery"]);
        let (mut redactor, mut out) = (Redactor::new(&secrets), Vec::new());
        bytes.chunks(size).for_each(|piece| redactor.push(piece, &mut out));
        redactor.finish(Ending::Whole, &mut out);
        prop_assert_eq!(out, bytes);
    }

    #[test]
    fn pieces_do_not_matter(
        words in prop::collection::vec(prop_oneof![
            Just("ghp_".to_owned()), Just("eyJ".to_owned()), Just("Bearer ".to_owned()), Just("://".to_owned()),
            Just("-----BEGIN ".to_owned()), Just("PRIVATE KEY-----".to_owned()), Just("Authorization".to_owned()),
            Just(": ".to_owned()), Just("@".to_owned()), Just(".".to_owned()), Just("sk-".to_owned()), Just("=".to_owned()),
            Just("basic ".to_owned()), Just("correct-horse-battery".to_owned()), "[a-z0-9]{1,30}", "[ \n\"]",
        ], 0..20),
        size in 1_usize..40,
    ) {
        let secrets = Secrets::new(["correct-horse-battery", "horse-battery-staple"]);
        let text = words.concat();
        let whole = pieces(&secrets, [text.as_bytes()], Ending::Whole);
        prop_assert!(!whole.contains("correct-horse-battery"));
        prop_assert_eq!(pieces(&secrets, text.as_bytes().chunks(size), Ending::Whole), whole);
    }
}
