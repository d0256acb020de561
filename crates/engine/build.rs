//! Packs the descriptions of `src/catalog/shipped`: one JSON file per tool in, one sorted table out.
//!
//! Each text is stripped of its white space and compressed by itself, so that whoever asks for one tool expands one
//! text. A file whose name, `name` or `description` is not as it should be fails the build. The same files give the same
//! bytes: names are sorted, and nothing of the machine goes in. Never reads anything but those files.

use std::error::Error;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec;
use serde_json::Value;

/// Where the descriptions stand, from this crate's folder.
const FOLDER: &str = "src/catalog/shipped";

/// The best that deflate can do; expanding takes the same time whatever it is.
const LEVEL: u8 = 10;

/// How long a description in a list may be, in characters.
const DESCRIPTION: usize = 80;

fn main() -> Result<(), Box<dyn Error>> {
    writeln!(io::stdout(), "cargo::rerun-if-changed=build.rs")?;
    writeln!(io::stdout(), "cargo::rerun-if-changed={FOLDER}")?;
    let out = std::env::var_os("OUT_DIR").ok_or("cargo says no OUT_DIR")?;
    let out = Path::new(&out).join("shipped");
    fs::create_dir_all(&out)?;
    let mut table = String::from("&[\n");
    for file in files(Path::new(FOLDER))? {
        let row = pack(&file, &out).map_err(|problem| format!("{}: {problem}", file.display()))?;
        table.push_str(&row);
    }
    table.push_str("]\n");
    fs::write(out.join("table.rs"), table)?;
    Ok(())
}

/// The JSON files of the folder itself, sorted by the name of the tool.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    // By the stem: `apt.json` comes before `apt-get.json`, as `apt` comes before `apt-get`.
    paths.sort_by(|one, other| one.file_stem().cmp(&other.file_stem()));
    Ok(paths)
}

/// Writes the packed text of one file, and returns its row of the table.
fn pack(file: &Path, out: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let value: Value = serde_json::from_str(&text)?;
    let stem = file
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    let name = value.get("name").and_then(Value::as_str).unwrap_or_default();
    if name != stem || !is_name(name) {
        return Err(format!("\"name\" is {name:?}, expected the name of the file").into());
    }
    let said = value
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !is_description(said) {
        return Err(format!(
            "\"description\" is {said:?}, expected one line of 1 to {DESCRIPTION} characters"
        )
        .into());
    }
    let compact = stripped(&text);
    fs::write(
        out.join(format!("{name}.deflate")),
        compress_to_vec(compact.as_bytes(), LEVEL),
    )?;
    let packed = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/shipped/{name}.deflate\"))");
    Ok(format!(
        "    Shipped {{ name: {name:?}, description: {said:?}, size: {}, packed: {packed} }},\n",
        compact.len()
    ))
}

/// Whether a program can be called so and the name needs no quotes anywhere.
fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(plain)
}

fn is_description(text: &str) -> bool {
    let length = text.chars().count();
    (1..=DESCRIPTION).contains(&length) && text.trim() == text && !text.contains(char::is_control)
}

/// JSON without the white space between its parts. Nothing else changes, so that a key that stands twice is still found.
fn stripped(json: &str) -> String {
    let mut compact = String::with_capacity(json.len());
    let mut in_string = false;
    let mut escaped = false;
    for c in json.chars() {
        if in_string || !c.is_ascii_whitespace() {
            compact.push(c);
        }
        if c == '"' && !escaped {
            in_string = !in_string;
        }
        escaped = in_string && c == '\\' && !escaped;
    }
    compact
}
