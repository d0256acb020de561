//! AIP-29, Install methods: thirteen ways, in the order in which they are tried.

use argrail_acli::nearest;
use schemars::{Schema, SchemaGenerator, json_schema};

use super::rules::{EXPERIMENTAL, METHOD, NO_HASH, UNFINISHED, WIDE_INSTALL};
use crate::declare::{Decode, FromRoot, List, Own, WebAddress, by, manifest, peek, tagged, texts, words};
use crate::doc::fields::{Complaints, Quoted, came};
use crate::doc::{Spanned, Value};
use crate::manifest::{Closed, Field, Reference, Sha256Text, Traffic, judge_plain_http};

/// Every method of the draft.
const METHODS: [&str; 13] = [
    "brew", "apt", "dnf", "pacman", "choco", "scoop", "npm", "pip", "cargo", "go", "curl", "download",
    "vendored",
];

tagged! {
    /// One way to install.
    pub enum Install by "method", else other_method {
        /// By npm.
        Npm(NpmInstall) = "npm",
        /// By pip.
        Pip(PipInstall) = "pip",
        /// By a script that is downloaded and run.
        Curl(CurlInstall) = "curl",
        /// By an archive or a binary that is downloaded.
        Download(DownloadInstall) = "download",
        /// By a file of the bundle.
        Vendored(VendoredInstall) = "vendored",
    }
    also {
        /// By a package manager that has no options here.
        Package(PackageInstall),
        /// By something that nobody here knows. Skipped.
        Unknown(UnknownInstall),
    }
}

words! {
    /// A package manager.
    pub enum Manager {
        /// Homebrew.
        Brew = "brew",
        /// Debian, Ubuntu.
        Apt = "apt",
        /// Fedora, RHEL.
        Dnf = "dnf",
        /// Arch.
        Pacman = "pacman",
        /// Chocolatey.
        Choco = "choco",
        /// Scoop.
        Scoop = "scoop",
        /// Rust.
        Cargo = "cargo",
        /// Go.
        Go = "go",
    }
}

manifest! {
    /// A package of a manager.
    pub struct PackageInstall closed {
        /// Which manager.
        need method: Manager,
        /// Which package.
        need package: Spanned<String> as Package,
        /// Only when asked for.
        may experimental: Option<bool> => tell_experimental,
    }

    /// A package of npm.
    pub struct NpmInstall closed {
        /// Which package.
        need package: Spanned<String> as Package,
        /// For every program of this user.
        may global: Option<bool> => tell_wide,
        /// Only when asked for.
        may experimental: Option<bool> => tell_experimental,
    }

    /// A package of Python.
    pub struct PipInstall closed {
        /// Which package.
        need package: Spanned<String> as Package,
        /// Into the user's own place.
        may user: Option<bool> => tell_wide,
        /// Only when asked for.
        may experimental: Option<bool> => tell_experimental,
    }

    /// A script that installs.
    pub struct CurlInstall closed, before check_promise {
        /// Where it is.
        need url: Spanned<String> as WebAddress,
        /// What it must be.
        may verify_sha256: Option<Sha256Text>,
        /// Only when asked for.
        may experimental: Option<bool> => tell_experimental,
    }

    /// An archive with the program inside.
    pub struct DownloadInstall closed, before check_promise {
        /// Where it is.
        need url: Spanned<String> as WebAddress,
        /// Where the program is in it.
        need extract_bin: Reference as FromRoot,
        /// What it must be.
        may verify_sha256: Option<Sha256Text>,
        /// Only when asked for.
        may experimental: Option<bool> => tell_experimental,
    }

    /// A program that lies in the bundle.
    pub struct VendoredInstall closed {
        /// Where.
        need path: Reference as FromRoot,
        /// Only when asked for.
        may experimental: Option<bool> => tell_experimental,
    }

    /// A method of a later draft or of somebody's own: skipped.
    pub struct UnknownInstall unchecked {
        /// Its name.
        need method: String as UnknownMethod,
        /// Always true: without it the method is an error.
        need experimental: bool as True,
    }
}

texts! {
    /// The name of a package: one word that no manager takes for an option.
    Package = by(is_package, r#"^(?!-)[^\u0000-\u0020\u007F-\U0010FFFF"'`\\;|&<>(){}$]+$"#, 1..=256),
        "the name of a package", "write the name of the package, one word that does not start with '-'";
}

fn is_package(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_graphic() && !"\"'`\\;|&<>(){}$".contains(c);
    !text.starts_with('-') && text.chars().all(plain)
}

impl Install {
    /// Returns the name of the method.
    pub fn method(&self) -> &str {
        match self {
            Self::Package(install) => install.method.as_str(),
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

/// A list that must have an entry, or one that is left open, with nothing but comments behind it: a place that
/// `argrail new cli` leaves to a person, which is told.
pub(super) struct ListOrOpen;

impl Decode<ListOrOpen> for Vec<Install> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        if field.node.value != Value::Null {
            return <Self as Decode<List<Own, 1>>>::decode(field, out);
        }
        let what = format!("{}: unfinished: no way to install it is written yet", field.path);
        let hint =
            "write an entry of a package that you know to be this program, or of a download with its hash";
        out.push(UNFINISHED.warning(field.span(), what).hint(hint));
        Some(Self::new())
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Self as Decode<List<Own, 1>>>::schema(generator)
    }
}

/// A method that nobody here knows.
struct UnknownMethod;

impl Decode<UnknownMethod> for String {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.text(out).map(|text| text.value)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "not": {"enum": METHODS}})
    }
}

/// Nothing but true.
struct True;

impl Decode<True> for bool {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        field.truth(out)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"const": true})
    }
}

/// Reads a method that has no fields of its own.
fn other_method(field: &Field<'_>, object: Closed<'_>, out: &mut Complaints) -> Option<Install> {
    let method = field.text(out)?;
    if Manager::WORDS.iter().any(|(word, _)| *word == method.as_str()) {
        return PackageInstall::read(object, out).map(Install::Package);
    }
    let experimental = object.field().member("experimental");
    let experimental = experimental.and_then(|field| field.truth(out));
    if experimental == Some(true) {
        let what = format!(
            "nobody here knows the method {}, so it is skipped",
            Quoted(&method)
        );
        out.push(field.warn(METHOD, what).hint("list a method that is known, too"));
        return UnknownInstall::read(object, out).map(Install::Unknown);
    }
    let what = format!("expected one of {}, got {}", METHODS.join(", "), came(field.node));
    let complaint = field.refuse(METHOD, what);
    out.push(match nearest(&method, METHODS) {
        Some(near) => complaint.hint(format!("did you mean {}?", Quoted(near))),
        None => complaint.hint("add experimental: true if it is a method of a later draft"),
    });
    None
}

fn tell_experimental(experimental: &Option<bool>, field: &Field<'_>, out: &mut Complaints) {
    if *experimental == Some(true) {
        let what = format!(
            "{}: the method is skipped unless somebody asks for it",
            field.path
        );
        let hint = "leave it out if the method is sure";
        out.push(EXPERIMENTAL.note(field.span(), what).hint(hint));
    }
}

fn tell_wide(wide: &Option<bool>, field: &Field<'_>, out: &mut Complaints) {
    if *wide == Some(true) {
        let what = "it is installed into a folder of argrail's own, unless somebody says --global";
        let what = format!("{}: {what}", field.path);
        out.push(WIDE_INSTALL.note(field.span(), what).hint("leave it out"));
    }
}

/// Holds an address against what says what the file must be.
fn check_promise(object: &mut Closed<'_>, out: &mut Complaints) {
    let field = object.field();
    let hash = field.member("verify_sha256");
    let is_promised = peek::<Sha256Text, Own>(object, "verify_sha256").is_some();
    let traffic = if is_promised {
        Traffic::Checked
    } else {
        Traffic::Trusted
    };
    let url = field.member("url").filter(|url| {
        peek::<String, WebAddress>(object, "url").is_some() && judge_plain_http(url, traffic, out)
    });
    if hash.is_none() {
        let at = url.map_or(field.span(), |url| url.span());
        let what = format!("{}: nothing says what the file must be", field.path);
        let hint = "add verify_sha256 with the SHA-256 of the file";
        out.push(NO_HASH.warning(at, what).hint(hint));
    }
}
