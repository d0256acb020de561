//! Reading a sandbox block from a file: YAML, of which JSON is a part.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use argrail_acli::{Error, Text};
use argrail_sandbox::policy::{Aip29, Anchors, Policy};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use argrail_engine::refusal;

/// A block is short; more than this is not one.
const LONGEST: u64 = 256 * 1024;

/// How many values a block may have.
const VALUES: usize = 20_000;

/// A manifest's excerpt: the block under its own name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    sandbox: Aip29,
}

/// Reads the block in `file`, by itself or under the key `sandbox`.
///
/// # Errors
/// What is wrong, and where.
pub(crate) fn read(file: &Path, anchors: &Anchors) -> Result<Policy, Error> {
    let text = read_text(file).map_err(|error| {
        Error::execution(error)
            .hint(Text::new("Check that {} is a readable text file").value(file.to_string_lossy()))
    })?;
    let keys: BTreeMap<String, IgnoredAny> = parse(file, &text)?;
    let block = if keys.contains_key("sandbox") {
        parse::<Named>(file, &text)?.sandbox
    } else {
        parse::<Aip29>(file, &text)?
    };
    block
        .into_policy(anchors)
        .map_err(|refusal| refusal::refused(&refusal))
}

fn read_text(file: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let length = std::fs::File::open(file)?
        .take(LONGEST + 1)
        .read_to_string(&mut text)? as u64;
    if length > LONGEST {
        return Err(std::io::Error::other(format!(
            "it is longer than {LONGEST} bytes"
        )));
    }
    Ok(text)
}

fn parse<T: DeserializeOwned>(file: &Path, text: &str) -> Result<T, Error> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_nodes: VALUES },
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let what = Text::new("{}: {}")
            .value(file.to_string_lossy())
            .value(error.to_string());
        Error::invalid(
            what,
            "A sandbox block has network, fs, exec and env; see docs/sandbox.md for one to copy",
        )
    })
}
