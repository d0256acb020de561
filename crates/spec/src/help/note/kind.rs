//! What kind of value a name stands for: `FILE`, `<port>`, `int`.

use crate::atip::Kind;

/// Last words of names, with what they stand for. Sorted.
const KINDS: [(&str, Kind); 44] = [
    ("bytes", Kind::Integer),
    ("cols", Kind::Integer),
    ("columns", Kind::Integer),
    ("count", Kind::Integer),
    ("decimal", Kind::Number),
    ("depth", Kind::Integer),
    ("digits", Kind::Integer),
    ("dir", Kind::Directory),
    ("directory", Kind::Directory),
    ("dirname", Kind::Directory),
    ("double", Kind::Number),
    ("file", Kind::File),
    ("filename", Kind::File),
    ("filepath", Kind::File),
    ("float", Kind::Number),
    ("float64", Kind::Number),
    ("folder", Kind::Directory),
    ("infile", Kind::File),
    ("inputfile", Kind::File),
    ("int", Kind::Integer),
    ("int32", Kind::Integer),
    ("int64", Kind::Integer),
    ("integer", Kind::Integer),
    ("lines", Kind::Integer),
    ("logfile", Kind::File),
    ("n", Kind::Integer),
    ("num", Kind::Integer),
    ("number", Kind::Integer),
    ("outfile", Kind::File),
    ("outputfile", Kind::File),
    ("path", Kind::File),
    ("pathname", Kind::File),
    ("pid", Kind::Integer),
    ("pidfile", Kind::File),
    ("port", Kind::Integer),
    ("ratio", Kind::Number),
    ("real", Kind::Number),
    ("seconds", Kind::Integer),
    ("uint", Kind::Integer),
    ("uint32", Kind::Integer),
    ("uint64", Kind::Integer),
    ("uri", Kind::Url),
    ("url", Kind::Url),
    ("workdir", Kind::Directory),
];

/// Returns the kind of value that `name` stands for. Its last word tells: `pid-file`, `OUTPUT_DIR`.
pub(crate) fn kind_of(name: &str) -> Kind {
    // `INTEGER RANGE [1<=x<=9]`
    let range = name
        .contains(" RANGE")
        .then(|| name.split_once(" RANGE"))
        .flatten();
    let name = range.map_or(name, |(before, _)| before);
    if name.contains([',', '|', ':', '=', '/']) || name.contains("..") {
        return Kind::String;
    }
    if name == "#" {
        return Kind::Integer;
    }
    let last = name.rsplit(['-', '_', ' ']).next().unwrap_or_default();
    let compared = |(word, _): &(&str, Kind)| {
        let last = last.bytes().map(|byte| byte.to_ascii_lowercase());
        word.bytes().cmp(last)
    };
    let found = KINDS.binary_search_by(compared).ok();
    found
        .and_then(|at| KINDS.get(at))
        .map_or(Kind::String, |(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_searched_are_sorted() {
        assert!(KINDS.is_sorted_by_key(|(word, _)| *word));
    }

    #[test]
    fn the_last_word_of_a_name_tells_its_kind() {
        let check = |name: &str, want: Kind| assert_eq!(kind_of(name), want, "{name:?}");
        check("FILE", Kind::File);
        check("pid_file", Kind::File);
        check("Output-Dir", Kind::Directory);
        check("INTEGER RANGE [1<=x<=9]", Kind::Integer);
        check("#", Kind::Integer);
        check("host:port", Kind::String);
        check("N..M", Kind::String);
        check("", Kind::String);
        check("profile", Kind::String);
    }
}
