//! A query for MySQL or MariaDB, as their client `mysql` reads it.
//!
//! Comments are not read at all: `--` starts one only before a blank there, and a server executes some of them. The
//! client's own commands (`system`, `source`, `delimiter`, a backslash) are never pure.

use super::super::Purity;
use super::{RUNS, Token, single, statement};

/// Words at the start of a line that the client keeps for itself.
const CLIENT: &[&str] = &[
    "charset",
    "clear",
    "connect",
    "edit",
    "ego",
    "exit",
    "go",
    "help",
    "nopager",
    "notee",
    "nowarning",
    "pager",
    "print",
    "prompt",
    "quit",
    "rehash",
    "resetconnection",
    "source",
    "status",
    "system",
    "tee",
    "use",
    "warnings",
];

/// Functions that only compute and that others do not have.
const PURE_CALLS: &[&str] = &[
    "adddate",
    "concat_ws",
    "curdate",
    "curtime",
    "database",
    "date",
    "date_add",
    "date_format",
    "date_sub",
    "datediff",
    "day",
    "dayofweek",
    "field",
    "find_in_set",
    "format_bytes",
    "from_unixtime",
    "group_concat",
    "hex",
    "hour",
    "if",
    "ifnull",
    "instr",
    "interval",
    "isnull",
    "json_arrayagg",
    "json_contains",
    "json_extract",
    "json_keys",
    "json_length",
    "json_object",
    "json_objectagg",
    "json_unquote",
    "lcase",
    "locate",
    "minute",
    "month",
    "quarter",
    "regexp_like",
    "schema",
    "second",
    "str_to_date",
    "substring_index",
    "timestampdiff",
    "ucase",
    "unix_timestamp",
    "user",
    "utc_timestamp",
    "week",
    "weekday",
    "year",
];

/// Returns what the text does.
pub(in super::super) fn judge(text: &str) -> Purity {
    let text = text.trim();
    let text = ["\\G", "\\g"]
        .iter()
        .find_map(|end| text.strip_suffix(end))
        .unwrap_or(text);
    if text.contains("\\!") {
        return RUNS;
    }
    let is_odd = ["--", "/*", "#", "\\"].iter().any(|sign| text.contains(sign));
    if is_odd || text.lines().any(is_client_command) {
        return Purity::Unknown;
    }
    let tokens = match single(text) {
        Ok(tokens) => tokens,
        Err(why) => return why,
    };
    let is = |token: &Token<'_>, word: &str| matches!(token, Token::Word(given) if given.eq_ignore_ascii_case(word));
    if tokens.iter().any(|token| is(token, "delimiter")) {
        return Purity::Unknown;
    }
    match tokens.split_first() {
        Some((first, rest)) if ["show", "describe", "desc"].iter().any(|word| is(first, word)) => shown(rest),
        Some(_) | None => statement(&tokens, PURE_CALLS),
    }
}

fn is_client_command(line: &str) -> bool {
    let first = line.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next();
    first.is_some_and(|first| CLIENT.iter().any(|word| word.eq_ignore_ascii_case(first)))
}

/// `SHOW …` and `DESCRIBE …`: names and a pattern.
fn shown(rest: &[Token<'_>]) -> Purity {
    let plain = |token: &Token<'_>| match token {
        Token::Word(_) | Token::Name | Token::Text | Token::Sign('.') => true,
        Token::Number | Token::Sign(_) => false,
    };
    if !rest.is_empty() && rest.iter().all(plain) {
        Purity::Pure
    } else {
        Purity::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_and_descriptions_are_pure() {
        for text in [
            "select 1",
            "SELECT * FROM t WHERE a > 5;",
            "select * from t\\G",
            "show databases",
            "show tables like 'a%'",
            "show create table t;",
            "describe s.t",
            "desc t",
            "select ifnull(a, 0), group_concat(b) from t\ngroup by c",
            "select date_format(a, '%Y') from t",
        ] {
            assert_eq!(judge(text), Purity::Pure, "{text:?}");
        }
    }

    #[test]
    fn what_changes_or_escapes_is_not_pure() {
        for text in [
            "delete from t",
            "select 1; drop table t",
            "select 1--1; drop table t",
            "select 1 -- x",
            "select /*! 1 */ 1",
            "select /*M! 1 */ 1",
            "select 1 # x",
            "select * from t into outfile '/srv/x'",
            "select load_file('/srv/x')",
            "select sleep(5)",
            "system id",
            "source x.sql",
            "\\! id",
            "\\. x.sql",
            "select 1\nsystem id",
            "select 1\n  TEE x",
            "select 1 delimiter x\nflush tables x",
            "select 1 \\! id",
            "select 1 \\g \\! id\\G",
            "show (select f())",
            "show",
            "desc",
            "explain analyze select 1",
            "select 'a\\'; drop table t; '",
            "use mysql",
            "",
        ] {
            assert_ne!(judge(text), Purity::Pure, "{text:?}");
        }
    }
}
