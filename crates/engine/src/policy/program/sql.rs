//! What a query does: one statement that reads, or one of psql's commands that describe.
//!
//! Pure are `SELECT`, `WITH … SELECT`, `VALUES`, `TABLE`, `SHOW`, and `EXPLAIN` of these without `ANALYZE`, as long as
//! every function they call is on a short list. A view or an operator may still hide a function: what a server does is
//! the server's to permit.

pub(super) mod mysql;
pub(super) mod sqlite;
mod tokens;

use super::Purity;
use tokens::{Token, tokens};

const CHANGES: Purity = Purity::Changes("changes data");
const LOCKS: Purity = Purity::Changes("locks rows");
const CREATES: Purity = Purity::Changes("creates a table");
const EXECUTES: Purity = Purity::Changes("executes the statement");
const SEVERAL: Purity = Purity::Changes("runs several statements");
const RUNS: Purity = Purity::Changes("runs a command");

/// Functions that only compute, and words that may stand before a parenthesis.
const PURE_CALLS: &[&str] = &[
    "abs",
    "age",
    "all",
    "and",
    "any",
    "array",
    "array_agg",
    "array_length",
    "as",
    "avg",
    "between",
    "bool_and",
    "bool_or",
    "btrim",
    "by",
    "bytea",
    "cardinality",
    "case",
    "cast",
    "ceil",
    "ceiling",
    "char",
    "char_length",
    "coalesce",
    "concat",
    "concat_ws",
    "count",
    "cume_dist",
    "current_database",
    "current_schema",
    "date_part",
    "date_trunc",
    "decimal",
    "dense_rank",
    "distinct",
    "else",
    "every",
    "except",
    "exists",
    "extract",
    "filter",
    "first_value",
    "floor",
    "format",
    "from",
    "generate_series",
    "greatest",
    "group",
    "grouping",
    "having",
    "ilike",
    "in",
    "initcap",
    "intersect",
    "is",
    "join",
    "json_agg",
    "json_build_array",
    "json_build_object",
    "json_object_agg",
    "jsonb_agg",
    "jsonb_build_array",
    "jsonb_build_object",
    "jsonb_object_agg",
    "lag",
    "last_value",
    "lateral",
    "lead",
    "least",
    "left",
    "length",
    "like",
    "limit",
    "lower",
    "lpad",
    "ltrim",
    "materialized",
    "max",
    "md5",
    "min",
    "mod",
    "not",
    "now",
    "nth_value",
    "ntile",
    "nullif",
    "numeric",
    "octet_length",
    "offset",
    "on",
    "or",
    "over",
    "partition",
    "percent_rank",
    "percentile_cont",
    "percentile_disc",
    "pg_column_size",
    "pg_database_size",
    "pg_indexes_size",
    "pg_relation_size",
    "pg_size_pretty",
    "pg_table_size",
    "pg_total_relation_size",
    "position",
    "power",
    "quote_ident",
    "quote_literal",
    "rank",
    "regexp_match",
    "regexp_matches",
    "regexp_replace",
    "regexp_split_to_array",
    "regexp_split_to_table",
    "repeat",
    "replace",
    "reverse",
    "right",
    "round",
    "row",
    "row_number",
    "rpad",
    "rtrim",
    "select",
    "sign",
    "some",
    "split_part",
    "sqrt",
    "stddev",
    "string_agg",
    "strpos",
    "substr",
    "substring",
    "sum",
    "then",
    "time",
    "timestamp",
    "timestamptz",
    "to_char",
    "to_date",
    "to_json",
    "to_jsonb",
    "to_number",
    "to_timestamp",
    "translate",
    "trim",
    "trunc",
    "union",
    "unnest",
    "upper",
    "using",
    "values",
    "varchar",
    "variance",
    "version",
    "when",
    "where",
    "width_bucket",
    "window",
    "within",
];

/// Words that a statement which reads has no use for.
const CHANGING: &[&str] = &[
    "insert", "update", "delete", "merge", "truncate", "drop", "alter", "create", "grant", "revoke", "copy",
    "call", "do", "lock", "vacuum", "analyze", "reindex", "cluster", "refresh", "execute", "prepare",
    "notify", "set", "reset", "begin", "commit", "rollback", "load", "attach", "detach", "pragma", "outfile",
    "dumpfile", "import",
];

/// Returns what the text does.
pub(super) fn judge(text: &str) -> Purity {
    let text = text.trim();
    if text.starts_with('\\') {
        return described(text);
    }
    match single(text) {
        Ok(tokens) => statement(&tokens, &[]),
        Err(why) => why,
    }
}

/// The tokens of a text that is one statement, or why it is none.
fn single(text: &str) -> Result<Vec<Token<'_>>, Purity> {
    let mut tokens = tokens(text).ok_or(Purity::Unknown)?;
    while tokens.last() == Some(&Token::Sign(';')) {
        tokens.pop();
    }
    if tokens.contains(&Token::Sign(';')) {
        return Err(SEVERAL);
    }
    Ok(tokens)
}

/// psql's own commands: those that describe. Backquotes in them run commands, and another may follow on the line.
fn described(text: &str) -> Purity {
    if text.contains('`') {
        return RUNS;
    }
    let body = text.strip_prefix('\\').unwrap_or_default();
    let name = body.split_whitespace().next().unwrap_or_default();
    if body.contains(['\\', '\n', '\r', '|']) {
        return Purity::Unknown;
    }
    match name.trim_end_matches(['+', 'S', 'x']) {
        "l" | "z" | "conninfo" | "sf" | "sv" | "?" | "h" => Purity::Pure,
        "!" => RUNS,
        "copy" | "o" | "out" | "i" | "ir" | "include" | "w" | "write" | "g" | "gexec" | "e" | "edit"
        | "s" => Purity::Changes("reads or writes files, or runs commands"),
        other if other.starts_with('d') && other.chars().all(|c| c.is_ascii_alphabetic()) => Purity::Pure,
        _ => Purity::Unknown,
    }
}

/// One statement. `more` are functions of the server's own that only compute.
fn statement(tokens: &[Token<'_>], more: &[&str]) -> Purity {
    let Some((Token::Word(first), rest)) = tokens.split_first() else {
        return Purity::Unknown;
    };
    match first.to_ascii_lowercase().as_str() {
        "select" | "with" | "values" | "table" => query(tokens, more),
        "show" => show(rest),
        "explain" => explain(rest, more),
        word if CHANGING.contains(&word) => CHANGES,
        _ => Purity::Unknown,
    }
}

/// `SHOW name`: nothing but names.
fn show(rest: &[Token<'_>]) -> Purity {
    let plain = |token: &Token<'_>| matches!(token, Token::Word(_) | Token::Sign('.'));
    if !rest.is_empty() && rest.iter().all(plain) {
        Purity::Pure
    } else {
        Purity::Unknown
    }
}

/// `EXPLAIN`, with options as words or in parentheses.
fn explain(rest: &[Token<'_>], more: &[&str]) -> Purity {
    let is_analyze =
        |token: &Token<'_>| matches!(token, Token::Word(word) if is_any(word, &["analyze", "analyse"]));
    if rest.iter().any(is_analyze) {
        return EXECUTES;
    }
    let mut rest = rest;
    if let Some((Token::Sign('('), inside)) = rest.split_first() {
        let Some(end) = inside.iter().position(|token| *token == Token::Sign(')')) else {
            return Purity::Unknown;
        };
        rest = inside.get(end + 1..).unwrap_or_default();
    } else {
        while let Some((Token::Word(word), behind)) = rest.split_first() {
            if !is_any(word, &["verbose"]) {
                break;
            }
            rest = behind;
        }
    }
    match rest.first() {
        Some(Token::Word(word)) if is_any(word, &["select", "with", "values", "table"]) => query(rest, more),
        Some(Token::Word(_) | Token::Name | Token::Text | Token::Number | Token::Sign(_)) | None => {
            Purity::Unknown
        }
    }
}

/// A query: no word that changes, and no function that nobody knows.
fn query(tokens: &[Token<'_>], more: &[&str]) -> Purity {
    let only_computes = |word: &str| is_any(word, PURE_CALLS) || is_any(word, more);
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let is_called = next == Some(&Token::Sign('('));
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let found = match token {
            Token::Word(word) if is_any(word, &["into"]) => CREATES,
            Token::Word(word) if is_any(word, &["for"]) && next.is_some_and(locks) => LOCKS,
            Token::Word(word) if is_any(word, CHANGING) => CHANGES,
            Token::Word(word) if is_called && !(only_computes(word) && before != Some(&Token::Sign('.'))) => {
                Purity::Unknown
            }
            Token::Name if is_called => Purity::Unknown,
            Token::Word(_) | Token::Name | Token::Text | Token::Number | Token::Sign(_) => Purity::Pure,
        };
        if found != Purity::Pure {
            return found;
        }
    }
    Purity::Pure
}

/// `FOR UPDATE`, `FOR NO KEY UPDATE`, `FOR SHARE`, `FOR KEY SHARE`.
fn locks(token: &Token<'_>) -> bool {
    matches!(token, Token::Word(word) if is_any(word, &["update", "no", "share", "key"]))
}

fn is_any(word: &str, words: &[&str]) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, want: Purity) {
        assert_eq!(judge(text), want, "{text:?}");
    }

    #[test]
    fn statements_that_read_are_pure() {
        for text in [
            "select 1",
            "SELECT * FROM t WHERE a > 5 AND b IN (1, 2);",
            "select count(*), max(x) from t group by y having count(*) > 1 order by 1 limit 5",
            "select 'drop table t; delete', \"update\" from t",
            "select a.b from s.t as a -- delete from t\n",
            "select /* update */ 1",
            "with x as (select 1) select * from x",
            "values (1), (2)",
            "table t",
            "show server_version",
            "explain select * from t",
            "explain (costs off, format json) select 1",
            "explain verbose select 1",
            "select x::numeric(10,2), cast(y as varchar(10)) from t",
            "select 'it''s'",
            "select 1.5, .5, 1e5, 2., 0x1f, -1 from t",
            "\\d",
            "\\dt+",
            "\\d+ t",
            "\\l",
            "\\dn public*",
        ] {
            check(text, Purity::Pure);
        }
    }

    #[test]
    fn changes_are_seen() {
        check("delete from t", CHANGES);
        check("drop table t", CHANGES);
        check("insert into t values (1)", CHANGES);
        check("with x as (delete from t returning *) select * from x", CHANGES);
        check("select * into x from t", CREATES);
        check("select * from t for update", LOCKS);
        check("select * from t FOR no key update", LOCKS);
        check("select 1; drop table t", SEVERAL);
        check("explain analyze select 1", EXECUTES);
        check("explain (analyze, verbose) delete from t", EXECUTES);
        check("\\! id", RUNS);
        check("\\d `id`", RUNS);
    }

    #[test]
    fn what_cannot_be_read_is_unknown() {
        for text in [
            "",
            "select f(1)",
            "select pg_sleep(10)",
            "select pg_terminate_backend(1)",
            "select lo_import('/etc/passwd')",
            "select pg_read_file('/etc/passwd')",
            "select nextval('s')",
            "select s.lower('x')",
            "select \"lower\"('x')",
            "select 'a\\' || '; drop table t; --'",
            "select $$ x $$",
            "select e'\\''; drop",
            "select 1 \\g |sh",
            "select 1 \\gexec",
            "explain delete from t",
            "\\d \\! id",
            "\\set x y",
            "select /*! delete */ 1",
            "select 'x",
            "select /* x",
            "select /* x /* y */ */ 1",
            "show",
            "select 1 # x",
            "select dblink_exec ('x')",
            "select 1into t",
            "select 1.5into t",
            "select 1.into t",
            "select .5into t",
            "select 1e5into t",
            "select 1einto t",
            "select 0x1finto t",
            "select 0b1into t",
            "select 1_000into t",
            "select $1into t",
            "select 'a'into t",
            "select \"a\"into t",
            "select (1)into t",
            "select a/**/into t",
            "select 1 --\rinto t",
            "select 1 -- x\r\ninto t",
            "select 1/*\n*/into t",
            "select x'41'into t",
            "select 1\u{b}into t",
            "select 1\u{a0}into t",
        ] {
            assert!(!matches!(judge(text), Purity::Pure), "{text:?}");
        }
        check("select f(1)", Purity::Unknown);
        check("select 'a\\' || 'b'", Purity::Unknown);
    }

    /// Whether a word that is written right behind this text becomes part of a name.
    fn ends_in_a_name(text: &str) -> bool {
        let start = text
            .trim_end_matches(|c: char| c.is_alphanumeric() || c == '_')
            .len();
        text.get(start..)
            .is_some_and(|run| run.starts_with(char::is_alphabetic))
    }

    #[test]
    fn no_border_hides_a_word_that_changes() {
        let befores = [
            "1", "1.5", "1.", ".5", "1e5", "1e", "1e-3", "0x1f", "0xe", "0b1", "0o7", "1_0", "a", "a.b", "*",
            "(1)", "'a'", "'a''b'", "\"a\"", "$1", "x'41'", "n'a'", "t.*", "count(*)", "a[1]", "null",
            "1::int", "?", ":a", "@a", "\u{e9}",
        ];
        let borders = [
            "",
            " ",
            "\n",
            "\r",
            "\t",
            "\u{b}",
            "\u{c}",
            "\u{a0}",
            "\u{2003}",
            "/**/",
            "/*x*/",
            "/*!*/",
            "/*! x */",
            "/*+ x */",
            "/*M! x */",
            "--\n",
            "-- x\n",
            "--\r",
            "--x\r",
            "--\r\n",
            "#\n",
            "+",
            "||",
        ];
        let changes = [
            "into t",
            "INTO t",
            "into outfile '/x'",
            "for update",
            "; drop table t",
            "into @a",
        ];
        for before in befores {
            for border in borders {
                for change in changes {
                    let joined = border.is_empty() && ends_in_a_name(before) && !change.starts_with(';');
                    let text = format!("select {before}{border}{change}");
                    for judged in [judge(&text), mysql::judge(&text), sqlite::judge(&text)] {
                        assert!(joined || judged != Purity::Pure, "{text:?}");
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_second_statement_is_never_missed(
            first in prop::sample::select(vec!["select 1", "select 'a;b'", "select \"a;\"", "values (1)", "select 1 -- ;\n", "select /*;*/ 2"]),
            second in prop::sample::select(vec!["drop table t", "delete from t", "select f()", "\\! id"]),
        ) {
            let text = format!("{first}; {second}");
            prop_assert_ne!(judge(&text), Purity::Pure, "{:?}", text);
        }
    }
}
