//! Packs the descriptions of `src/catalog/shipped` and the bundles of `src/ready/shipped`: one sorted table of each.
//!
//! A description is a JSON file, stripped of its white space; a bundle is a folder of Markdown files, made one JSON object
//! of names and texts. Each is compressed by itself, so that whoever asks for one expands one. A file whose name, `name`
//! or `description` is not as it should be fails the build. The same files give the same bytes: names are sorted, and
//! nothing of the machine goes in. Never reads anything but those files.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec;
use serde_json::Value;

/// Where the descriptions stand, from this crate's folder.
const FOLDER: &str = "src/catalog/shipped";

/// Where the bundles stand, from this crate's folder.
const BUNDLES: &str = "src/ready/shipped";

/// The best that deflate can do; expanding takes the same time whatever it is.
const LEVEL: u8 = 10;

/// How long a description in a list may be, in characters.
const DESCRIPTION: usize = 80;

fn main() -> Result<(), Box<dyn Error>> {
    writeln!(io::stdout(), "cargo::rerun-if-changed=build.rs")?;
    writeln!(io::stdout(), "cargo::rerun-if-changed={FOLDER}")?;
    writeln!(io::stdout(), "cargo::rerun-if-changed={BUNDLES}")?;
    let out = std::env::var_os("OUT_DIR").ok_or("cargo says no OUT_DIR")?;
    let out = Path::new(&out);
    table(&files(Path::new(FOLDER))?, &out.join("shipped"), pack)?;
    table(&folders(Path::new(BUNDLES))?, &out.join("bundles"), pack_bundle)
}

/// What makes one row of a table, and writes the packed text into a folder.
type Pack = fn(&Path, &Path) -> Result<String, Box<dyn Error>>;

/// Writes a table with one row for each path.
fn table(paths: &[PathBuf], out: &Path, pack: Pack) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(out)?;
    let mut table = String::from("&[\n");
    for path in paths {
        let row = pack(path, out).map_err(|problem| format!("{}: {problem}", path.display()))?;
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

/// The folders of a folder, sorted by name.
fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.is_dir());
    paths.sort();
    Ok(paths)
}

/// Writes the packed files of one bundle, and returns its row of the table.
fn pack_bundle(folder: &Path, out: &Path) -> Result<String, Box<dyn Error>> {
    let mut texts = BTreeMap::new();
    collect(folder, "", &mut texts)?;
    let id = folder
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let manifest = texts.get("CLI.md").ok_or("there is no CLI.md")?;
    let bin = field(manifest, "bin");
    if !is_name(id) || field(manifest, "id") != id || !is_name(bin) {
        return Err(format!("\"id\" or \"bin\" of CLI.md is not as it should be: {id:?}, {bin:?}").into());
    }
    let text = serde_json::to_string(&texts)?;
    fs::write(
        out.join(format!("{id}.deflate")),
        compress_to_vec(text.as_bytes(), LEVEL),
    )?;
    let packed = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/bundles/{id}.deflate\"))");
    Ok(format!(
        "    ShippedBundle {{ id: {id:?}, bin: {bin:?}, size: {}, packed: {packed} }},\n",
        text.len()
    ))
}

/// Reads every Markdown file below a folder, by its name from there.
fn collect(folder: &Path, before: &str, texts: &mut BTreeMap<String, String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        let below = format!("{before}{name}");
        if path.is_dir() {
            collect(&path, &format!("{below}/"), texts)?;
        } else if path.extension().is_some_and(|end| end == "md") {
            texts.insert(below, fs::read_to_string(&path)?);
        } else {
            return Err(format!("{below}: a bundle that is compiled in has Markdown files only").into());
        }
    }
    Ok(())
}

/// A plain value that stands on a line of its own in a front matter.
fn field<'a>(manifest: &'a str, key: &str) -> &'a str {
    let value = |line: &'a str| line.strip_prefix(key)?.strip_prefix(": ");
    manifest.lines().find_map(value).unwrap_or_default()
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
