//! Whether a secret begins here: looks at what follows a telling beginning.
//!
//! The answer depends on a bounded number of bytes; where they have not come yet, it is to ask again.

use super::kind::{Kind, Token, Wants};
use super::run::Set;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No secret.
    No,
    /// It depends on what comes.
    More,
    /// A secret: the first and the first but one byte of it, counted from the body, and what it may go on with.
    Secret {
        from: From,
        to: usize,
        then: Option<Set>,
    },
}

/// Where what is covered begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// With its telling beginning.
    Head,
    /// So many bytes behind that.
    Body(usize),
}

/// Whether more can come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Open,
    End,
}

/// How far a digit is looked for.
const DIGIT_WITHIN: usize = 64;
/// The longest first part of a JWT, and the shortest of its first two.
const JWT_PART: usize = 4096;
const JWT_LEAST: usize = 16;
/// The longest name and the longest password in a URL for which an `@` is awaited.
const USER: usize = 256;
const PASSWORD: usize = 1024;
/// The longest text between the name of a field and its value, and the longest scheme.
const SEPARATOR: usize = 16;
const SCHEME: usize = 32;
/// The longest word between `BEGIN` and the dashes.
const KEY_NAME: usize = 48;

/// Schemes that a token follows.
const SCHEMES: [&str; 8] = [
    "basic",
    "bearer",
    "token",
    "digest",
    "negotiate",
    "ntlm",
    "apikey",
    "key",
];

/// Judges what follows a telling beginning. `left` is what stands before it, as far as it is known.
pub(super) fn measure(kind: Kind, left: &[u8], body: &[u8], reach: Reach) -> Verdict {
    match kind {
        Kind::Token(token) => match token.wants {
            Wants::Nothing => plain(token, body, reach),
            Wants::Boundary | Wants::Digit if is_boundary(left) => plain(token, body, reach),
            Wants::Boundary | Wants::Digit => Verdict::No,
        },
        Kind::Jwt if is_boundary(left) => jwt(body, reach),
        Kind::Jwt => Verdict::No,
        Kind::Bearer => bearer(body, reach),
        Kind::Header => header(body, reach),
        Kind::Field => field(body, reach),
        Kind::PrivateKey => private_key(body, reach),
        Kind::Url => url(body, reach),
    }
}

/// Whether a new word begins behind `left`: also behind an escape of JSON or of a URL, which ends in a letter.
fn is_boundary(left: &[u8]) -> bool {
    let Some(last) = left.last() else { return true };
    if !last.is_ascii_alphanumeric() {
        return true;
    }
    let before = |count: usize| left.len().checked_sub(count).and_then(|at| left.get(at)).copied();
    let hex = |count: usize| {
        let digits = left.len().checked_sub(count).and_then(|at| left.get(at..));
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let escape = b"nrtbf".contains(last) && before(2) == Some(b'\\');
    let percent = hex(2) && before(3) == Some(b'%');
    let unicode = hex(4) && before(5) == Some(b'u') && before(6) == Some(b'\\');
    escape || percent || unicode
}

/// What is not decided yet, or never will be.
fn undecided(reach: Reach) -> Verdict {
    match reach {
        Reach::Open => Verdict::More,
        Reach::End => Verdict::No,
    }
}

fn plain(token: Token, body: &[u8], reach: Reach) -> Verdict {
    let window = body.get(..DIGIT_WITHIN.max(token.least)).unwrap_or(body);
    let span = token.set.span(window);
    let told = match token.wants {
        Wants::Nothing | Wants::Boundary => true,
        Wants::Digit => window.iter().take(span).any(u8::is_ascii_digit),
    };
    if span >= token.least && told {
        let (from, then) = (From::Head, Some(token.set));
        return Verdict::Secret { from, to: span, then };
    }
    if span == body.len() && span < DIGIT_WITHIN {
        return undecided(reach);
    }
    Verdict::No
}

fn jwt(body: &[u8], reach: Reach) -> Verdict {
    let window = body.get(..JWT_PART).unwrap_or(body);
    let first = Set::Word.span(window);
    if first == window.len() {
        return if first == JWT_PART {
            Verdict::No
        } else {
            undecided(reach)
        };
    }
    if first < JWT_LEAST || window.get(first) != Some(&b'.') {
        return Verdict::No;
    }
    let rest = body.get(first + 1..).unwrap_or_default();
    let second = Set::Word.span(rest.get(..JWT_LEAST).unwrap_or(rest));
    if second == JWT_LEAST {
        return Verdict::Secret {
            from: From::Head,
            to: first + 1 + second,
            then: Some(Set::Dotted),
        };
    }
    if second == rest.len() {
        undecided(reach)
    } else {
        Verdict::No
    }
}

fn bearer(body: &[u8], reach: Reach) -> Verdict {
    let window = body.get(..DIGIT_WITHIN).unwrap_or(body);
    let span = Set::Token68.span(window);
    let digit = window.iter().take(span).any(u8::is_ascii_digit);
    if (span >= 8 && digit) || span >= 24 {
        return Verdict::Secret {
            from: From::Body(0),
            to: span,
            then: Some(Set::Token68),
        };
    }
    if span == body.len() {
        undecided(reach)
    } else {
        Verdict::No
    }
}

/// Where the value of a field begins: behind quotes, blanks and one `:` or `=` at least.
enum Value {
    At(usize),
    None,
    Awaited,
}

fn value(body: &[u8]) -> Value {
    let separator = |byte: &&u8| b" \t\"'\\:=".contains(byte);
    let length = body.iter().take(SEPARATOR).take_while(separator).count();
    if length == body.len() {
        return Value::Awaited;
    }
    let between = body.get(..length).unwrap_or_default();
    if between.iter().any(|byte| b":=".contains(byte)) {
        Value::At(length)
    } else {
        Value::None
    }
}

fn header(body: &[u8], reach: Reach) -> Verdict {
    let at = match value(body) {
        Value::At(at) => at,
        Value::None => return Verdict::No,
        Value::Awaited => return undecided(reach),
    };
    let rest = body.get(at..).unwrap_or_default();
    let window = rest.get(..DIGIT_WITHIN).unwrap_or(rest);
    let span = Set::Token68.span(window);
    let word = window.get(..span).unwrap_or_default();
    let is_scheme = SCHEMES
        .iter()
        .any(|scheme| word.eq_ignore_ascii_case(scheme.as_bytes()));
    match window.get(span) {
        // What follows a scheme is a token, whatever it looks like.
        Some(b' ') if is_scheme => {
            let token = rest.get(span + 1..).unwrap_or_default();
            let length = Set::Token68.span(token.get(..DIGIT_WITHIN).unwrap_or(token));
            match (length, token.is_empty()) {
                (0, true) => undecided(reach),
                (0, false) => Verdict::No,
                (length, _) => Verdict::Secret {
                    from: From::Body(at + span + 1),
                    to: at + span + 1 + length,
                    then: Some(Set::Token68),
                },
            }
        }
        // A sentence about authorization goes on.
        Some(b' ') if span < 16 => Verdict::No,
        None if span < SCHEME && reach == Reach::Open => Verdict::More,
        Some(_) | None if span >= 8 && word.iter().any(u8::is_ascii_digit) => Verdict::Secret {
            from: From::Body(at),
            to: at + span,
            then: Some(Set::Token68),
        },
        None if span < DIGIT_WITHIN => undecided(reach),
        Some(_) | None => Verdict::No,
    }
}

fn field(body: &[u8], reach: Reach) -> Verdict {
    let at = match value(body) {
        Value::At(at) => at,
        Value::None => return Verdict::No,
        Value::Awaited => return undecided(reach),
    };
    let rest = body.get(at..).unwrap_or_default();
    let span = Set::Token68.span(rest.get(..16).unwrap_or(rest));
    if span == 16 {
        return Verdict::Secret {
            from: From::Body(at),
            to: at + span,
            then: Some(Set::Token68),
        };
    }
    if span == rest.len() {
        undecided(reach)
    } else {
        Verdict::No
    }
}

fn private_key(body: &[u8], reach: Reach) -> Verdict {
    let name = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ';
    let length = body.iter().take(KEY_NAME).take_while(name).count();
    let dashes = body.get(length..).unwrap_or_default();
    let dashes = dashes.get(..5).unwrap_or(dashes);
    let words = body.get(..length).unwrap_or_default();
    if dashes.len() < 5 && dashes.iter().all(|byte| *byte == b'-') && length < KEY_NAME {
        return undecided(reach);
    }
    if dashes == b"-----" && memchr::memmem::find(words, b"PRIVATE KEY").is_some() {
        return Verdict::Secret {
            from: From::Head,
            to: length + 5,
            then: Some(Set::Key),
        };
    }
    Verdict::No
}

fn url(body: &[u8], reach: Reach) -> Verdict {
    let is_user = |byte: &&u8| **byte != b':' && Set::Password.has(**byte);
    let user = body.iter().take(USER).take_while(is_user).count();
    match body.get(user) {
        None => return undecided(reach),
        Some(b':') => {}
        Some(_) => return Verdict::No,
    }
    let rest = body.get(user + 1..).unwrap_or_default();
    let window = rest.get(..PASSWORD).unwrap_or(rest);
    let password = Set::Password.span(window);
    let to = user + 1 + password;
    let from = From::Body(0);
    match window.get(password) {
        Some(b'@') if password > 0 => Verdict::Secret { from, to, then: None },
        Some(_) => Verdict::No,
        None if password == PASSWORD => Verdict::Secret {
            from,
            to,
            then: Some(Set::Password),
        },
        None => undecided(reach),
    }
}
