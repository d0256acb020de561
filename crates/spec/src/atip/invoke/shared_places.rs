//! Places at shared services, known by the shape of a word wherever it stands: an ARN, a resource path of Google Cloud,
//! a resource id of Azure, a bucket, a URL.
//!
//! Cloud programs take such names in hundreds of options, in lists, in `key=value` filters and inside JSON. Whoever owns
//! the place sees who asks for it, so each counts as a new host (`docs/policy.md`). A word is cut at what cannot stand in a
//! name; a piece that begins like a place and cannot be read as one is odd, never passed over.

/// The shapes that a description can ask for: `words:NAME` in `x-destinations`.
pub(crate) const PLACE_SHAPES: [(&str, PlaceShape); 5] = [
    ("arn", PlaceShape::Arn),
    ("google-resource", PlaceShape::GoogleResource),
    ("azure-resource", PlaceShape::AzureResource),
    ("bucket", PlaceShape::Bucket),
    ("url", PlaceShape::Url),
];

/// Longer pieces than this are no name of any service: the longest are Azure's, with about 1,000 characters.
const MAX_PIECE_BYTES: usize = 2_048;

/// How a place is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlaceShape {
    /// `arn:aws:sqs:eu-west-1:123456789012:name`, and the queue URLs that carry an account in the same way.
    Arn,
    /// `projects/NAME/…`, `folders/NUMBER`, an address below `.iam.gserviceaccount.com`, an image of a registry.
    GoogleResource,
    /// `/subscriptions/ID/…`, `/providers/Microsoft.Management/managementGroups/NAME`.
    AzureResource,
    /// `s3://NAME/…`, `gs://NAME/…`.
    Bucket,
    /// `https://HOST/…`: what the program, or the service for it, fetches or calls.
    Url,
}

/// A place that was found in a word.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FoundPlace {
    /// As it is asked about and remembered: `aws-account://123456789012`, or a host.
    Named(String),
    /// It begins like a place of this shape, and what it names cannot be told.
    Odd(String),
}

impl PlaceShape {
    /// Returns the shape that a description calls so.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let known = PLACE_SHAPES.iter().find(|(known, _)| *known == name);
        known.map(|(_, shape)| *shape)
    }

    /// Finds the places of this shape in a word, in the order in which they stand there.
    pub(super) fn find_in(self, word: &str) -> Vec<FoundPlace> {
        pieces(word).filter_map(|piece| self.read(piece)).collect()
    }

    fn read(self, piece: &str) -> Option<FoundPlace> {
        let read = match self {
            Self::Arn => arn(piece).or_else(|| queue_url(piece)),
            Self::GoogleResource => google_resource(piece),
            Self::AzureResource => azure_resource(piece),
            Self::Bucket => bucket(piece),
            Self::Url => url(piece),
        }?;
        Some(match read {
            Some(place) if piece.len() <= MAX_PIECE_BYTES => FoundPlace::Named(place),
            Some(_) | None => FoundPlace::Odd(piece.to_owned()),
        })
    }
}

/// A piece that begins like a place: what it names, or nothing where that cannot be told.
type Read = Option<Option<String>>;

/// Cuts a word where no name goes on: lists, `key=value`, quotes and brackets of JSON.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '=' | '"' | '\'' | '`' | '|');
    let ends = move |c: char| ends(c) || matches!(c, '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>');
    word.split(ends).filter(|piece| !piece.is_empty())
}

/// What follows `start`, whatever its case, where the piece begins with it.
fn after<'a>(piece: &'a str, start: &str) -> Option<&'a str> {
    let head = piece.get(..start.len())?;
    head.eq_ignore_ascii_case(start)
        .then(|| piece.get(start.len()..))?
}

/// What follows the last `marker` of a piece, whatever its case: `//host/projects/x` is read as `projects/x`.
fn behind<'a>(piece: &'a str, marker: &str) -> Option<&'a str> {
    let at = piece.to_ascii_lowercase().rfind(marker)?;
    piece.get(at + marker.len()..)
}

/// The name in front of the next separator, where it is plainly one.
fn first_name<'a>(rest: &'a str, separators: &[char]) -> Option<&'a str> {
    let name = rest.split(separators).next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (!name.is_empty() && name.chars().all(plain)).then_some(name)
}

fn place(service: &str, name: &str) -> String {
    format!("{service}://{}", name.to_ascii_lowercase())
}

/// `arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE`. Amazon's own policies have `aws` for an account and are nobody's
/// place; without an account it is one's own, but for buckets, which have none.
fn arn(piece: &str) -> Read {
    // A shorthand list writes `Key:arn:aws:…`, so it may stand behind a colon.
    let rest = after(piece, "arn:").or_else(|| behind(piece, ":arn:"))?;
    let mut parts = rest.splitn(5, ':');
    let (_partition, service) = (parts.next(), parts.next());
    let (_region, account, resource) = (parts.next(), parts.next(), parts.next());
    let (Some(service), Some(account), Some(resource)) = (service, account, resource) else {
        return Some(None);
    };
    if account.eq_ignore_ascii_case("aws") || (account.is_empty() && !service.eq_ignore_ascii_case("s3")) {
        return None;
    }
    if account.is_empty() {
        return Some(first_name(resource, &['/']).map(|name| place("s3", name)));
    }
    let is_account = account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit());
    Some(is_account.then(|| place("aws-account", account)))
}

/// `https://sqs.REGION.amazonaws.com/ACCOUNT/NAME`, and `https://queue.amazonaws.com/ACCOUNT/NAME` as it was.
fn queue_url(piece: &str) -> Read {
    let rest = after(piece, "https://").or_else(|| after(piece, "http://"))?;
    let (host, path) = rest.split_once('/')?;
    let host = host.to_ascii_lowercase();
    if !host.contains(".amazonaws.com") {
        return None;
    }
    let account = path.split('/').next().unwrap_or_default();
    let is_account = account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit());
    is_account.then(|| Some(place("aws-account", account)))
}

/// Collections whose members have names that anybody can register, and what their members are called.
const GOOGLE_COLLECTIONS: [(&str, &str); 5] = [
    ("projects/", "gcp-project"),
    ("folders/", "gcp-folder"),
    ("organizations/", "gcp-organization"),
    ("billingaccounts/", "gcp-billing"),
    ("b/", "gs"),
];
/// What the address of a service account ends with, behind its project.
const SERVICE_ACCOUNT: &str = ".iam.gserviceaccount.com";
/// Registries of images: `HOST/PROJECT/…`.
const GOOGLE_REGISTRIES: [&str; 2] = ["gcr.io", "pkg.dev"];

fn google_resource(piece: &str) -> Read {
    if let Some((name, host)) = piece.rsplit_once('@') {
        let host = host.to_ascii_lowercase();
        if let Some(project) = host.strip_suffix(SERVICE_ACCOUNT) {
            let plain = first_name(project, &[]).filter(|_| !name.is_empty());
            return Some(plain.map(|project| place("gcp-project", project)));
        }
    }
    for (collection, service) in GOOGLE_COLLECTIONS {
        let start = after(piece, collection);
        // In the middle of a path `b/` says nothing.
        let rest = match service {
            "gs" => start,
            _ => start
                .or_else(|| behind(piece, &format!("/{collection}")))
                .or_else(|| behind(piece, &format!(":{collection}"))),
        };
        if let Some(rest) = rest {
            // `projects/-` is every project of one's own; `domain.example:name` is one of a domain.
            let name = rest.split('/').next().unwrap_or_default();
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
            return match name {
                "-" | "_" => None,
                name if !name.is_empty() && name.chars().all(plain) => Some(Some(place(service, name))),
                _ => Some(None),
            };
        }
    }
    let (host, rest) = piece.split_once('/')?;
    let host = host.to_ascii_lowercase();
    let is_below = |known: &str| host.strip_suffix(known).is_some_and(|front| front.ends_with('.'));
    if !GOOGLE_REGISTRIES
        .iter()
        .any(|known| host == *known || is_below(known))
    {
        return None;
    }
    Some(first_name(rest, &['/', ':', '@']).map(|project| place("gcp-project", project)))
}

fn azure_resource(piece: &str) -> Read {
    if let Some(rest) = behind(piece, "/subscriptions/") {
        return Some(first_name(rest, &['/']).map(|id| place("azure-subscription", id)));
    }
    let group = behind(piece, "/managementgroups/")?;
    Some(first_name(group, &['/']).map(|name| place("azure-management-group", name)))
}

fn bucket(piece: &str) -> Read {
    let (service, rest) = [("s3", "s3://"), ("gs", "gs://")]
        .into_iter()
        .find_map(|(service, start)| Some((service, after(piece, start)?)))?;
    // `s3://` and `gs://` alone list one's own buckets.
    if rest.is_empty() {
        return None;
    }
    // An ARN of an access point may stand for the bucket.
    if let Some(read) = arn(rest) {
        return Some(read);
    }
    Some(first_name(rest, &['/', '?', '#']).map(|name| place(service, name)))
}

fn url(piece: &str) -> Read {
    let (scheme, _) = piece.split_once("://")?;
    let is_web = ["http", "https", "ftp", "ftps", "ws", "wss", "git", "ssh"];
    let is_web = is_web.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    is_web.then(|| super::host::host(piece))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_are_found_wherever_a_word_has_them() {
        let check = |shape: PlaceShape, word: &str, want: &[&str]| {
            let found = shape.find_in(word).into_iter().map(|place| match place {
                FoundPlace::Named(name) => name,
                FoundPlace::Odd(piece) => format!("odd {piece}"),
            });
            assert_eq!(found.collect::<Vec<_>>(), want, "{shape:?} {word}");
        };
        let arn = PlaceShape::Arn;
        check(
            arn,
            "arn:aws:sqs:eu-west-1:123456789012:q",
            &["aws-account://123456789012"],
        );
        check(arn, "ARN:aws-cn:s3:::Bucket/key", &["s3://bucket"]);
        check(arn, "arn:aws:iam::aws:policy/ReadOnlyAccess", &[]);
        check(arn, "arn:aws:apigateway:us-east-1::/restapis/x", &[]);
        check(arn, "arn:aws:sns:x", &["odd arn:aws:sns:x"]);
        check(arn, "arn:aws:sns:r:12345:t", &["odd arn:aws:sns:r:12345:t"]);
        check(
            arn,
            r#"{"Arn":"arn:aws:kms:r:000000000001:key/a"}"#,
            &["aws-account://000000000001"],
        );
        check(
            arn,
            "Name=arn,Values=arn:aws:sns:r:123456789012:a,arn:aws:sns:r:210987654321:b",
            &["aws-account://123456789012", "aws-account://210987654321"],
        );
        check(
            arn,
            "https://sqs.eu-west-1.amazonaws.com/123456789012/q",
            &["aws-account://123456789012"],
        );
        check(arn, "marn:x", &[]);
        check(arn, "https://new.example/123456789012/q", &[]);
        let google = PlaceShape::GoogleResource;
        check(google, "projects/p-1/topics/t", &["gcp-project://p-1"]);
        check(
            google,
            "https://www.googleapis.com/compute/v1/projects/P/zones/z",
            &["gcp-project://p"],
        );
        check(google, "projects/example.org:p", &["gcp-project://example.org:p"]);
        check(google, "member:projects/p", &["gcp-project://p"]);
        check(google, "projects/-/locations/x", &[]);
        check(google, "projects/", &["odd projects/"]);
        check(google, "projects/a%2fb", &["odd projects/a%2fb"]);
        check(
            google,
            "folders/12 organizations/34",
            &["gcp-folder://12", "gcp-organization://34"],
        );
        check(
            google,
            "serviceAccount:x@evil-1.iam.gserviceaccount.com",
            &["gcp-project://evil-1"],
        );
        check(google, "eu.gcr.io/evil/image:1", &["gcp-project://evil"]);
        check(
            google,
            "europe-docker.pkg.dev/evil/repo/image@sha256:00",
            &["gcp-project://evil"],
        );
        check(google, "b/bucket/o/key", &["gs://bucket"]);
        check(google, "lib/projects.txt", &[]);
        let azure = PlaceShape::AzureResource;
        check(
            azure,
            "/subscriptions/0000-1/resourceGroups/g",
            &["azure-subscription://0000-1"],
        );
        check(
            azure,
            "https://management.azure.com/SUBSCRIPTIONS/x?api-version=1",
            &["odd https://management.azure.com/SUBSCRIPTIONS/x?api-version"],
        );
        check(
            azure,
            "/providers/Microsoft.Management/managementGroups/g",
            &["azure-management-group://g"],
        );
        check(azure, "subscriptions", &[]);
        let bucket = PlaceShape::Bucket;
        check(bucket, "s3://One/key gs://two", &["s3://one", "gs://two"]);
        check(bucket, "s3://", &[]);
        check(
            bucket,
            "s3://arn:aws:s3:r:123456789012:accesspoint/p/key",
            &["aws-account://123456789012"],
        );
        check(bucket, "s3://a%b/x", &["odd s3://a%b/x"]);
        let url = PlaceShape::Url;
        check(url, "https://new.example/x", &["new.example"]);
        check(url, "x=https://NEW.example:8443/,y", &["new.example"]);
        check(url, "https://new.example@/", &["odd https://new.example@/"]);
        check(url, "urn:x file:///x s3://b", &[]);
    }

    proptest! {
        #[test]
        fn whatever_is_named_can_be_remembered(word in "[a-zA-Z0-9:/@.,=%{}\" *-]{0,60}", at in 0_usize..5) {
            let (_, shape) = PLACE_SHAPES[at];
            for found in shape.find_in(&word) {
                if let FoundPlace::Named(name) = found {
                    prop_assert_eq!(super::super::host::host_pattern(&name), Some(name.clone()));
                }
            }
        }

        #[test]
        fn wrapping_a_place_does_not_hide_it(open in "[,=\"'{(\\[ ;]{1,4}", name in "[a-z][a-z0-9-]{2,20}") {
            let word = format!("x{open}projects/{name}{open}y");
            let found = PlaceShape::GoogleResource.find_in(&word);
            prop_assert_eq!(found, vec![FoundPlace::Named(format!("gcp-project://{name}"))]);
        }
    }
}
