//! What kind of value a name stands for: `FILE`, `<port>`, `int`.

use crate::atip::Kind;

const INTEGERS: [&str; 20] = [
    "bytes", "cols", "columns", "count", "depth", "digits", "int", "int32", "int64", "integer", "lines", "n",
    "num", "number", "pid", "port", "seconds", "uint", "uint32", "uint64",
];
const NUMBERS: [&str; 6] = ["decimal", "double", "float", "float64", "ratio", "real"];
const FILES: [&str; 13] = [
    "file",
    "filename",
    "filepath",
    "infile",
    "input-file",
    "inputfile",
    "logfile",
    "outfile",
    "output-file",
    "outputfile",
    "path",
    "pathname",
    "pidfile",
];
const DIRECTORIES: [&str; 6] = ["dir", "directory", "dirname", "folder", "workdir", "working-dir"];
const URLS: [&str; 2] = ["uri", "url"];

/// Returns the kind of value that `name` stands for.
pub(crate) fn kind_of(name: &str) -> Kind {
    // `INTEGER RANGE [1<=x<=9]`
    let name = name.split(" RANGE").next().unwrap_or(name);
    let lower = name.to_ascii_lowercase().replace('_', "-");
    let word = lower.as_str();
    let last = word.rsplit(['-', ' ']).next().unwrap_or_default();
    let has = |words: &[&str]| words.binary_search(&word).is_ok() || words.binary_search(&last).is_ok();
    if name.contains([',', '|', ':', '=', '/']) || name.contains("..") {
        Kind::String
    } else if word == "#" || has(&INTEGERS) {
        Kind::Integer
    } else if has(&NUMBERS) {
        Kind::Number
    } else if has(&DIRECTORIES) {
        Kind::Directory
    } else if has(&FILES) {
        Kind::File
    } else if has(&URLS) {
        Kind::Url
    } else {
        Kind::String
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_searched_are_sorted() {
        assert!(INTEGERS.is_sorted());
        assert!(NUMBERS.is_sorted());
        assert!(FILES.is_sorted());
        assert!(DIRECTORIES.is_sorted());
        assert!(URLS.is_sorted());
    }
}
