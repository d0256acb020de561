//! AIP-29, Install methods: thirteen ways, in the order in which they are tried.

use std::borrow::Cow;

use argrail_acli::nearest;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::rules::{EXPERIMENTAL, METHOD, NO_HASH, UNFINISHED, WIDE_INSTALL};
use crate::doc::fields::{Complaints, Quoted, came};
use crate::doc::{Span, Spanned, Value};
use crate::manifest::{Closed, Field, Holes, Reference, Sha256Text, Traffic, url};

/// Every method of the draft.
const METHODS: [&str; 13] = [
    "brew", "apt", "dnf", "pacman", "choco", "scoop", "npm", "pip", "cargo", "go", "curl", "download",
    "vendored",
];

/// One way to install.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Install {
    /// By a package manager that has no options here.
    Package(PackageInstall),
    /// By npm.
    Npm(NpmInstall),
    /// By pip.
    Pip(PipInstall),
    /// By a script that is downloaded and run.
    Curl(CurlInstall),
    /// By an archive or a binary that is downloaded.
    Download(DownloadInstall),
    /// By a file of the bundle.
    Vendored(VendoredInstall),
    /// By something that nobody here knows. Skipped.
    Unknown(UnknownInstall),
}

/// A package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Manager {
    /// Homebrew.
    Brew,
    /// Debian, Ubuntu.
    Apt,
    /// Fedora, RHEL.
    Dnf,
    /// Arch.
    Pacman,
    /// Chocolatey.
    Choco,
    /// Scoop.
    Scoop,
    /// Rust.
    Cargo,
    /// Go.
    Go,
}

/// A package of a manager.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PackageInstall {
    /// Which manager.
    pub method: Manager,
    /// Which package.
    #[schemars(length(min = 1, max = 256))]
    pub package: Spanned<String>,
    /// Only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<bool>,
}

/// The word `npm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NpmWord {
    /// It.
    Npm,
}

/// A package of npm.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NpmInstall {
    /// The method.
    pub method: NpmWord,
    /// Which package.
    #[schemars(length(min = 1, max = 256))]
    pub package: Spanned<String>,
    /// For every program of this user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub global: Option<bool>,
    /// Only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<bool>,
}

/// The word `pip`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PipWord {
    /// It.
    Pip,
}

/// A package of Python.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PipInstall {
    /// The method.
    pub method: PipWord,
    /// Which package.
    #[schemars(length(min = 1, max = 256))]
    pub package: Spanned<String>,
    /// Into the user's own place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<bool>,
    /// Only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<bool>,
}

/// The word `curl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CurlWord {
    /// It.
    Curl,
}

/// A script that installs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CurlInstall {
    /// The method.
    pub method: CurlWord,
    /// Where it is.
    #[schemars(length(min = 1, max = 2048))]
    pub url: Spanned<String>,
    /// What it must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_sha256: Option<Sha256Text>,
    /// Only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<bool>,
}

/// The word `download`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DownloadWord {
    /// It.
    Download,
}

/// An archive with the program inside.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DownloadInstall {
    /// The method.
    pub method: DownloadWord,
    /// Where it is.
    #[schemars(length(min = 1, max = 2048))]
    pub url: Spanned<String>,
    /// Where the program is in it.
    pub extract_bin: Reference,
    /// What it must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify_sha256: Option<Sha256Text>,
    /// Only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<bool>,
}

/// The word `vendored`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VendoredWord {
    /// It.
    Vendored,
}

/// A program that lies in the bundle.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VendoredInstall {
    /// The method.
    pub method: VendoredWord,
    /// Where.
    pub path: Reference,
    /// Only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experimental: Option<bool>,
}

/// A method of a later draft or of somebody's own.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnknownInstall {
    /// Its name.
    pub method: String,
    /// Always true: without it the method is an error.
    pub experimental: bool,
}

impl JsonSchema for UnknownInstall {
    fn schema_name() -> Cow<'static, str> {
        "UnknownInstall".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A method of a later draft or of somebody's own: skipped.",
            "type": "object",
            "required": ["method", "experimental"],
            "properties": {
                "method": {"type": "string", "not": {"enum": METHODS}},
                "experimental": {"const": true},
            },
        })
    }
}

impl Install {
    /// Returns the name of the method.
    pub fn method(&self) -> &str {
        match self {
            Self::Package(install) => match install.method {
                Manager::Brew => "brew",
                Manager::Apt => "apt",
                Manager::Dnf => "dnf",
                Manager::Pacman => "pacman",
                Manager::Choco => "choco",
                Manager::Scoop => "scoop",
                Manager::Cargo => "cargo",
                Manager::Go => "go",
            },
            Self::Npm(_) => "npm",
            Self::Pip(_) => "pip",
            Self::Curl(_) => "curl",
            Self::Download(_) => "download",
            Self::Vendored(_) => "vendored",
            Self::Unknown(install) => &install.method,
        }
    }

    /// Whether it is skipped unless somebody asks for it.
    pub fn is_experimental(&self) -> bool {
        let experimental = match self {
            Self::Package(install) => install.experimental,
            Self::Npm(install) => install.experimental,
            Self::Pip(install) => install.experimental,
            Self::Curl(install) => install.experimental,
            Self::Download(install) => install.experimental,
            Self::Vendored(install) => install.experimental,
            Self::Unknown(_) => Some(true),
        };
        experimental == Some(true)
    }
}

/// Reads the list, which must have an entry.
pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<Install>> {
    let items = field.some_items(out)?;
    Some(items.iter().filter_map(|item| one(item, out)).collect())
}

/// The same, or one that is left open, with nothing but comments behind it: a place that `argrail new cli` leaves to a
/// person, which is told.
pub(super) fn decode_or_open(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<Install>> {
    if field.node.value != Value::Null {
        return decode(field, out);
    }
    let what = format!("{}: unfinished: no way to install it is written yet", field.path);
    let hint = "write an entry of a package that you know to be this program, or of a download with its hash";
    out.push(UNFINISHED.warning(field.span(), what).hint(hint));
    Some(Vec::new())
}

/// Writes the list; one without entries as the open place that it was read from.
pub(super) fn or_open<S: Serializer>(install: &[Install], to: S) -> Result<S::Ok, S::Error> {
    match install {
        [] => to.serialize_none(),
        [..] => install.serialize(to),
    }
}

fn one(field: &Field<'_>, out: &mut Complaints) -> Option<Install> {
    let mut object = field.open(out)?;
    let method_field = object.need("method", out);
    let experimental_field = object.take("experimental");
    let experimental = experimental_field.as_ref().and_then(|field| field.truth(out));
    let method_field = method_field?;
    let method = method_field.text(out)?;
    if let Some(field) =
        experimental_field.filter(|_| experimental == Some(true) && METHODS.contains(&method.as_str()))
    {
        let what = "the method is skipped unless somebody asks for it";
        out.push(
            EXPERIMENTAL
                .note(field.span(), format!("{}: {what}", field.path))
                .hint("leave it out if the method is sure"),
        );
    }
    let install = match method.as_str() {
        "npm" => npm(&mut object, experimental, out).map(Install::Npm),
        "pip" => pip(&mut object, experimental, out).map(Install::Pip),
        "curl" => curl(&mut object, experimental, out).map(Install::Curl),
        "download" => download(&mut object, experimental, out).map(Install::Download),
        "vendored" => {
            let path = object
                .need("path", out)
                .and_then(|field| field.root_reference(out));
            path.map(|path| {
                Install::Vendored(VendoredInstall {
                    method: VendoredWord::Vendored,
                    path,
                    experimental,
                })
            })
        }
        word => match manager(word) {
            Some(method) => package(&mut object, out).map(|package| {
                Install::Package(PackageInstall {
                    method,
                    package,
                    experimental,
                })
            }),
            None => return unknown(&method_field, &method, experimental, out),
        },
    };
    object.shut(out);
    install
}

fn manager(word: &str) -> Option<Manager> {
    let manager = match word {
        "brew" => Manager::Brew,
        "apt" => Manager::Apt,
        "dnf" => Manager::Dnf,
        "pacman" => Manager::Pacman,
        "choco" => Manager::Choco,
        "scoop" => Manager::Scoop,
        "cargo" => Manager::Cargo,
        "go" => Manager::Go,
        _ => return None,
    };
    Some(manager)
}

fn unknown(
    field: &Field<'_>,
    method: &str,
    experimental: Option<bool>,
    out: &mut Complaints,
) -> Option<Install> {
    if experimental == Some(true) {
        let what = format!(
            "nobody here knows the method {}, so it is skipped",
            Quoted(method)
        );
        out.push(field.warn(METHOD, what).hint("list a method that is known, too"));
        return Some(Install::Unknown(UnknownInstall {
            method: method.to_owned(),
            experimental: true,
        }));
    }
    let what = format!("expected one of {}, got {}", METHODS.join(", "), came(field.node));
    let complaint = field.refuse(METHOD, what);
    out.push(match nearest(method, METHODS) {
        Some(near) => complaint.hint(format!("did you mean {}?", Quoted(near))),
        None => complaint.hint("add experimental: true if it is a method of a later draft"),
    });
    None
}

/// Reads the name of a package: one word that no manager takes for an option.
fn package(object: &mut Closed<'_>, out: &mut Complaints) -> Option<Spanned<String>> {
    let is_package = |text: &str| {
        let plain = |c: char| c.is_ascii_graphic() && !"\"'`\\;|&<>(){}$".contains(c);
        (1..=256).contains(&text.len()) && !text.starts_with('-') && text.chars().all(plain)
    };
    let field = object.need("package", out)?;
    let hint = "write the name of the package, one word that does not start with '-'";
    field.shaped(is_package, "the name of a package", hint, out)
}

fn npm(object: &mut Closed<'_>, experimental: Option<bool>, out: &mut Complaints) -> Option<NpmInstall> {
    let package = package(object, out);
    let global = object.take("global").and_then(|field| wide(&field, out));
    Some(NpmInstall {
        method: NpmWord::Npm,
        package: package?,
        global,
        experimental,
    })
}

fn pip(object: &mut Closed<'_>, experimental: Option<bool>, out: &mut Complaints) -> Option<PipInstall> {
    let package = package(object, out);
    let user = object.take("user").and_then(|field| wide(&field, out));
    Some(PipInstall {
        method: PipWord::Pip,
        package: package?,
        user,
        experimental,
    })
}

fn wide(field: &Field<'_>, out: &mut Complaints) -> Option<bool> {
    let truth = field.truth(out)?;
    if truth {
        let what = "it is installed into a folder of argrail's own, unless somebody says --global";
        out.push(
            WIDE_INSTALL
                .note(field.span(), format!("{}: {what}", field.path))
                .hint("leave it out"),
        );
    }
    Some(truth)
}

/// Reads an address and what the file must be.
fn promised(object: &mut Closed<'_>, out: &mut Complaints) -> (Option<Spanned<String>>, Option<Sha256Text>) {
    let hash_field = object.take("verify_sha256");
    let hash = hash_field.as_ref().and_then(|field| field.sha256(out));
    let traffic = if hash.is_some() {
        Traffic::Checked
    } else {
        Traffic::Trusted
    };
    let url = object
        .need("url", out)
        .and_then(|field| url(&field, Holes::None, traffic, out));
    if hash_field.is_none() {
        let at = url
            .as_ref()
            .map_or(object.span(), |url: &Spanned<String>| url.span);
        no_hash(at, object, out);
    }
    (url, hash)
}

fn no_hash(at: Span, object: &Closed<'_>, out: &mut Complaints) {
    let what = format!("{}: nothing says what the file must be", object.field().path);
    let hint = "add verify_sha256 with the SHA-256 of the file";
    out.push(NO_HASH.warning(at, what).hint(hint));
}

fn curl(object: &mut Closed<'_>, experimental: Option<bool>, out: &mut Complaints) -> Option<CurlInstall> {
    let (url, verify_sha256) = promised(object, out);
    Some(CurlInstall {
        method: CurlWord::Curl,
        url: url?,
        verify_sha256,
        experimental,
    })
}

fn download(
    object: &mut Closed<'_>,
    experimental: Option<bool>,
    out: &mut Complaints,
) -> Option<DownloadInstall> {
    let (url, verify_sha256) = promised(object, out);
    let extract_bin = object
        .need("extract_bin", out)
        .and_then(|field| field.root_reference(out));
    Some(DownloadInstall {
        method: DownloadWord::Download,
        url: url?,
        extract_bin: extract_bin?,
        verify_sha256,
        experimental,
    })
}
