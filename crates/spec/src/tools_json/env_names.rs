//! `envPassthrough`: names of variables, upper case, each once.

use super::manifest_error::Quote;

/// A name that no variable has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.told())]
pub struct EnvNameError {
    /// Which entry, from 0.
    pub index: usize,
    /// As it was written.
    pub name: String,
}

impl EnvNameError {
    fn told(&self) -> String {
        match self.name.trim().is_empty() {
            true => "empty name".to_owned(),
            false => format!("invalid name {} (must match [A-Z_][A-Z0-9_]*)", Quote(&self.name)),
        }
    }
}

/// Returns the names to pass on: trimmed, upper case, the first of equal ones kept.
///
/// # Errors
/// The first that cannot be a name.
pub fn env_names<'a>(raw: impl IntoIterator<Item = &'a str>) -> Result<Vec<String>, EnvNameError> {
    let mut names: indexmap::IndexSet<String> = indexmap::IndexSet::new();
    for (index, name) in raw.into_iter().enumerate() {
        let upper = name.trim().to_ascii_uppercase();
        if !is_env_name(&upper) {
            return Err(EnvNameError {
                index,
                name: name.to_owned(),
            });
        }
        names.insert(upper);
    }
    Ok(names.into_iter().collect())
}

fn is_env_name(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    name.bytes().next().is_some_and(letter) && name.bytes().all(|byte| letter(byte) || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_normalised() {
        let check = |raw: &[&str], want: Result<&[&str], &str>| {
            let came = env_names(raw.iter().copied());
            let came = came.map_err(|error| format!("envPassthrough[{}]: {error}", error.index));
            let want = want
                .map(|names| names.iter().map(|name| (*name).to_owned()).collect())
                .map_err(str::to_owned);
            assert_eq!(came, want, "{raw:?}");
        };
        check(&[], Ok(&[]));
        check(&["tz", "LANG"], Ok(&["TZ", "LANG"]));
        check(&["A", "b", "a"], Ok(&["A", "B"]));
        check(&["_", "a1"], Ok(&["_", "A1"]));
        check(&[" tz ", "\tTZ\n"], Ok(&["TZ"]));
        check(
            &["t z"],
            Err("envPassthrough[0]: invalid name \"t z\" (must match [A-Z_][A-Z0-9_]*)"),
        );
        check(
            &["A", "1BAD"],
            Err("envPassthrough[1]: invalid name \"1BAD\" (must match [A-Z_][A-Z0-9_]*)"),
        );
        check(
            &["OAI-API-KEY"],
            Err("envPassthrough[0]: invalid name \"OAI-API-KEY\" (must match [A-Z_][A-Z0-9_]*)"),
        );
        check(
            &["oai-api-key"],
            Err("envPassthrough[0]: invalid name \"oai-api-key\" (must match [A-Z_][A-Z0-9_]*)"),
        );
        check(&["A", ""], Err("envPassthrough[1]: empty name"));
        check(&["  "], Err("envPassthrough[0]: empty name"));
        check(
            &["ß"],
            Err("envPassthrough[0]: invalid name \"ß\" (must match [A-Z_][A-Z0-9_]*)"),
        );
    }

    proptest! {
        #[test]
        fn whatever_is_passed_on_is_a_name_and_stands_once(raw in prop::collection::vec("[a-zA-Z_][a-zA-Z0-9_]{0,3}", 0..12)) {
            let names = env_names(raw.iter().map(String::as_str)).unwrap();
            for (at, name) in names.iter().enumerate() {
                prop_assert!(is_env_name(name));
                prop_assert!(!names[..at].contains(name));
            }
            prop_assert!(raw.iter().all(|name| names.contains(&name.to_ascii_uppercase())));
        }
    }
}
