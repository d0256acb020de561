//! A query for SQLite, or a dot command of its shell.
//!
//! Pure are the dot commands that describe or print, spelt out, `PRAGMA`s that ask, and queries. Names in brackets are
//! not read: a quote inside of one would hide what follows.

use super::super::Purity;
use super::{CHANGES, Token, is_any, query, single, statement};

/// Dot commands that only print or say how things are printed.
const PURE_DOTS: &[&str] = &[
    "changes",
    "databases",
    "dbinfo",
    "dump",
    "echo",
    "eqp",
    "explain",
    "fullschema",
    "header",
    "headers",
    "help",
    "indexes",
    "indices",
    "lint",
    "mode",
    "nullvalue",
    "print",
    "schema",
    "separator",
    "sha3sum",
    "show",
    "stats",
    "tables",
    "timer",
    "version",
    "width",
];

/// Settings that are asked for, also with the name of a table or an index.
const ASKING: &[&str] = &[
    "collation_list",
    "compile_options",
    "database_list",
    "foreign_key_check",
    "foreign_key_list",
    "freelist_count",
    "function_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "module_list",
    "page_count",
    "pragma_list",
    "quick_check",
    "table_info",
    "table_list",
    "table_xinfo",
];

/// Settings that are asked for as long as no value is given.
const SETTINGS: &[&str] = &[
    "application_id",
    "auto_vacuum",
    "busy_timeout",
    "cache_size",
    "encoding",
    "foreign_keys",
    "journal_mode",
    "max_page_count",
    "page_size",
    "schema_version",
    "synchronous",
    "user_version",
];

/// Functions that only compute and that others do not have.
const PURE_CALLS: &[&str] = &[
    "changes",
    "date",
    "datetime",
    "glob",
    "group_concat",
    "hex",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_each",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_object",
    "json_tree",
    "json_type",
    "json_valid",
    "julianday",
    "last_insert_rowid",
    "pragma_foreign_key_list",
    "pragma_index_list",
    "pragma_table_info",
    "printf",
    "quote",
    "random",
    "sqlite_version",
    "strftime",
    "total",
    "total_changes",
    "typeof",
    "unicode",
    "unixepoch",
];

/// Returns what the text does.
pub(in super::super) fn judge(text: &str) -> Purity {
    if let Some(command) = text.strip_prefix('.') {
        return dot(command);
    }
    if text.contains('[') || text.trim_start().starts_with('\\') {
        return Purity::Unknown;
    }
    let tokens = match single(text) {
        Ok(tokens) => tokens,
        Err(why) => return why,
    };
    match tokens.split_first() {
        Some((Token::Word(first), rest)) if is_any(first, &["pragma"]) => pragma(rest),
        Some((Token::Word(first), rest)) if is_any(first, &["explain"]) => explain(rest),
        Some(_) | None => statement(&tokens, PURE_CALLS),
    }
}

/// A dot command. The shell takes the beginning of a name for the name, so only whole names count.
fn dot(command: &str) -> Purity {
    let name = command.split_whitespace().next().unwrap_or_default();
    let starts_clean = command.starts_with(|c: char| c.is_ascii_alphabetic());
    if starts_clean && !command.contains(['\n', '\r', '|']) && PURE_DOTS.contains(&name) {
        Purity::Pure
    } else {
        Purity::Unknown
    }
}

/// `PRAGMA [schema.]name` or `PRAGMA name(argument)`.
fn pragma(rest: &[Token<'_>]) -> Purity {
    let rest = match rest {
        [Token::Word(_) | Token::Name, Token::Sign('.'), behind @ ..] => behind,
        whole => whole,
    };
    match rest {
        [Token::Word(name)] if is_any(name, ASKING) || is_any(name, SETTINGS) => Purity::Pure,
        [
            Token::Word(name),
            Token::Sign('('),
            Token::Word(_) | Token::Name | Token::Text | Token::Number,
            Token::Sign(')'),
        ] if is_any(name, ASKING) => Purity::Pure,
        [..] => CHANGES,
    }
}

/// `EXPLAIN` and `EXPLAIN QUERY PLAN` execute nothing.
fn explain(rest: &[Token<'_>]) -> Purity {
    let rest = match rest {
        [Token::Word(first), Token::Word(second), behind @ ..]
            if is_any(first, &["query"]) && is_any(second, &["plan"]) =>
        {
            behind
        }
        whole => whole,
    };
    match rest.first() {
        Some(Token::Word(word)) if is_any(word, &["select", "with", "values"]) => query(rest, PURE_CALLS),
        Some(Token::Word(_) | Token::Name | Token::Text | Token::Number | Token::Sign(_)) | None => {
            Purity::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_and_prints_is_pure() {
        for text in [
            "select * from t",
            "select count(*), typeof(a) from t;",
            "select json_extract(a, '$.b') from t",
            "with x as (select 1) select * from x",
            ".tables",
            ".schema t",
            ".dump",
            ".mode json",
            "pragma table_info(t)",
            "PRAGMA main.table_info('t');",
            "pragma user_version",
            "pragma integrity_check",
            "explain query plan select * from t",
            "explain select 1",
        ] {
            assert_eq!(judge(text), Purity::Pure, "{text:?}");
        }
    }

    #[test]
    fn what_changes_reads_files_or_runs_is_not_pure() {
        for text in [
            "delete from t",
            "replace into t values (1)",
            "select 1; drop table t",
            "select [a']; drop table t --']",
            "select writefile('x', 'y')",
            "select readfile('/srv/x')",
            "select load_extension('./x')",
            "select edit('x')",
            "attach 'x' as y",
            "vacuum into 'x'",
            "pragma user_version = 5",
            "pragma user_version(5)",
            "pragma journal_mode=wal",
            "pragma writable_schema",
            "pragma table_info(t) drop",
            ".shell id",
            ".system id",
            ".sh id",
            ".s id",
            ".output x",
            ".once x",
            ".read x",
            ".import x t",
            ".load ./x",
            ".open x",
            ".save x",
            ".tables\n.shell id",
            ". shell",
            ".",
            "\\dt",
            "explain query plan delete from t",
            "",
        ] {
            assert_ne!(judge(text), Purity::Pure, "{text:?}");
        }
    }
}
