//! How keys begin, and what they are made of. One more kind of token is one more line of the table.

use super::run::Set;

/// A way in which a secret can be recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A fixed beginning, and then characters of a set.
    Token(Token),
    /// `Bearer`, and a token.
    Bearer,
    /// A header of HTTP, in whatever notation: a scheme and a token, or a token.
    Header,
    /// A field whose name says that its value is a secret.
    Field,
    /// `-----BEGIN … PRIVATE KEY-----`.
    PrivateKey,
    /// Three or five parts of Base64 with dots between, the first an object of JSON.
    Jwt,
    /// A name and a password in a URL.
    Url,
}

/// What follows a fixed beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) set: Set,
    /// How many characters must follow.
    pub(super) least: usize,
    pub(super) wants: Wants,
}

/// What tells a token from a word of prose that begins alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    /// Nothing: the beginning is telling enough.
    Nothing,
    /// It must not go on from a word.
    Boundary,
    /// The same, and there must be a digit.
    Digit,
}

const fn token(set: Set, least: usize, wants: Wants) -> Kind {
    Kind::Token(Token { set, least, wants })
}

/// What a secret begins with.
pub(super) const HEADS: &[(&str, Kind)] = &[
    ("ghp_", token(Set::Word, 20, Wants::Nothing)),
    ("gho_", token(Set::Word, 20, Wants::Nothing)),
    ("ghu_", token(Set::Word, 20, Wants::Nothing)),
    ("ghs_", token(Set::Word, 20, Wants::Nothing)),
    ("ghr_", token(Set::Word, 20, Wants::Nothing)),
    ("github_pat_", token(Set::Word, 20, Wants::Nothing)),
    ("glpat-", token(Set::Dotted, 16, Wants::Nothing)),
    ("glrt-", token(Set::Dotted, 16, Wants::Boundary)),
    ("gldt-", token(Set::Dotted, 16, Wants::Boundary)),
    ("AKIA", token(Set::Capital, 16, Wants::Boundary)),
    ("ASIA", token(Set::Capital, 16, Wants::Boundary)),
    ("AIza", token(Set::Word, 30, Wants::Boundary)),
    ("xoxa-", token(Set::Word, 10, Wants::Nothing)),
    ("xoxb-", token(Set::Word, 10, Wants::Nothing)),
    ("xoxe-", token(Set::Word, 10, Wants::Nothing)),
    ("xoxe.", token(Set::Dotted, 10, Wants::Nothing)),
    ("xoxo-", token(Set::Word, 10, Wants::Nothing)),
    ("xoxp-", token(Set::Word, 10, Wants::Nothing)),
    ("xoxr-", token(Set::Word, 10, Wants::Nothing)),
    ("xoxs-", token(Set::Word, 10, Wants::Nothing)),
    ("xapp-", token(Set::Word, 16, Wants::Digit)),
    ("sk-ant-", token(Set::Word, 16, Wants::Boundary)),
    ("sk-", token(Set::Word, 20, Wants::Digit)),
    ("sk_live_", token(Set::Word, 16, Wants::Boundary)),
    ("rk_live_", token(Set::Word, 16, Wants::Boundary)),
    ("npm_", token(Set::Word, 30, Wants::Digit)),
    ("hf_", token(Set::Word, 30, Wants::Digit)),
    ("pypi-AgE", token(Set::Word, 30, Wants::Boundary)),
    ("dop_v1_", token(Set::Word, 30, Wants::Boundary)),
    ("eyJ", Kind::Jwt),
    ("://", Kind::Url),
    ("-----BEGIN ", Kind::PrivateKey),
    ("Bearer ", Kind::Bearer),
    ("bearer ", Kind::Bearer),
    ("BEARER ", Kind::Bearer),
    ("Bearer%20", Kind::Bearer),
    ("Authorization", Kind::Header),
    ("authorization", Kind::Header),
    ("AUTHORIZATION", Kind::Header),
    ("aws_secret_access_key", Kind::Field),
    ("AWS_SECRET_ACCESS_KEY", Kind::Field),
    ("SecretAccessKey", Kind::Field),
    ("aws_session_token", Kind::Field),
    ("AWS_SESSION_TOKEN", Kind::Field),
    ("SessionToken", Kind::Field),
];
